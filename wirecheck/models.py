"""Looks up the band of a model and the surface of a host in the tables of rules/models.yaml.

Opens no file: data/shipped.py loads the tables.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from fnmatch import translate
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

_SIGNS = frozenset("*?[")
ALWAYS = float("-inf")
LONG_AGO = 1.6e9  # seconds since 1970: before any of these models
TUNED = "tunedmodels/"  # how the names of models begin that do not tell what they are made of
SETUP = "setup."  # how the paths of settings of Live sessions begin
FAMILY = "gemini-"  # the beginning of names that contain a version
PROTOCOLS = ("generate-content", "live", "interactions", "chat", "transcript")


class Limit(Struct, frozen=True):
    """What a model or a surface takes of a setting. `path` leads to it in the body of a request, `*` through a list;
    `steps` has it in both spellings."""

    path: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    min: float | None = None
    max: float | None = None
    also: tuple[Any, ...] = ()  # taken, although out of the range
    refuses: tuple[Any, ...] = ()
    takes: tuple[str, ...] | None = None  # the only words


class Limits(Struct, frozen=True, eq=False):
    """The limits of one model on one surface and day. Models with equal limits have the same object."""

    rows: tuple[Limit, ...]


UNLIMITED = Limits(())


class LimitRow(Struct, frozen=True):
    """A limit as the table has it: for which models or band of them, on which surfaces, and from which day on."""

    names: "Globs | None"
    band: str | None
    surfaces: tuple[str, ...]
    since: float
    limit: Limit

    def fits(self, bare: str | None, band: str | None, surface: str, at: float) -> bool:
        return (
            at >= self.since
            and (not self.surfaces or surface in self.surfaces)
            and (self.band is None or band == self.band)
            and (self.names is None or (bare is not None and self.names.fit(bare)))
        )


class Models:
    """The bands, the models in them, the surfaces, and what they take of settings."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._bands: dict[bool, tuple[str, ...]] = {}
        self._rows: dict[bool, list[tuple[str, Globs]]] = {}
        for live in (False, True):
            table = tables["live" if live else "http"]
            self._bands[live] = tuple(table["bands"])
            self._rows[live] = [(row["band"], Globs(row["names"])) for row in table["models"]]
        self._aliases = Globs(tables["aliases"])
        self._hosts = [(surface, Globs(hosts)) for surface, hosts in tables["surfaces"].items()]
        self.bands = self._bands[False] + self._bands[True]
        self.surfaces = tuple(tables["surfaces"])
        self._look_up = lru_cache(maxsize=1024)(self._band)
        settings = [(path, [_limit_row(path, row) for row in rows]) for path, rows in tables["limits"].items()]
        self._settings = {
            live: [rows for path, rows in settings if path.startswith(SETUP) is live] for live in (False, True)
        }
        self._days = sorted({row.since for _, rows in settings for row in rows} - {ALWAYS})
        # The keys of a body in which settings with a limit stand.
        self.limited = frozenset([key for path in tables["limits"] for key in _both(path.partition(".")[0])])
        self._same: dict[tuple[Limit, ...], Limits] = {}
        self._limits = lru_cache(maxsize=1024)(self._find_limits)

    def band(self, name: str | None, protocol: str) -> str | None:
        """The band of a model: the newest for an unknown Gemini, None for an alias, for any other name, and without
        one."""
        return None if name is None else self._look_up(name[:256], protocol == "live")

    def bands_of(self, protocol: str) -> tuple[str, ...]:
        """The bands of a protocol, oldest first."""
        return self._bands[protocol == "live"]

    def surface(self, host: str) -> str:
        """The surface behind a host, "unknown" for others."""
        host = host.lower().partition(":")[0][:256]
        return next((surface for surface, hosts in self._hosts if hosts.fit(host)), "unknown")

    def limits(self, name: str | None, surface: str, at: float | None, *, live: bool = False) -> Limits:
        """What a model takes of settings on a surface; at a time, or today, also where times count from another day."""
        day = len(self._days) if at is None or at < LONG_AGO else bisect_right(self._days, at)
        return self._limits(None if name is None else name[:256], surface, day, live)

    def _find_limits(self, name: str | None, surface: str, day: int, live: bool) -> Limits:
        bare = None if name is None or name.lower().startswith(TUNED) else _bare(name)
        band, at = None if name is None else self._look_up(name, live), self._days[day - 1] if day else ALWAYS
        fit = (next((row for row in rows if row.fits(bare, band, surface, at)), None) for rows in self._settings[live])
        found = tuple([row.limit for row in fit if row is not None])
        return self._same.setdefault(found, Limits(found))

    def _band(self, name: str, live: bool) -> str | None:
        if name.lower().startswith(TUNED):  # the name does not tell the base model
            return None
        bare = _bare(name)
        for band, names in self._rows[live]:
            if names.fit(bare):
                return band
        known = bare.startswith(FAMILY) and not self._aliases.fit(bare)
        return self._bands[live][-1] if known else None


def _bare(name: str) -> str:
    """A name without the path before it (projects/…/models/, google/) and without words before "gemini-"."""
    last = name.lower().rpartition("/")[2]
    start = last.find(FAMILY)
    return last[max(start, 0) :]


def _limit_row(path: str, row: Mapping[str, Any]) -> LimitRow:
    return LimitRow(
        names=Globs(row["names"]) if "names" in row else None,
        band=row.get("band"),
        surfaces=tuple(row.get("surfaces", ())),
        since=_seconds(row["since"]) if "since" in row else ALWAYS,
        limit=Limit(
            path=tuple(path.split(".")),
            steps=tuple(map(_both, path.split("."))),
            min=row.get("min"),
            max=row.get("max"),
            also=tuple(row.get("also", ())),
            refuses=tuple(row.get("refuses", ())),
            takes=tuple(row["takes"]) if "takes" in row else None,
        ),
    )


def _both(name: str) -> tuple[str, str]:
    """A name in camelCase, and as it is in snake_case."""
    return name, re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name)


def _seconds(day: str) -> float:
    """The time at which a day begins (UTC). Years count from March on, so that a leap day is the last of its year."""
    year, month, number = map(int, day.split("-"))
    years, months = (year - 1, month + 9) if month < 3 else (year, month - 3)
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5 + number - 1
    return 86400.0 * (days - 719468)  # from the first of March of the year 0 to that of January 1970


class Globs:
    """A set of glob patterns. Most are a name or a prefix; the others are compiled on first use."""

    def __init__(self, globs: Iterable[str]) -> None:
        plain = {glob: glob.removesuffix("*") for glob in globs if _SIGNS.isdisjoint(glob.removesuffix("*"))}
        self._exact = {glob for glob, begin in plain.items() if begin == glob}
        self._begin = tuple([begin for glob, begin in plain.items() if begin != glob])
        self._odd = [glob for glob in globs if glob not in plain]

    def fit(self, name: str) -> bool:
        if name in self._exact or name.startswith(self._begin):
            return True
        return bool(self._odd) and self._pattern.match(name) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self._odd)))
