"""The severity of a miss, by model and surface: that of the first case that fits.

Where the band is unknown, it is the mildest severity of any band of the protocol.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.finding import SEVERITIES, Severity
from wirecheck.models import PROTOCOLS, Models
from wirecheck.rules.language.compiler import Predicate
from wirecheck.rules.language.fields import suggest
from wirecheck.rules.language.modifiers import Schema, listed
from wirecheck.rules.language.where import faults, lines, where_schema
from wirecheck.talk.facts import Context, Fact

CONTEXTS = 1024  # whose severity is cached, for each rule
KEYS = ("protocol", "surface", "version", "band")
LEVELS = (*reversed(SEVERITIES), "off")
VALUES: Schema = {"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1}
SCHEMA: Schema = {
    "description": "How bad it is: one word, or a list of which the first line that fits wins.",
    "type": ["string", "array"],
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            **{key: {**VALUES, "description": f"The {key} it holds for, or several."} for key in KEYS},
            "since": {"type": "string", "format": "date", "description": "A date: from that day on (UTC)."},
            "where": where_schema("What the fact must be like."),
            "is": {"enum": list(LEVELS), "description": "The severity."},
        },
        "required": ["is"],
        "additionalProperties": False,
    },
    "if": {"type": "string"},
    "then": {"enum": list(LEVELS)},
}


class SeverityCase(Struct, frozen=True):
    """One case of a severity. `wanted` has the values each key may have."""

    wanted: Mapping[str, tuple[str, ...]]
    since: float | None
    where: Predicate | None
    severity: Severity | None

    def fits(self, known: Mapping[str, str | None], fact: Fact, at: float | None) -> bool:
        # A log without times counts as recent.
        return (
            all(known[key] in values for key, values in self.wanted.items())
            and (self.since is None or at is None or at >= self.since)
            and (self.where is None or self.where(fact))
        )


class Severities:
    """The severities of one rule."""

    def __init__(self, given: str, severity: Any, models: Models) -> None:
        cases = [{"is": severity}] if isinstance(severity, str) else severity
        self._lines = [_line(given, case) for case in cases]
        self._models = models
        self.fixed = all(line.since is None and line.where is None for line in self._lines)
        self._cache: Cache[tuple[str, str, str | None, str | None], tuple[Severity | None]] = Cache(CONTEXTS)

    def of(self, fact: Fact, at: float | None) -> Severity | None:
        """The severity of a miss, None where the rule is off."""
        c = fact.context
        if not self.fixed:
            return self._look_up(c, fact, at)
        key = (c.protocol, c.surface, c.version, c.band)
        return self._cache.get_or_make(key, lambda: (self._look_up(c, fact, at),))[0]

    def by_band(self, protocol: str, surface: str) -> dict[str, tuple[Severity | None, ...]]:
        """The possible severities of each band, for the docs: several where a case depends on the fact or the time."""
        known, bands = {"protocol": protocol, "surface": surface}, self._models.bands_of(protocol)
        return {band: self._possible({**known, "band": band}) for band in bands}

    def _look_up(self, c: Context, fact: Fact, at: float | None) -> Severity | None:
        bands = self._models.bands_of(c.protocol) if c.band is None else (c.band,)
        known: dict[str, str | None] = {"protocol": c.protocol, "surface": c.surface, "version": c.version}
        found = [self._first({**known, "band": band}, fact, at) for band in bands]
        return min(found, key=lambda each: -1 if each is None else SEVERITIES.index(each))

    def _first(self, known: Mapping[str, str | None], fact: Fact, at: float | None) -> Severity | None:
        return next((line.severity for line in self._lines if line.fits(known, fact, at)), None)

    def _possible(self, known: Mapping[str, str]) -> tuple[Severity | None, ...]:
        found: list[Severity | None] = []
        for line in self._lines:
            if all([known[key] in values for key, values in line.wanted.items() if key in known]):
                found.append(line.severity)
                if line.since is None and line.where is None:
                    return tuple(dict.fromkeys(found))
        return tuple(dict.fromkeys([*found, None]))


def severity_faults(given: str, severity: Any, models: Models) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Problems with unknown names in the cases of a severity."""
    known = {"protocol": PROTOCOLS, "surface": models.surfaces, "band": models.bands}
    for index, case in enumerate(severity if isinstance(severity, list) else ()):
        for key, names in known.items():
            for name in listed(case.get(key, [])):
                if name not in names:
                    yield (index, key), f"unknown {key} '{name}'{suggest(name, names)}"
        if "since" in case and (no_date := date_fault(case["since"])):
            yield (index, "since"), no_date
        for place, what in faults(given, case.get("where", {})):
            yield (index, "where", *place), what


def _line(given: str, case: Mapping[str, Any]) -> SeverityCase:
    return SeverityCase(
        wanted={key: listed(case[key]) for key in KEYS if key in case},
        since=_time(case["since"]) if "since" in case else None,
        where=Predicate(given, lines(given, case["where"])) if "where" in case else None,
        severity=None if case["is"] == "off" else case["is"],
    )


def date_fault(day: str) -> str | None:
    return f"'{day}' is no date, as in 2026-03-01" if _time(day) is None else None


def _time(day: str) -> float | None:
    from datetime import UTC, datetime

    try:
        given = datetime.fromisoformat(day)
    except ValueError:
        return None
    return given.replace(tzinfo=UTC).timestamp() if day == str(given.date()) else None
