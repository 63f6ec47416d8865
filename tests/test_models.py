"""Names of models and hosts, and what they belong to."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from wirecheck.data.shipped import models
from wirecheck.talk.fields.limited_settings import beyond

MODELS = models()

HTTP = {
    "gemini-pro": "gemini-1",
    "gemini-1.5-flash-8b": "gemini-1",
    "gemini-1.5-flash-latest": "gemini-1",
    "gemini-2.0-flash": "gemini-2",
    "models/gemini-2.5-pro": "gemini-2",
    "publishers/google/models/gemini-2.5-flash": "gemini-2",
    "projects/p/locations/global/publishers/google/models/gemini-2.5-flash": "gemini-2",
    "google/gemini-2.5-flash": "gemini-2",
    "Gemini-2.5-Flash": "gemini-2",
    "gemini-live-2.5-flash": "gemini-2",
    "gemini-exp-1206": "gemini-2",
    "custom-gemini-2.0-flash": "gemini-2",
    "gemma-3-27b-it": "gemini-2",
    "learnlm-2.0-flash-experimental": "gemini-2",
    "gemini-3-pro-preview": "gemini-3",
    "gemini-3.1-pro-preview-customtools": "gemini-3",
    "gemini-3.5-flash": "gemini-3.5",
    "gemini-3.5-flash-lite": "gemini-3.6",
    "gemini-3.6-flash": "gemini-3.6",
    "gemini-3.8-flash": "gemini-3.6",
    "gemini-4-ultra": "gemini-3.6",
    "there-is-no-such-model": None,
    "nano-banana-pro-preview": None,
    "gemini-robotics-er-1.5-preview": "gemini-2",
    "gemini-robotics-er-1.6-preview": None,
    "tunedModels/mine": None,
    "gemini-flash-latest": None,
    "gemini-pro-latest": None,
    "models/gemini-flash-lite-latest": None,
    "projects/p/locations/l/endpoints/123456": None,
    None: None,
}

LIVE = {
    "models/gemini-2.0-flash-live-001": "live-2.0",
    "gemini-2.0-flash-live-preview-04-09": "live-2.0",
    "gemini-live-2.5-flash-preview": "live-2.5",
    "gemini-live-2.5-flash-native-audio": "live-2.5",
    "gemini-2.5-flash-native-audio-latest": "live-2.5",
    "gemini-3.1-flash-live-preview": "live-3.1",
    "gemini-3.5-live-translate-preview": "live-3.1",
    "gemini-3.8-live": "live-3.8",
    "gemini-3.8-live-extended-thinking": "live-3.8",
    "gemini-5-live": "live-3.8",
}

HOSTS = {
    "generativelanguage.googleapis.com": "gemini-api",
    "generativelanguage.googleapis.com:443": "gemini-api",
    "aiplatform.googleapis.com": "vertex",
    "us-central1-aiplatform.googleapis.com": "vertex",
    "Europe-West4-AIPlatform.googleapis.com": "vertex",
    "aiplatform.eu.rep.googleapis.com": "vertex",
    "cloudcode-pa.googleapis.com": "code-assist",
    "daily-cloudcode-pa.sandbox.googleapis.com": "code-assist",
    "firebasevertexai.googleapis.com": "firebase",
    "generativelanguage.googleapis.com.evil.test": "unknown",
    "localhost": "unknown",
    "": "unknown",
}


@pytest.mark.parametrize(("name", "band"), HTTP.items())
def test_band_over_http(name: str | None, band: str | None) -> None:
    assert MODELS.band(name, "generate-content") == band


@pytest.mark.parametrize(("name", "band"), LIVE.items())
def test_band_over_live(name: str, band: str) -> None:
    assert MODELS.band(name, "live") == band


@pytest.mark.parametrize(("host", "surface"), HOSTS.items())
def test_surface_of_a_host(host: str, surface: str) -> None:
    assert MODELS.surface(host) == surface


LIMITS: dict[str, list[tuple[str, object, bool]]] = {
    "models/gemini-3.8-live-extended-thinking": [
        ("tools.*.functionDeclarations.*.behavior", "BLOCKING", True),
        ("tools.*.functionDeclarations.*.behavior", "NON_BLOCKING", False),
        ("generationConfig.thinkingConfig.thinkingLevel", "medium", False),
        ("generationConfig.thinkingConfig.thinkingLevel", "MINIMAL", True),
        ("generationConfig.thinkingConfig.thinkingLevel", 1, False),  # the number of a word
        ("generationConfig.thinkingConfig.thinkingBudget", 0, True),
        ("generationConfig.thinkingConfig", {}, False),
    ],
    "gemini-3.8-live": [
        ("tools.*.functionDeclarations.*.behavior", "BLOCKING", False),
        ("generationConfig.thinkingConfig", {}, True),
        ("generationConfig.thinkingConfig", None, False),
        ("proactivity.proactiveAudio", False, True),
        ("proactivity.proactiveAudio", 0, False),
    ],
    "projects/p/locations/l/publishers/google/models/gemini-3.1-flash-live-preview": [
        ("generationConfig.thinkingConfig.thinkingBudget", 1024, True),
        ("generationConfig.thinkingConfig.thinkingLevel", "LOW", False),
    ],
    "gemini-3.5-live-translate-preview": [("generationConfig.thinkingConfig.thinkingBudget", 1024, False)],
    "gemini-2.5-flash-native-audio-latest": [("generationConfig.thinkingConfig.thinkingBudget", 0, False)],
    "tunedModels/mine": [("generationConfig.thinkingConfig.thinkingBudget", 0, False)],
}


def setup(path: str, value: object) -> dict[str, object]:
    """A frame with one setting."""
    for step in reversed(path.split(".")):
        value = [value] if step == "*" else {step: value}
    return {"setup": value}


@pytest.mark.parametrize(("name", "rows"), LIMITS.items())
def test_what_a_setup_may_not_have(name: str, rows: list[tuple[str, object, bool]]) -> None:
    limits = MODELS.limits(name, "gemini-api", None, live=True)
    for path, value, refused in rows:
        assert bool(list(beyond(setup(path, value), limits))) is refused, (path, value)


def test_a_setup_without_a_model_has_no_limits() -> None:
    assert MODELS.limits(None, "gemini-api", None, live=True).rows == ()


def test_every_band_is_the_band_of_some_model() -> None:
    assert {band for band in (HTTP | LIVE).values() if band} == set(MODELS.bands)


LIMITED = yaml.safe_load((Path(__file__).parent.parent / "rules" / "models.yaml").read_text("utf-8"))["limits"]


@pytest.mark.parametrize("path", LIMITED)
def test_a_row_of_the_limits_says_for_whom_since_when_and_what(path: str) -> None:
    for row in LIMITED[path]:
        assert set(row) <= {"names", "band", "surfaces", "since", "min", "max", "also", "refuses", "takes"}
        assert set(row.get("surfaces", ())) <= set(MODELS.surfaces)
        assert "since" not in row or date.fromisoformat(row["since"])


LATER = {"gemini-3.6-flash": (1_789_516_800.0, (0,), ())}


@pytest.mark.parametrize("name", LATER)
def test_a_limit_ends_on_its_day(name: str) -> None:
    """2026-09-16 in UTC; a log without times is of today."""
    day, before, since = LATER[name]

    def refused(at: float | None) -> tuple[object, ...]:
        (row,) = [row for row in MODELS.limits(name, "gemini-api", at).rows if row.path[-1] == "thinkingBudget"]
        return row.refuses

    assert [refused(day - 1), refused(day), refused(None)] == [before, since, since]
    assert refused(1.5) == since, "seconds since the log began"


def test_models_with_equal_limits_share_them() -> None:
    one, other = (MODELS.limits(name, "gemini-api", None) for name in ("gemini-3.7-flash", "google/gemini-3.8-flash"))
    assert one is other
    assert one is not MODELS.limits("gemini-2.5-pro", "gemini-api", None)
    assert MODELS.limits("tunedModels/gemini-2.5-pro", "x", None) is MODELS.limits(None, "x", None)
