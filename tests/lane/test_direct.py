"""What is taken in directly leaves the same behind: the same conversations, found by the same numbers."""

import json
import re
from array import array
from collections.abc import Callable
from itertools import chain, islice
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from tests.lane.test_lane import MILD, changed, in_lines, in_records, in_texts, rules
from wirecheck.inspector import Inspector
from wirecheck.lane import forms, native
from wirecheck.lane.lane import Lane
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.prefixes import SHORT
from wirecheck.lane.shelf import KeptReply
from wirecheck.once import Several
from wirecheck.rules import Ruleset
from wirecheck.sources.records import records
from wirecheck.talk import threads
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.reply import Reply
from wirecheck.talk.shared import Shared

__all__ = ["rules"]
STRETCH = 50  # exchanges
FIRST = re.compile(rb'"contents": ?\[.*?"text": ?"')
PREAMBLE = b"You work in a repository. " * (SHORT // 20)
compiled = pytest.mark.skipif(isinstance(native.Direct(), native.Indirect), reason="nothing could be compiled")


class Dump:
    """All that is held, as what can be compared. Conversations by their names."""

    def __init__(self) -> None:
        self.conversations: dict[str, Any] = {}

    def of(self, one: Any) -> Any:
        if isinstance(one, Conversation):
            if one.name not in self.conversations:
                self.conversations[one.name] = None
                self.conversations[one.name] = self._fields(one, one.__struct_fields__)
            return "conversation", one.name
        if isinstance(one, KeptReply):
            return self._fields(one, (*KeptReply.__slots__, "failed", "many", "doubtful", "finish", "speaks"))
        if isinstance(one, Reply):
            return self._fields(one, Reply.__slots__)
        if isinstance(one, native.Reply):
            return one.told.form, one.told.named
        if isinstance(one, Several):  # the rest is worked out from these
            return self.of(one.all)
        if isinstance(one, dict):
            return [(self.of(key), self.of(value)) for key, value in one.items()]
        if isinstance(one, list | tuple | array | Shared):
            return [self.of(each) for each in one]
        if hasattr(one, "__struct_fields__"):
            return type(one).__name__, self._fields(one, one.__struct_fields__)
        if hasattr(one, "hexdigest"):
            return one.hexdigest()
        if callable(one):
            return getattr(one, "__name__", "")
        slots = [name for base in type(one).__mro__ for name in getattr(base, "__slots__", ())]
        names = sorted({*slots, *getattr(one, "__dict__", ())})
        return self._fields(one, names) if names else one

    def _fields(self, one: Any, names: Any) -> Any:
        return [(name, self.of(getattr(one, name))) for name in names]


class Telling(native.Indirect):
    """Says what contents tell, and takes in nothing."""

    def __init__(self, direct: native.Direct) -> None:
        self.given, self.tell, self.seam, self.words = direct.given, direct.tell, direct.seam, direct.words  # type: ignore[method-assign,assignment]


class Judging:
    """One inspector, and what it holds."""

    def __init__(self, rules: Ruleset, *, direct: bool) -> None:
        self.inspector = Inspector(rules, pictures=False, counted=MILD)
        assert self.inspector._quick is not None
        self.lane = self.inspector._quick._lane
        self.lane.directly = 0
        if not direct:
            self.lane._direct = Telling(self.lane._direct)  # type: ignore[assignment]
        self.findings: list[Any] = []

    def judge(self, path: str, log: list[bytes], first: int) -> None:
        for record in records(iter([(first, [*log])]), path, None, self.inspector.passed):
            self.findings += self.inspector.feed(record)

    def held(self) -> Any:
        dump, talk, once = Dump(), self.inspector._talk, self.inspector._once
        lane: Lane = self.lane
        told = [dump.of(one) for one in talk.memories.values()]
        told.append([*talk.toolboxes.held])
        told += [dump.of(one) for one in (lane._prefixes, lane._shelf, once.all, self.inspector.counted)]
        return told, talk.exchanges, dump.conversations


def with_preamble(line: bytes) -> list[bytes]:
    """All conversations begin alike, at length: what an agent is told first stands before what is asked."""
    return [FIRST.sub(lambda first: first[0] + PREAMBLE, line, count=1)]


Write = Callable[[bytes], list[bytes]]


def log(name: str, seed: int, write: Write) -> list[list[bytes]]:
    """Some exchanges are sent again, some are changed."""
    rng, some = Random(seed), list[list[bytes]]()
    for line in islice(lines(name, 0.004, seed=seed), 150):
        some += [write(line)] * rng.choice((1, 1, 1, 1, 1, 1, 1, 2))
        if rng.random() < 0.01:
            some.append(write(json.dumps(changed(rng, json.loads(line))).encode() + b"\n"))
    return some


@compiled
def test_without_what_it_works_with_it_does_nothing() -> None:
    one = native.Direct()
    with pytest.raises(ValueError, match="was not given"):
        one.run([b'{"request":' + b" " * 5000], 0, "log.jsonl", 1, True)


@compiled
@pytest.mark.parametrize("write", [in_lines, in_texts, in_records, with_preamble])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["small", "10", "long", "window"])
def test_the_same_is_held_however_a_line_was_taken_in(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch, name: str, seed: int, write: Write
) -> None:
    rng = Random(seed)
    monkeypatch.setattr(forms, "_numbers", Learnt(forms.MOST))  # with room: what is forgotten is read the long way
    monkeypatch.setattr(threads, "TAILS", (rng.choice((3000, 10**6)), rng.choice((0, 600))))
    monkeypatch.setattr(threads, "REPLIES", (rng.choice((3000, 10**6)), rng.choice((0, 1500))))
    monkeypatch.setattr(threads, "CALLS", (rng.choice((20, 10**6)), rng.choice((0, 4))))
    monkeypatch.setattr(threads.Threads.__init__, "__defaults__", (0, rng.choice((10, 2048))))
    one, other = both = Judging(rules, direct=True), Judging(rules, direct=False)
    before = [*chain.from_iterable(map(write, islice(lines(name, 0.01, seed=99), 400)))]
    for each in both:  # most forms are learnt from a log before
        each.judge("before.jsonl", before, 1)
    some, number, learnt = log(name, seed, write), 1, one.lane.directly
    for n in range(0, len(some), STRETCH):
        stretch = [*chain.from_iterable(some[n : n + STRETCH])]
        for each in both:
            each.judge("log.jsonl", stretch, number)
        assert one.held() == other.held()
        number += len(stretch)
    assert one.findings == other.findings
    assert other.lane.directly == 0
    assert name == "window" or one.lane.directly > learnt + 30
