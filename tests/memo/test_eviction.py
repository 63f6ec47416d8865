"""What talk remembers stays small, whatever single lines hold, and what is forgotten changes no finding."""

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from bench.logs import lines
from tests.memo.agree import agree, judged_by
from tests.memo.test_clients import line
from tests.memo.test_histories import changed
from wirecheck.rules import Ruleset, load
from wirecheck.talk.http import prefixes, threads
from wirecheck.talk.recital import signature_cache

Content = dict[str, Any]
SO: Content = {"role": "model", "parts": [{"text": "So."}]}
NAMES = ("add", "find", "send")
TOOLS = [{"functionDeclarations": [{"name": name, "description": "Does it."} for name in NAMES]}]
LONG = "word " * 400
CALLS = 40  # in one content
ROOM = 1 << 16


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def user(text: str) -> Content:
    return {"role": "user", "parts": [{"text": text}]}


def calls(rng: Random, names: tuple[str, ...] = NAMES, *, ids: bool = True, long: str = "") -> Content:
    made = [{"name": rng.choice(names), "args": {"n": rng.random(), "long": long}} for _ in range(CALLS)]
    named = [{**each, **({"id": f"{rng.random()}"} if ids else {})} for each in made]
    return {"role": "model", "parts": [{"functionCall": each} for each in named]}


def answered(made: Content) -> Content:
    halves = [
        {key: part["functionCall"][key] for key in ("name", "id") if key in part["functionCall"]}
        for part in made["parts"]
    ]
    return {"role": "user", "parts": [{"functionResponse": {**half, "response": {"output": 1}}} for half in halves]}


def turns(rng: Random, made: Callable[[], Content]) -> Iterator[bytes]:
    """Conversations in which the model calls so often in each turn."""
    for n in range(16):
        history = [user(f"Question {n}.")]
        for _ in range(4):
            said = made()
            yield line(history, said, tools=TOOLS)
            history = [*history, said, answered(said)]


def parallel(rng: Random) -> Iterator[bytes]:
    return turns(rng, lambda: calls(rng))


def parallel_without_ids(rng: Random) -> Iterator[bytes]:
    return turns(rng, lambda: calls(rng, ids=False))


def long_arguments(rng: Random) -> Iterator[bytes]:
    return turns(rng, lambda: calls(rng, NAMES[:1], long=LONG))


def new_names(rng: Random) -> Iterator[bytes]:
    for n in range(60):
        said = calls(rng, tuple(f"do_{n}_{m}" for m in range(CALLS)))
        yield line([user(f"Question {n}."), said, answered(said)], SO)


def signed_parts(rng: Random) -> Iterator[bytes]:
    for n in range(60):
        parts = [{"text": f"{m}", "thoughtSignature": f"{rng.randrange(10**8):08}"} for m in range(3 * CALLS)]
        yield line([user(f"Question {n}.")], {"role": "model", "parts": parts})


def long_words(rng: Random) -> Iterator[bytes]:
    for n in range(300):
        yield line([user(f"Question {n}: {LONG}")], {"role": "model", "parts": [{"text": LONG}]})


def long_histories(rng: Random) -> Iterator[bytes]:
    for n in range(80):
        history = [[user(f"{n} {m}"), SO][m % 2] for m in range(101)]
        yield line(history, SO)


LOGS = (parallel, parallel_without_ids, long_arguments, new_names, signed_parts, long_words, long_histories)
# What may be held of each kind, where there is so little room.
HELD = {"OpenCall": 400, "GivenAnswer": 400, "Call": 1200, "SignedPart": 1200, "Spot": 4000, "CalledFunction": 1200}


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
def test_what_is_remembered_has_room_whatever_a_line_holds(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Callable[[Random], Iterator[bytes]]
) -> None:
    monkeypatch.setattr(prefixes, "STATES", ROOM)
    for name, size in (("TAILS", ROOM), ("HEAVY_TAIL", 500), ("REPLIES", ROOM), ("HEAVY_REPLY", 2000), ("CALLS", 200)):
        monkeypatch.setattr(threads, name, size)
    monkeypatch.setattr(threads, "LONG", 1)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log(Random(1))))
    agree(rules, path)
    inspector, _ = judged_by(rules, path, memo=True)
    held = list(reached(inspector._talk))
    kinds = Counter(type(one).__name__ for one in held)
    assert {kind: kinds[kind] for kind, most in HELD.items() if kinds[kind] > most} == {}
    assert sum(len(one) for one in held if type(one) is bytes) < 4 * ROOM
    assert sum(len(one.last.hashes) for one in held if type(one).__name__ == "Conversation") < 5000


