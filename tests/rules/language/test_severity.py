"""How bad a miss is, by model, surface, time and fact."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.rules.make import content, misses, rule, ruleset
from wirecheck.data.shipped import models
from wirecheck.rules.language.severity import Severities

BY_BAND = [{"band": ["gemini-1", "gemini-2"], "is": "warning"}, {"is": "error"}]
BY_SURFACE = [
    {"surface": "vertex", "band": "gemini-2", "is": "error"},
    {"surface": ["vertex", "firebase"], "is": "info"},
]
NEWEST = [{"band": ["gemini-3.6", "live-3.8"], "is": "error"}]
BY_VERSION = [{"version": "v1", "is": "error"}, {"protocol": "live", "is": "off"}, {"is": "info"}]
BY_FACT = [{"where": {"speaker": "model", "value.x": 1}, "is": "error"}, {"is": "warning"}]

CASES: list[tuple[Any, dict[str, Any], str | None]] = [
    ("error", {}, "error"),
    ("off", {}, None),
    (BY_BAND, {"band": "gemini-2"}, "warning"),
    (BY_BAND, {"band": "gemini-3"}, "error"),
    (BY_BAND, {"band": None}, "warning"),
    (BY_BAND, {"band": None, "protocol": "live"}, "error"),
    (NEWEST, {"band": "gemini-3.5"}, None),
    (NEWEST, {"band": "gemini-3.6"}, "error"),
    (NEWEST, {"band": None}, None),
    (BY_SURFACE, {"surface": "vertex", "band": "gemini-2"}, "error"),
    (BY_SURFACE, {"surface": "vertex", "band": "gemini-3"}, "info"),
    (BY_SURFACE, {"surface": "firebase", "band": "gemini-2"}, "info"),
    (BY_SURFACE, {"surface": "gemini-api", "band": "gemini-2"}, None),
    (BY_SURFACE, {"surface": "vertex", "band": None}, "info"),
    (BY_VERSION, {"version": "v1"}, "error"),
    (BY_VERSION, {"version": None}, "info"),
    (BY_VERSION, {"version": "v1beta", "protocol": "live"}, None),
    (BY_FACT, {"speaker": "model", "value": {"x": 1}}, "error"),
    (BY_FACT, {"speaker": "model", "value": {"x": True}}, "warning"),
    (BY_FACT, {"band": None, "speaker": "user"}, "warning"),
]


@pytest.mark.parametrize(("severity", "known", "expected"), CASES, ids=str)
def test_the_first_line_that_fits_wins(severity: Any, known: dict[str, Any], expected: str | None) -> None:
    found = misses(rule({"never": None}, severity=severity), [content(**known)])
    assert [miss.severity for miss in found] == ([expected] if expected else [])


@pytest.mark.parametrize(("at", "expected"), [("2026-02-28", "warning"), ("2026-03-01", "error"), (None, "error")])
def test_a_line_may_hold_from_a_day_on(at: str | None, expected: str) -> None:
    severity = [{"since": "2026-03-01", "is": "error"}, {"is": "warning"}]
    time = datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() if at else None
    (miss,) = ruleset(rule({"never": None}, severity=severity)).judge(content(), time)
    assert miss.severity == expected


def test_words_of_other_people_do_not_fill_the_memory() -> None:
    severities = Severities("content", BY_BAND, models())
    for number in range(3000):
        severities.of(content(version=f"v{number}"), None)
    assert len([*severities._cache]) <= 1001
