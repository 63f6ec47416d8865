"""Findings that are only counted are not kept, however many; those that are given know how often they were recited."""

from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import judged_by
from tests.memo.test_all_models import URLS, exchange
from wirecheck.rules import Ruleset, load
from wirecheck.verdicts import deduplication

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


@pytest.mark.parametrize("memo", [True, False])
def test_what_is_only_counted_is_not_kept(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, memo: bool
) -> None:
    path = tmp_path / "log.jsonl"
    log(path)
    monkeypatch.setattr(deduplication, "MANY", 8)
    inspector, (finding,) = judged_by(rules, path, memo=memo)
    assert inspector.counted["info"] == GREETED
    assert len(inspector._deduplication.all) <= 3 * deduplication.MANY
    assert (finding.rule, finding.repeated) == ("function-role", GREETED // 10 - 1)
