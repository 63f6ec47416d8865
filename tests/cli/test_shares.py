"""One file judged in shares says what one process says, or is judged by one process."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from tests.cli.chatter import chatter
from tests.cli.logs import GOOD, Desk, content, exchange
from wirecheck.cli import runs, shares
from wirecheck.cli.inspect import inspect
from wirecheck.cli.inspected import Inspected
from wirecheck.cli.shares import one_is_faster
from wirecheck.inspector import Inspector
from wirecheck.lane import directly
from wirecheck.report import FORMATS
from wirecheck.rules import Ruleset, load
from wirecheck.sources.shares import Mixed
from wirecheck.talk.apart import Noted
from wirecheck.talk.memory import Memory
from wirecheck.talk.retelling import Signatures
from wirecheck.talk.threads import Threads

HI = content("user", "hi :)")
OK = content("model", "ok :)")


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@pytest.fixture(autouse=True)
def _nothing_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LARGE", 0)
    monkeypatch.setattr(shares, "LINES", 16)
    monkeypatch.setattr("wirecheck.sources.shares.LOOKS", 8)
    monkeypatch.setattr(shares, "one_is_faster", lambda *_: False)


@pytest.mark.skipif(isinstance(directly.direct(), directly.Indirect), reason="nothing could be compiled")
@pytest.mark.parametrize(
    ("name", "faster"), [("small", True), ("50", True), ("50.records", True), ("strings", True), ("live", False)]
)
def test_one_process_does_it_alone_where_most_lines_are_taken_in_directly(
    rules: Ruleset, tmp_path: Path, name: str, faster: bool
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(islice(lines(name, 0.02), 900)))
    log = shares.Log(str(path), path.stat().st_size, None)
    assert one_is_faster(Inspector(rules, counted=["info"]), log) is faster


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each file that was given to several processes, whether they could do it."""
    found: list[bool] = []
    in_shares = shares.in_shares

    def noted(*given: object) -> Inspected | None:
        came = in_shares(*given)  # type: ignore[arg-type]
        found.append(came is not None)
        return came

    monkeypatch.setattr(shares, "in_shares", noted)
    return found


def _same(path: Path, rules: Ruleset, *jobs: int) -> Inspected:
    one, *several = (inspect([str(path)], rules, jobs=number) for number in (1, *jobs))
    assert all(each == one for each in several)
    assert all(list(each.checked.unjudged) == list(one.checked.unjudged) for each in several)
    return one


@pytest.mark.parametrize("name", ["small", "10", "long", "strings", "window", "10.records", "small.records"])
def test_shares_say_what_the_whole_says(rules: Ruleset, tmp_path: Path, divided: list[bool], name: str) -> None:
    (path := tmp_path / "log").write_bytes(b"".join(islice(lines(name, 0.0006, mistakes=5), 400)))
    assert _same(path, rules, 2, 3).findings
    assert name == "window" or divided == [True, True]


