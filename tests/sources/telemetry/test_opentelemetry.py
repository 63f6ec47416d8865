"""Traces of OpenTelemetry: whatever a call is told in, and by whom, the same is found, at its place."""

from pathlib import Path

import pytest

from tests.sources.agents.judged import judge
from tests.sources.telemetry.traces import (
    BROKEN,
    DIALECTS,
    EXPORTERS,
    FIRST,
    LOST_ID,
    SOUND,
)

COUNT, LOST = "function-response-count-mismatch", "transcript-missing-function-response"
FOREIGN = "function-response-id-mismatch"
SAMPLES = {
    f"OpenTelemetry, {exporter}, {dialect}": EXPORTERS[exporter](SOUND, DIALECTS[dialect]).encode()
    for exporter in EXPORTERS
    for dialect in DIALECTS
}


def rules(found: list[str]) -> list[str]:
    return [each.partition(":")[0] for each in found]


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_it_is_told_in(dialect: str, exporter: str, tmp_path: Path) -> None:
    """Sound; with one response too few, which the server refused; never answered; with an id that is no call's."""
    path = tmp_path / "spans.log"
    told = {}
    for name, turns in (("sound", SOUND), ("broken", BROKEN), ("open", (FIRST,)), ("lost", (FIRST, LOST_ID))):
        path.write_text(EXPORTERS[exporter](turns, DIALECTS[dialect]), encoding="utf-8")
        told[name] = rules(judge(path))
    # Neither call of the last one was answered by its id: of one of them that is told.
    assert told == {"sound": [], "broken": [COUNT], "open": [LOST, LOST], "lost": [FOREIGN]}
