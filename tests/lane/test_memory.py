"""What the quick lane remembers stays small, whatever a log holds: entries are counted, weighed by their pieces."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from tests.lane.test_clients import line
from tests.lane.test_lane import agree
from wirecheck.inspector import Inspector
from wirecheck.lane import around, cuts, forms, judged, replies, shelf
from wirecheck.lane import contents as known
from wirecheck.lane.learnt import Learnt
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader

Line = dict[str, Any]
SIGNED = "c2lnbmVkIGJ5IHNvbWVib2R5"
KINDS: tuple[Line, ...] = ({"text": "So."}, {"text": ""}, {"text": "So.", "thoughtSignature": SIGNED})
LITTLE = 64
HELLO, SO = {"role": "user", "parts": [{"text": "Hello."}]}, {"role": "model", "parts": [{"text": "So."}]}
URL = "https://generativelanguage.googleapis.com/v1beta/models/{}:generateContent"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def ever_new() -> Iterator[list[Line]]:
    """Parts, in an order that was not there before."""
    return map(list, product(KINDS, repeat=6))


def contents(n: int, parts: list[Line]) -> bytes:
    return line([{"role": "user", "parts": [{"text": f"{n}"}, *parts]}], SO)


def streams(n: int, parts: list[Line]) -> bytes:
    chunks = [{"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return line([{"role": "user", "parts": [{"text": f"{n}"}]}], (200, chunks))


def instructions(n: int, parts: list[Line]) -> bytes:
    return line([HELLO], SO, systemInstruction={"parts": parts})


def urls(n: int, parts: list[Line]) -> bytes:
    return line([HELLO], SO, URL.format(f"gemini-2.5-flash-{n}"))


def names(n: int, parts: list[Line]) -> bytes:
    name = f"find_{n}"
    made, answered = {"functionCall": {"name": name, "args": {}}}, {"functionResponse": {"name": name, "response": {}}}
    history = [HELLO, {"role": "model", "parts": [made]}, {"role": "user", "parts": [answered]}]
    return line(history, SO, tools=[{"functionDeclarations": [{"name": name, "description": "Finds."}]}])


LOGS: tuple[Callable[[int, list[Line]], bytes], ...] = (contents, streams, instructions, urls, names)
LIMITS = (
    (known, "MOST"),
    (replies, "MOST"),
    (around, "FEW"),
    (cuts, "FEW"),
    (around, "MANY"),
    (cuts, "MANY"),
    (judged, "MOST"),
)


def judged_by(rules: Ruleset, path: Path) -> Inspector:
    inspector = Inspector(rules)
    for record in Reader([str(path)], passed=inspector.passed):
        inspector.feed(record)
    return inspector


def reached(start: object) -> Iterator[Any]:
    """Everything that is held."""
    seen, todo = {id(start)}, [start]
    while todo:
        yield (one := todo.pop())
        if isinstance(one, type) or type(one).__name__ in ("module", "function"):
            continue
        fields = getattr(type(one), "__struct_fields__", ())  # of some the collector does not know what they hold
        for each in [*gc.get_referents(one), *[getattr(one, name) for name in fields]]:
            if id(each) not in seen:
                seen.add(id(each))
                todo.append(each)


@pytest.mark.parametrize("log", LOGS)
def test_what_is_learnt_has_room_whatever_comes(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Callable[[int, list[Line]], bytes]
) -> None:
    for module, limit in LIMITS:
        monkeypatch.setattr(module, limit, LITTLE)
    monkeypatch.setattr(cuts, "ROOM", LITTLE * 100)
    monkeypatch.setattr(forms, "_numbers", Learnt(LITTLE))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log(n, parts) for n, parts in enumerate(islice(ever_new(), 400))))
    agree(rules, path)
    inspector = judged_by(rules, path)
    held = list(reached(inspector._quick))
    learnt = [one for one in held if type(one) is Learnt]
    assert len(learnt) == 13
    assert max(one.weight / one.most for one in [*learnt, forms._numbers]) < 2
    kinds = Counter(type(one).__name__ for one in held)
    assert kinds["Content"] < 2 * LITTLE
    assert kinds["Lead"] < 4 * LITTLE


def test_what_weighs_too_much_is_forgotten_at_once() -> None:
    learnt: Learnt[int, int] = Learnt(10)
    for n in range(100):
        learnt.add(n, n, 4)
        assert learnt.get(n) == n
        assert learnt.weight <= 16
    assert [n for n in range(100) if learnt.get(n) is not None] == [99]


LONG_NAMES: dict[str, Callable[[str], bytes]] = {
    "a function": lambda name: line([HELLO, {"role": "model", "parts": [{"functionCall": {"name": name}}]}], SO),
    "a kind of data": lambda name: line(
        [{"role": "user", "parts": [{"inlineData": {"mimeType": f"image/{name}", "data": "aGk="}}]}], SO
    ),
    "why a reply ends": lambda name: line([HELLO], {"candidates": [{"content": SO, "finishReason": name}]}),
    "a model": lambda name: line([HELLO], SO, URL.format(name * 10)),
}


@pytest.mark.parametrize("what", LONG_NAMES)
def test_a_line_with_a_name_without_end_is_not_usual(rules: Ruleset, tmp_path: Path, what: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join([LONG_NAMES[what]("x" * 250)] * 4))
    assert agree(rules, path) == 0


def test_replies_are_kept_as_they_were_written_while_there_is_room(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each conversation goes on when its reply is long gone: with a call as it was made, and with one made up."""
    monkeypatch.setattr(shelf, "ROOM", 8000)
    monkeypatch.setattr(shelf, "LIGHT", 0)
    asked = [{"role": "user", "parts": [{"text": f"Find it {n}."}]} for n in range(80)]
    calls = [{"role": "model", "parts": [{"functionCall": {"name": "find", "args": {"n": n}}}]} for n in range(80)]
    answer = {"role": "user", "parts": [{"functionResponse": {"name": "find", "response": {"output": 1}}}]}
    tools = [{"functionDeclarations": [{"name": "find", "description": "Finds."}]}]
    lines = [line([one], call, tools=tools) for one, call in zip(asked, calls, strict=True)]
    lines += [line([one, calls[n // 2 * 2], answer], SO, tools=tools) for n, one in enumerate(asked[:16])]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    agree(rules, path)
    replied = [one for one in reached(judged_by(rules, path)._talk) if type(one) is shelf.KeptReply]
    assert len(replied) > 60
    assert sum(one.room() for one in replied) <= 8000