@pytest.mark.parametrize("given", [*([f"--output-format={name}"] for name in FORMATS), ["--statistics"], ["--predict"]])
def test_the_same_is_written_in_every_format(desk: Desk, divided: list[bool], given: list[str]) -> None:
    log = [*islice(lines("10", 0.0006, mistakes=5), 200), b"no JSON\n", b"3\n", b'{"request":{"url":"x"}}\n']
    Random(1).shuffle(log)
    log.insert(0, GOOD.encode() + b"\n")
    (desk.folder / "log").write_bytes(b"".join(log) + b'{"request":')
    asked = ("lint", "log", "--isolated", "-v", "--min-severity", "info", *given, "--jobs")
    one, two = (desk.run(*asked, jobs) for jobs in "12")
    assert (two.exit_code, two.stdout, two.stderr) == (one.exit_code, one.stdout, one.stderr)
    assert one.stdout.count("\n") > 5
    assert divided == [True]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_conversations_have_to_do_with_each_other(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = Random(seed)
    if rng.random() < 0.5:  # little is kept, and what was long ago is let go
        monkeypatch.setattr(Threads.__init__, "__defaults__", (0, rng.choice((4, 10, 40))))
        monkeypatch.setattr(Memory.__init__, "__defaults__", (rng.choice((8, 64, 200)),))
        monkeypatch.setattr(Signatures.__init__, "__defaults__", (rng.choice((4, 16)),))
    monkeypatch.setattr("wirecheck.sources.shares.told_apart", lambda *_: True)
    log = b"".join(chatter(rng, rng.choice((40, 150)), rng.choice((50, 10**5, 10**9)), rng.choice((0, 0.01, 0.1))))
    (path := tmp_path / "log").write_bytes(log)
    _same(path, rules, rng.choice((2, 3)))


def _talk(words: str, *, begins: str = "", ends: str = "") -> Iterator[str]:
    """Conversations, each with its own words but for those given; at last one that forgot how it began."""
    for n in range(20):
        first, last = content("user", f"{begins}{n} {words}"), content("user", ends or f"more {n}")
        yield exchange(first)
        yield exchange(first, OK, last)


CROSS = {
    "own words": ([*_talk("x")], True),
    "the last words of another": ([*_talk("x", ends="go on"), exchange(HI, OK, content("user", "go on"))], False),
    "a trimmed front": ([*_talk("x"), *(exchange(OK, content("user", f"more {n}"), OK, HI) for n in range(9))], False),
    "bare bodies": ([*_talk("x"), json.dumps({"contents": [HI]}), json.dumps({"candidates": []})], False),
    "a body at last": ([*_talk("x"), json.dumps({"contents": [HI]})], False),
    "a frame": ([*_talk("x"), json.dumps({"channel": "1", "from": "client", "data": {"setup": {}}})], False),
    "a request under another key": ([*_talk("x"), json.dumps({"a": json.loads(GOOD)})], True),
    "what is no traffic": ([*_talk("x"), "[]", "3", '{"a": 1}', '{"a": 2}', "[]", "no JSON"], True),
}


@pytest.mark.parametrize("case", CROSS)
def test_where_conversations_cross_one_process_does_it(
    rules: Ruleset, desk: Desk, divided: list[bool], case: str
) -> None:
    log, apart = CROSS[case]
    path = desk.folder / desk.write("log", *log)
    _same(path, rules, 2, 3)
    assert divided == [apart, apart]


BAD = [exchange(content("nobody", "hi"))]
# What is heard again after a while, and where that is kept no longer.
LATER: dict[str, tuple[Any, tuple[int, ...], list[list[str]]]] = {
    "a conversation": (Threads, (0, 40), [[exchange(HI)], [exchange(HI, OK, content("user", "more"))]]),
    "a prefix": (Memory, (200,), [BAD, BAD]),
}


@pytest.mark.parametrize("between", [0, 4, 150])
@pytest.mark.parametrize("case", LATER)
def test_what_one_process_would_have_let_go(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, divided: list[bool], case: str, between: int
) -> None:
    memory, most, (before, after) = LATER[case]
    monkeypatch.setattr(memory.__init__, "__defaults__", most)
    others = [exchange(content("user", f"{n}")) for n in range(between)]
    path = desk.folder / desk.write("log", *_talk("x"), *before, *others, *after)
    _same(path, rules, 10)
    assert divided == [between < 150]


RECORD = (
    '{"v":1,"kind":"opened","channel":"%s","method":"POST","url":"%s","body":{"contents":[{"parts":[{"text":"%s"}]}]}}'
)
KINDS = ("generateContent", "countTokens", "embedContent", "batchEmbedContents")


def test_what_was_not_judged_is_counted_in_one_order(rules: Ruleset, desk: Desk, divided: list[bool]) -> None:
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:"
    log = [RECORD % (n, url + KINDS[n % 4], n % 11) for n in range(60)]
    one = _same(desk.folder / desk.write("log", *log), rules, 2, 3)
    assert one.checked.unjudged == {"batchEmbedContents": 15, "embedContent": 15}
    assert divided == [True, True]


def test_a_large_file_among_small_ones_is_divided(desk: Desk, divided: list[bool]) -> None:
    for name in ("a", "b", "c"):
        desk.write(name, *(_talk(name) if name == "b" else [GOOD]))
    one, two = (desk.run("lint", "a", "b", "c", "--output-format", "json", "--jobs", jobs) for jobs in "12")
    assert two.stdout == one.stdout
    assert divided == [True]


def _told(put: str = "", asked: str = "", *, anew: bool = False) -> Noted:
    noted = Noted(100, anew=anew)
    noted.put.extend(map(ord, put))
    noted.asked.extend(map(ord, asked))
    return noted


# What two shares tell of one memory, stretch by stretch, and whether one asks for what the other had.
TOLD = {
    "its own": ([(_told("a"), _told("b")), (_told(asked="a"), _told(asked="b"))], False),
    "of the other": ([(_told("a"), _told("b")), (_told(asked="b"), _told())], True),
    "at the same time": ([(_told(asked="b"), _told("b"))], True),
    "before it was there": ([(_told(asked="b"), _told()), (_told(), _told("b"))], False),
    "long after": ([(_told("a"), _told()), *[(_told("c"), _told("d"))] * 9, (_told(), _told(asked="a"))], True),
    "still there": ([(_told("a"), _told()), (_told("a", anew=True), _told()), (_told(), _told(asked="a"))], True),
    "let go": ([(_told("a"), _told()), (_told("c", anew=True), _told()), (_told(), _told(asked="a"))], False),
    "let go just now": ([(_told("a"), _told()), (_told("c", anew=True), _told(asked="a"))], True),
}


@pytest.mark.parametrize("case", TOLD)
def test_a_key_that_another_share_had_is_noticed(case: str) -> None:
    stretches, mixed = TOLD[case]
    memory = shares.Memory(2)
    with pytest.raises(Mixed) if mixed else nullcontext():
        for told in stretches:
            memory.compare(told)


def test_a_worker_that_is_killed_changes_nothing(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, divided: list[bool]
) -> None:
    judged = shares.Worker.judged

    def dying(self: shares.Worker) -> object:
        if self._share:
            os.kill(os.getpid(), signal.SIGKILL)
        return judged(self)

    monkeypatch.setattr(shares.Worker, "judged", dying)
    _same(desk.folder / desk.write("log", *_talk("x")), rules, 2)
    assert divided == [False]


def test_lines_that_are_read_twice_are_counted_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("wirecheck.cli.progress.PAUSE", 0.0)
    monkeypatch.setattr("wirecheck.cli.progress.Progress.add", lambda _, more: told.append(more))
    path = desk.write("log", *_talk("x"), json.dumps({"contents": [HI]}))
    inspect([path], load(select=["WC3"]), jobs=2)
    assert min(told) < (0, 0)
    assert sum(lines for lines, _ in told) <= 41
