"""Findings that are only counted are not kept, however many; those that are given know how often they were recited."""

from pathlib import Path
from typing import Any

import pytest

from tests.lane.test_lane import MILD
from tests.lane.test_wider import URLS, exchange
from wirecheck import once
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.library import repeated
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader

GREETED = 200  # conversations that begin with the model: a note


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(select=["first-content-model", "function-role"])


def log(path: Path) -> None:
    """Beside those one more, with a mistake that it recites."""
    said, written = list[Any](), list[bytes]()
    said.append({"role": "function", "parts": [{"text": "What is it?"}]})
    for n in range(GREETED):
        greeted = [{"role": "model", "parts": [{"text": f"Hello {n}."}]}, {"role": "user", "parts": [{"text": "Hi."}]}]
        written.append(exchange(URLS[0], {"contents": greeted}, n))
        if n % 10 == 0:
            written.append(exchange(URLS[0], {"contents": said}, n))
            said.append({"role": "model", "parts": [{"text": f"So {n}."}]})
            said.append({"role": "user", "parts": [{"text": f"And {n}?"}]})
    path.write_bytes(b"".join(written))


def judged(rules: Ruleset, path: Path, *, quick: bool) -> tuple[Inspector, list[Finding]]:
    inspector = Inspector(rules, recognise=quick, counted=MILD)
    reader = Reader([str(path)], passed=inspector.passed)
    return inspector, repeated(inspector, [finding for record in reader for finding in inspector.feed(record)])


@pytest.mark.parametrize("quick", [True, False])
def test_what_is_only_counted_is_not_kept(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, quick: bool
) -> None:
    path = tmp_path / "log.jsonl"
    log(path)
    monkeypatch.setattr(once, "MANY", 8)
    inspector, (finding,) = judged(rules, path, quick=quick)
    assert inspector.counted["info"] == GREETED
    assert len(inspector._once.all) <= 3 * once.MANY
    assert (finding.rule, finding.repeated) == ("function-role", GREETED // 10 - 1)
