"""A mistake is told once, however often and wherever it is recited; what is only counted is not kept."""

from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import judged_by
from tests.memo.test_all_models import URLS, exchange
from tests.stories import conversations
from tests.stories.conversations import call, model, reply, user
from wirecheck.api import repeated
from wirecheck.inspector import Inspector
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


def wrong(text: str) -> Any:
    return {"role": "function", "parts": [{"text": text}]}


A, B, OK, SO = wrong("a"), wrong("b"), user("ok"), model("so")
TWO = model(call("find"), call("find"))
# The contents of each request; of each finding its line, its content, and how often it was recited since.
TOLD: dict[str, tuple[list[list[Any]], list[tuple[int, str, int]]]] = {
    "once": ([[A]], [(1, "/0", 0)]),
    "recited": ([[A], [A, SO, OK], [A, SO, OK, SO, OK]], [(1, "/0", 2)]),
    "sent again": ([[A], [A], [A]], [(1, "/0", 2)]),
    "another beside it": ([[A, SO, OK], [A, SO, OK, SO, B]], [(1, "/0", 1), (2, "/4", 0)]),
    "the same words once more": ([[A, SO, OK], [A, SO, OK, SO, A]], [(1, "/0", 1), (2, "/4", 0)]),
    "twice in one request": ([[A, SO, A], [A, SO, A, SO, OK]], [(1, "/0", 1), (1, "/2", 1)]),
    "written anew": ([[OK, SO, A], [OK, SO, B, SO, OK]], [(1, "/2", 1)]),
    "moved, as by a window": ([[OK, SO, OK, SO, A], [OK, SO, A]], [(1, "/4", 1)]),
    "put right": ([[A, SO, OK], [OK, SO, OK]], [(1, "/0", 0)]),
    "put right and wrong again": ([[OK, SO, A], [OK, SO, OK], [OK, SO, A]], [(1, "/2", 1)]),
    "of a conversation of its own": ([[A, SO, OK], [B, SO, user("no")]], [(1, "/0", 0), (2, "/0", 0)]),
    "a branch": ([[A, SO, OK], [A, SO, OK, SO, B], [A, SO, OK, SO, user("c")]], [(1, "/0", 2), (2, "/4", 0)]),
}


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize(("requests", "told"), TOLD.values(), ids=TOLD)
def test_a_mistake_is_told_once(requests: list[list[Any]], told: list[tuple[int, str, int]], memo: bool) -> None:
    inspector = Inspector(load(select=["function-role"]), memo=memo)
    lines = [conversations.exchange(n, contents, reply(model("so"))) for n, contents in enumerate(requests, 1)]
    findings = repeated(inspector, [each for line in lines for record in line for each in inspector.feed(record)])
    assert [
        (
            each.place.line,
            each.place.pointer.removeprefix("/request/body/contents").removesuffix("/role"),
            each.repeated,
        )
        for each in findings
    ] == told


@pytest.mark.parametrize("memo", [True, False])
def test_two_that_look_the_same_are_two(memo: bool) -> None:
    """Calls without an id, made at once: each is told once, and each is recited."""
    inspector = Inspector(load(select=["unanswered-function-call"]), memo=memo)
    begun = [user("go"), TWO, user("well?")]
    lines = [conversations.exchange(n, [*begun, *[SO, OK] * n], reply(model("so"))) for n in range(1, 4)]
    findings = repeated(inspector, [each for line in lines for record in line for each in inspector.feed(record)])
    assert [(each.place.line, each.place.pointer[-8:], each.repeated) for each in findings] == [
        (1, "/parts/0", 2),
        (1, "/parts/1", 2),
    ]


def test_two_mistakes_whose_fingerprints_collide_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirecheck.rules.engine.findings.fingerprint", lambda *_: "0000000000000000")
    path = tmp_path / "log.jsonl"
    one, two = ([user("?"), model(call(name)), user("Never mind.")] for name in ("one", "two"))
    histories = [one, [*two, model("So."), user("And?")]]  # the client changed which function was called
    path.write_bytes(b"".join([exchange(URLS[0], {"contents": contents}, n) for n, contents in enumerate(histories)]))
    _, found = judged_by(load(select=["unanswered-function-call"]), path, memo=True)
    assert [finding.call and finding.call.name for finding in found] == ["one", "two"]


@pytest.mark.parametrize("memo", [True, False])
def test_another_value_of_a_setting_is_another_mistake(tmp_path: Path, memo: bool) -> None:
    path = tmp_path / "log.jsonl"
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent"
    body = (
        '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],'
        '"generationConfig":{"thinkingConfig":{"thinkingBudget":%d}}}'
    )
    path.write_text("".join(f'{{"request":{{"url":"{url}","body":{body % budget}}}}}\n' for budget in (0, 52428, 0)))
    _, findings = judged_by(load(select=["thinking-budget"]), path, memo=memo)
    assert [(each.place.line, each.repeated) for each in findings] == [(1, 1), (2, 0)]