def a_function_called_again(rng: Random) -> Iterator[bytes]:
    """Its first call is cut away where the second is answered; at last nothing declares it."""
    both, other = ([{"functionDeclarations": TOOLS[0]["functionDeclarations"][n:]}] for n in (0, 1))
    for n in range(3):
        made = calls(rng, ("add",))
        talk = [user(f"One {n}."), made, answered(made), SO, user(f"Two {n}."), SO]
        yield line([user(f"Other {n}.")], SO, tools=other)
        yield from [line(talk[:end], talk[end], tools=both) for end in (1, 3, 5)]
    first, again = calls(rng, ("add",)), calls(rng, ("add",))
    more, then, last = (user(f"Then {n}.") for n in range(3))
    history = [user("Begin."), first, answered(first), SO, more, SO, then, again, answered(again), SO, last, SO]
    for begin, end in ((0, 1), (0, 3), (0, 5), (0, 7), (4, 9)):
        yield line(history[begin:end], history[end], tools=both)
    yield line(history[4:11], SO, tools=other)


def a_reply_of_signatures(rng: Random) -> Iterator[bytes]:
    """It says nothing else, and is not recited."""
    yield line([user("Another.")], SO)
    signed = {"thought": True, "text": "Hm.", "thoughtSignature": "c2lnbmVkCeDGCFgc"}
    yield line([user("Hello.")], {"role": "model", "parts": [signed, {"text": ""}]})
    yield line([user("Hello."), {"role": "model", "parts": [{"text": ""}]}, user("Well?")], SO)


@pytest.mark.parametrize(
    ("log", "held", "name", "room"),
    [(a_function_called_again, prefixes, "STATES", 10), (a_reply_of_signatures, threads, "REPLIES", 10)],
)
def test_what_is_forgotten_at_once_changes_no_finding(
    rules: Ruleset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    log: Callable[[Random], Iterator[bytes]],
    held: ModuleType,
    name: str,
    room: int,
) -> None:
    monkeypatch.setattr(held, name, room)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log(Random(1))))
    agree(rules, path)


def squeezed(rng: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then there is hardly room for anything."""
    monkeypatch.setattr(prefixes, "STATES", rng.choice((10, 5000, 10**6)))
    monkeypatch.setattr(prefixes, "HEAVY", rng.choice((0, 600)))
    monkeypatch.setattr(threads, "TAILS", rng.choice((100, 3000, 10**6)))
    monkeypatch.setattr(threads, "HEAVY_TAIL", 0)
    monkeypatch.setattr(threads, "REPLIES", rng.choice((1, 3000, 30_000)))
    monkeypatch.setattr(threads, "HEAVY_REPLY", rng.choice((0, 1500)))
    monkeypatch.setattr(threads, "CALLS", rng.choice((1, 5, 40)))
    monkeypatch.setattr(threads, "LONG", rng.choice((4, 512)))
    monkeypatch.setattr(prefixes.PrefixCache.__init__, "__defaults__", (rng.choice((6, 80, 16_384)),))
    monkeypatch.setattr(threads.Threads.__init__, "__defaults__", (0, rng.choice((6, 20, 4096))))
    monkeypatch.setattr(signature_cache.SignatureCache.__init__, "__defaults__", (rng.choice((6, 20, 4096)),))


def with_others_between(rng: Random, log: list[bytes]) -> list[bytes]:
    """Some of it comes late: conversations wait."""
    late = [rng.random() < 0.2 for _ in log]
    return [one for when in (False, True) for one, waits in zip(log, late, strict=True) if waits is when]


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.parametrize("name", ["small", "10", "long"])
def test_what_is_forgotten_changes_no_finding(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    rng, path, log = Random(seed), tmp_path / "log.jsonl", list[bytes]()
    squeezed(rng, monkeypatch)
    for made in islice(lines(name, 0.001, seed=seed, mistakes=seed % 4), 70 if name == "long" else 100):
        exchange = json.loads(made)
        log.append(json.dumps(changed(rng, exchange) if rng.random() < 0.1 else exchange).encode() + b"\n")
    path.write_bytes(b"".join(with_others_between(rng, log)))
    agree(rules, path)
