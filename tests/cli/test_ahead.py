"""One file judged by several processes ahead of each other says what one process says."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from tests.cli.chatter import chatter
from tests.cli.logs import GOOD, Desk, content, exchange
from wirecheck.cli import ahead, runs
from wirecheck.cli.inspect import inspect
from wirecheck.cli.inspected import Inspected
from wirecheck.report import FORMATS
from wirecheck.rules import Ruleset, load
from wirecheck.sources import earlier, openings, stretch
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
    monkeypatch.setattr(earlier, "QUIET", 8)
    monkeypatch.setattr(earlier, "EACH", 0)
    monkeypatch.setattr(stretch, "PIECE", 500)
    monkeypatch.setattr(stretch, "UNASKED", 2000)
    monkeypatch.setattr(openings, "FEWEST", 1)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each file that was divided, whether what came of the rest was taken over."""
    found: list[bool] = []
    in_parts = ahead.in_parts

    def noted(*given: object) -> Inspected | None:
        found.append(False)
        return in_parts(*given)  # type: ignore[arg-type]

    takes_over = ahead.Judge._takes_over

    def noting(self: ahead.Judge, part: ahead.Part) -> ahead.Taken | None:
        came = takes_over(self, part)
        found[-1] = came is not None
        return came

    monkeypatch.setattr(ahead, "in_parts", noted)
    monkeypatch.setattr(ahead.Judge, "_takes_over", noting)
    return found


def _same(path: Path, rules: Ruleset, *jobs: int) -> Inspected:
    one, *several = (inspect([str(path)], rules, jobs=number) for number in (1, *jobs))
    assert all(each == one for each in several)
    assert all(list(each.checked.unjudged) == list(one.checked.unjudged) for each in several)
    return one


LOGS = {"small": 900, "10": 2000, "strings": 300, "window": 400, "10.records": 6000, "small.records": 2000}


@pytest.mark.parametrize("name", LOGS)
def test_parts_say_what_the_whole_says(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: list[bool], name: str
) -> None:
    monkeypatch.setattr(earlier, "QUIET", 60)
    (path := tmp_path / "log").write_bytes(b"".join(islice(lines(name, 0.02, mistakes=9), LOGS[name])))
    assert _same(path, rules, 2, 3).findings
    assert name in ("strings", "window") or taken[0]


@pytest.mark.parametrize("given", [*([f"--output-format={name}"] for name in FORMATS), ["--statistics"], ["--predict"]])
def test_the_same_is_written_in_every_format(desk: Desk, taken: list[bool], given: list[str]) -> None:
    log = [*islice(lines("small", 0.01, mistakes=40), 400), b"no JSON\n", b"3\n", b'{"request":{"url":"x"}}\n']
    Random(1).shuffle(log)
    log.insert(0, GOOD.encode() + b"\n")
    (desk.folder / "log").write_bytes(b"".join(log) + b'{"request":')
    asked = ("lint", "log", "--isolated", "-v", "--min-severity", "info", *given, "--jobs")
    one, two = (desk.run(*asked, jobs) for jobs in "12")
    assert (two.exit_code, two.stdout, two.stderr) == (one.exit_code, one.stdout, one.stderr)
    assert one.stdout.count("\n") > 5
    assert taken == [True]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_conversations_have_to_do_with_each_other(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = Random(seed)
    if rng.random() < 0.5:  # little is kept, and what was long ago is let go
        monkeypatch.setattr(Threads.__init__, "__defaults__", (0, rng.choice((4, 10, 40))))
        monkeypatch.setattr(Memory.__init__, "__defaults__", (rng.choice((8, 64, 200)),))
        monkeypatch.setattr(Signatures.__init__, "__defaults__", (rng.choice((4, 16)),))
    monkeypatch.setattr(earlier, "QUIET", rng.choice((1, 2, 8)))
    monkeypatch.setattr(openings, "told_apart", lambda *_: True)
    monkeypatch.setattr(openings, "beginnings", anywhere(rng))
    log = b"".join(
        chatter(
            rng,
            rng.choice((40, 150)),
            rng.choice((50, 10**5, 10**9)),
            rng.choice((0, 0.01, 0.1)),
            rng.choice((0.1, 0.4)),
        )
    )
    (path := tmp_path / "log").write_bytes(log)
    _same(path, rules, rng.choice((2, 3)))


def anywhere(rng: Random) -> Callable[..., list[int]]:
    """Where others begin, without a look at the log."""
    return lambda stream, begin, size, count: sorted(rng.sample(range(begin, size), count - 1))


def _talk(words: str, *, begins: str = "", ends: str = "") -> Iterator[str]:
    """Conversations, each with its own words but for those given."""
    for n in range(40):
        first, last = content("user", f"{begins}{n} {words}"), content("user", ends or f"more {n}")
        yield exchange(first)
        yield exchange(first, OK, last)


LOOSE = json.dumps({"channel": "1", "from": "client", "data": {"setup": {}}})
EARLY = content("user", "7 x")  # how a conversation begins that ended long before
# What comes late in a log, and whether that can be judged ahead.
LATE = {
    "own words": ([], True),
    "how another began": ([exchange(EARLY)], False),
    "more of it": ([exchange(EARLY, OK, content("user", "more 7"), OK, HI)], False),
    "the last words of another": ([exchange(HI, OK, content("user", "more 7"))], False),
    "a trimmed front": ([exchange(OK, content("user", "more 7"), OK, HI)], False),
    "a bare body": ([json.dumps({"contents": [HI]})], True),
    "a frame": ([LOOSE], False),
    "a request under another key": ([json.dumps({"a": json.loads(GOOD)})], True),
    "what is no traffic": (["[]", "3", '{"a": 1}', '{"a": 2}', "[]", "no JSON"], True),
}


@pytest.mark.parametrize("case", LATE)
def test_what_is_tied_to_what_came_before_is_not_taken_over(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool], case: str
) -> None:
    monkeypatch.setattr(openings, "crossing", lambda *_: 0)  # it is not seen
    late, apart = LATE[case]
    path = desk.folder / desk.write("log", *_talk("x"), *late)
    _same(path, rules, 2)
    assert taken == [apart]


RECORD = (
    '{"v":1,"kind":"opened","channel":"%s","method":"POST","url":"%s","body":{"contents":[{"parts":[{"text":"%s"}]}]}}\n'
    '{"v":1,"kind":"closed","channel":"%s"}'
)
KINDS = ("generateContent", "countTokens", "embedContent", "batchEmbedContents")


def test_what_was_not_judged_is_counted_in_one_order(rules: Ruleset, desk: Desk, taken: list[bool]) -> None:
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:"
    log = [RECORD % (n, url + KINDS[n % 4], f"{n}{n % 37 * '-'}", n) for n in range(200)]
    one = _same(desk.folder / desk.write("log", *log), rules, 2, 3)
    assert one.checked.unjudged == {"batchEmbedContents": 50, "embedContent": 50}
    assert taken == [True, True]


def test_an_exchange_that_has_begun_is_not_parted(rules: Ruleset, desk: Desk, taken: list[bool]) -> None:
    """The first one has its end at the end of the log."""
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    begun, ended = (RECORD % ("a", url, "x", "a")).splitlines()
    _same(desk.folder / desk.write("log", begun, *(RECORD % (n, url, n, n) for n in range(60)), ended), rules, 2)
    assert taken == [False]


def test_what_was_left_open_long_before_is_told_at_the_end(rules: Ruleset, desk: Desk, taken: list[bool]) -> None:
    """A session that another connection might go on with; no other does."""
    url = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.Bidi"
    frames: list[tuple[str, Any]] = [
        ("client", {"setup": {"model": "models/gemini-3.1-flash-live-preview", "sessionResumption": {}}}),
        ("server", {"setupComplete": {}}),
        ("server", {"sessionResumptionUpdate": {"newHandle": "h1", "resumable": True}}),
        ("server", {"toolCall": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}}),
    ]
    said = [{"kind": "frame", "channel": "L", "from": sender, "data": data} for sender, data in frames]
    session = [
        {"kind": "opened", "channel": "L", "method": "GET", "url": url + "GenerateContent"},
        *said,
        {"kind": "closed", "channel": "L", "code": 1000, "by": "client"},
    ]
    log = [json.dumps({"v": 1, **record}, separators=(",", ":")) for record in session]
    one = _same(desk.folder / desk.write("log", *log, *_talk("x")), rules, 2)
    assert one.findings[-1].rule == "tool-response-missing"
    assert taken == [False]


def test_a_large_file_among_small_ones_is_divided(desk: Desk, taken: list[bool]) -> None:
    for name in ("a", "b", "c"):
        desk.write(name, *(_talk(name) if name == "b" else [GOOD]))
    one, two = (desk.run("lint", "a", "b", "c", "--output-format", "json", "--jobs", jobs) for jobs in "12")
    assert two.stdout == one.stdout
    assert taken == [True]


@pytest.mark.parametrize("when", ["_until", "_begins", "judged"])
def test_a_process_that_is_killed_changes_nothing(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool], when: str
) -> None:
    monkeypatch.setattr(ahead.Later, when, lambda self: os.kill(os.getpid(), signal.SIGKILL))
    _same(desk.folder / desk.write("log", *_talk("x")), rules, 2, 3)
    assert taken == [False, False]


def test_a_process_that_is_stopped_is_not_waited_for(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    monkeypatch.setattr(ahead, "SILENCE", 0.1)
    monkeypatch.setattr(ahead.Later, "_part", lambda self: os.kill(os.getpid(), signal.SIGSTOP))
    _same(desk.folder / desk.write("log", *_talk("x")), rules, 2)
    assert taken == [False]


def test_lines_that_are_read_twice_are_counted_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("wirecheck.cli.progress.PAUSE", 0.0)
    monkeypatch.setattr("wirecheck.cli.progress.Progress.add", lambda _, more: told.append(more))
    for late, apart in (([], True), (LATE["the last words of another"][0], False)):
        told.clear()
        path = desk.write("log", *_talk("x"), *late)
        inspect([path], load(select=["WC3"]), jobs=2)
        assert taken[-1] is apart
        assert sum(lines for lines, _ in told) <= 80 + len(late)
        assert apart or min(told) < (0, 0), told


def judged_from(monkeypatch: pytest.MonkeyPatch, *before: list[str]) -> None:
    """Others begin after so many lines, whatever is to be seen there, and know what came shortly before and no more."""
    begins = [sum(len(line.encode()) + 1 for line in lines) - 10 for lines in before]
    monkeypatch.setattr(openings, "told_apart", lambda *_: True)
    monkeypatch.setattr(openings, "beginnings", lambda *_: begins)
    monkeypatch.setattr(openings, "NEAR", 300)


def says(reply: str | dict[str, Any], *contents: Any) -> str:
    """An exchange in which all is well."""
    line = json.loads(exchange(*contents))
    said = content("model", reply) if isinstance(reply, str) else reply
    line["response"]["body"]["candidates"] = [{"content": said, "finishReason": "STOP"}]
    return json.dumps(line)


def others(first: int, count: int) -> list[str]:
    """Conversations that have nothing in common with any other."""
    return [says(f"so {n}", content("user", f"{n} it is")) for n in range(first, first + count)]


LONG_AGO, ONCE = content("user", "long ago"), content("model", "once")
ODD = {"role": "user", "parts": [{"text": "x", "oddity": 1}]}
UNKNOWN_FIELD = "Invalid JSON payload received. Unknown name \"oddity\" at 'contents[2].parts[0]': Cannot find field."
HERE, SO = content("user", "here"), content("user", "so")


def test_what_the_third_looks_up_is_asked_of_the_first(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = [exchange(LONG_AGO, status=503, error="no"), *others(0, 60)]
    second, third = others(100, 60), [*others(200, 60), says("well", LONG_AGO), *others(300, 60)]
    judged_from(monkeypatch, first, first + second)
    one = _same(desk.folder / desk.write("log", *first, *second, *third), rules, 3)
    assert one.checked.conversations == 241


# A conversation from long before in which something was found goes on where another process reads; and once more in the
# end.
FOUND: dict[str, tuple[list[str], str, str]] = {
    "in another line": (
        [says("once", LONG_AGO, ONCE, ODD)],
        says("then", LONG_AGO, ONCE, ODD, ONCE, HERE),
        exchange(LONG_AGO, ONCE, ODD, ONCE, HERE, content("model", "then"), SO, status=400, error=UNKNOWN_FIELD),
    ),
    "and rejected": (
        [exchange(LONG_AGO, ONCE, ODD, status=503, error="no"), says("once", LONG_AGO, ONCE, ODD)],
        says("then", LONG_AGO, ONCE, ODD, ONCE, HERE),
        exchange(LONG_AGO, ONCE, ODD, ONCE, HERE, content("model", "then"), SO, status=400, error="no"),
    ),
}


@pytest.mark.parametrize("counted", [(), ("info",), ("info", "warning")])
@pytest.mark.parametrize("case", FOUND)
def test_what_was_found_long_ago(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, case: str, counted: tuple[Any, ...]
) -> None:
    begun, here, last = FOUND[case]
    before = [*begun, *others(0, 60)]
    judged_from(monkeypatch, before)
    path = desk.folder / desk.write("log", *before, here, *others(100, 60), last, *others(200, 60))
    one, two = (inspect([str(path)], rules, jobs=jobs, counted=counted) for jobs in (1, 2))
    assert two == one


@pytest.mark.parametrize("between", range(10, 80, 5))
def test_a_request_that_failed_and_comes_in_other_words(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, between: int
) -> None:
    """Its conversation is found by its prefix, and let go sooner where less is remembered."""
    monkeypatch.setattr(Threads.__init__, "__defaults__", (0, 40))
    before = others(0, 60)
    judged_from(monkeypatch, before)
    log = [*before, *others(100, 20), exchange(LONG_AGO, ONCE, HERE, status=503, error="no"), *others(200, between)]
    _same(desk.folder / desk.write("log", *log, says("then", LONG_AGO, ONCE, SO), *others(300, 60)), rules, 2)


@pytest.mark.parametrize("opened", [{"body": {"content": {}}}, {"body": {"contents": [HI]}}, {}])
@pytest.mark.parametrize("verb", ["generateContent", "embedContent"])
def test_a_channel_that_was_open_all_the_time(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, opened: dict[str, Any], verb: str
) -> None:
    url = f"https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:{verb}"
    said: list[dict[str, Any]] = [
        {"kind": "opened", "method": "POST", "url": url, **opened},
        {"kind": "replied", "status": 400},
        {"kind": "frame", "from": "server", "data": {"error": {"code": 400, "message": "no"}}},
        {"kind": "closed"},
    ]
    records = [json.dumps({"v": 1, **each, "channel": "a"}, separators=(",", ":")) for each in said]
    before = [records[0], *others(0, 60)]
    judged_from(monkeypatch, before)
    _same(desk.folder / desk.write("log", *before, *others(100, 60), *records[1:], *others(200, 60)), rules, 2)


@pytest.mark.parametrize("between", [1, 10, 20, 30, 50, 100])
def test_a_reply_that_comes_when_much_has_been_said_since(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, between: int
) -> None:
    """By then its conversation may be let go."""
    monkeypatch.setattr(Threads.__init__, "__defaults__", (0, 40))
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    called = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    said: list[dict[str, Any]] = [
        {"kind": "opened", "method": "POST", "url": url, "body": {"contents": [LONG_AGO]}},
        {"kind": "replied", "status": 200},
        {"kind": "frame", "from": "server", "data": {"candidates": [{"content": called, "finishReason": "STOP"}]}},
        {"kind": "closed"},
    ]
    first, *rest = [json.dumps({"v": 1, **each, "channel": "a"}, separators=(",", ":")) for each in said]
    before = others(0, 60)
    judged_from(monkeypatch, before)
    log = [*before, *others(100, 20), first, *others(200, between), *rest, *others(400, 60)]
    _same(desk.folder / desk.write("log", *log), rules, 2)


@pytest.mark.parametrize(("heavy", "more", "kept"), [(0, 0, True), (3, 0, True), (30, 0, False), (3, 2, False)])
def test_a_reply_that_others_leave_no_room_for(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool], heavy: int, more: int, kept: bool
) -> None:
    """What is `heavy` belongs to conversations of which the other process hears nothing; it hears the rest."""
    for where in ("threads", "ahead"):
        monkeypatch.setattr(f"wirecheck.talk.{where}.REPLIES", (20_000, 10))

    def calls(size: int) -> dict[str, Any]:
        return {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"a": "z" * size}}}]}

    older = [content("user", f"older {n}") for n in range(heavy)]
    answer = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": 1}}}]}
    before = [*others(0, 60), *(says(f"old {n}", one) for n, one in enumerate(older))]
    judged_from(monkeypatch, before)
    monkeypatch.setattr(openings, "NEAR", 100_000)
    log = [
        *before,
        says(calls(300), LONG_AGO),
        *(
            says(calls(5000), one, content("model", f"old {n}"), content("user", f"go {n}"))
            for n, one in enumerate(older)
        ),
        *others(100, 60),
        *(says(calls(4000), content("user", f"new {n}")) for n in range(more)),
        says("then", LONG_AGO, calls(301), answer),
        *others(200, 60),
    ]
    one = _same(desk.folder / desk.write("log", *log), rules, 2)
    told = "recited-args-changed" in {finding.rule for finding in one.findings}
    assert (told, taken) == (kept, [kept])


def record(kind: str, channel: str, **more: Any) -> str:
    return json.dumps({"v": 1, "kind": kind, "channel": channel, **more}, separators=(",", ":"))


@pytest.mark.parametrize("begin", [400, 403])
@pytest.mark.parametrize("most", [8, 16, 40])
def test_which_of_two_alike_was_the_latest(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, most: int, begin: int
) -> None:
    """Two are asked one after the other and reply the other way round; then one goes on in other words."""
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    monkeypatch.setattr(Threads.__init__, "__defaults__", (0, most))

    def two(n: int) -> Iterator[str]:
        reply = content("model", f"{n} The same long beginning of forty characters or more")
        data = {"candidates": [{"content": reply, "finishReason": "STOP"}]}
        for name in "ab":
            asks = [content("user", f"open {n}"), content("model", name), content("user", f"{name} asks {n}")]
            yield record("opened", f"{name}{n}", method="POST", url=url, body={"contents": asks})
        for name in "ba":
            yield record("replied", f"{name}{n}", status=200)
            yield record("frame", f"{name}{n}", **{"from": "server", "data": data})
            yield record("closed", f"{name}{n}")
        opened = {"parts": [{"text": f"open {n}"}], "role": "user"}  # the same in another spelling
        told = {"role": "model", "parts": [{"text": reply["parts"][0]["text"], "oddity": 1}]}
        other = content("user", f"other asks {n}")
        yield says("fine", opened, content("model", "c"), other, told, content("user", f"next {n}"))

    pairs = [line for n in range(100, 220) for line in (*two(n), *(others(1000 + n, 1) if n % 7 == 0 else ()))]
    log = [*others(0, 40), *pairs]
    judged_from(monkeypatch, log[:begin])
    monkeypatch.setattr(openings, "NEAR", 10**6)
    monkeypatch.setattr(earlier, "QUIET", 4)
    _same(desk.folder / desk.write("log", *log), rules, 2)


@pytest.mark.parametrize("each", [0, 3])
def test_the_more_conversations_go_on_the_longer_one_waits_for_them(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool], each: int
) -> None:
    """One of ten comes again after twenty lines."""
    monkeypatch.setattr(earlier, "EACH", each)
    begins = [content("user", f"long ago {n}") for n in range(10)]
    before = [*others(0, 60), *(says("one", one) for one in begins), *(says("two", one, OK, HI) for one in begins)]
    judged_from(monkeypatch, before)
    monkeypatch.setattr(openings, "NEAR", 100_000)
    late = says("three", begins[3], OK, HI, content("model", "two"), HI)
    desk.write("log", *before, *others(100, 20), late, *others(200, 200))
    _same(desk.folder / "log", rules, 2)
    assert taken == [each > 0]


def test_what_is_skipped_is_told_where_it_is_skipped_first(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    """What ends a session is nothing to him who does not know of the session."""
    session = ['{"setup":{"model":"models/gemini-2.5-flash-native-audio-latest"}}', '{"setupComplete":{}}']
    bye = '{"code":1000,"reason":"bye"}'
    before = [*others(0, 20), *session, *others(100, 60)]
    judged_from(monkeypatch, before)
    log = [*before, *others(200, 2), bye, *others(300, 60), bye, *others(400, 9)]
    one = _same(desk.folder / desk.write("log", *log), rules, 2)
    assert [(entry.line, entry.count) for entry in one.checked.skipped] == [(len(log) - 9, 1)]
    assert taken == [True]


@pytest.mark.parametrize("begun", ['{"v":1,"kind":"opened","x":[', '{"request":{"x":['])
def test_a_line_that_looks_like_the_beginning_of_a_document(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    before = others(0, 60)
    judged_from(monkeypatch, before)
    log = [*before, begun, *(f"{line}," for line in others(100, 60)), *others(200, 60)]
    _same(desk.folder / desk.write("log", *log), rules, 2)


def test_nothing_is_kept_before_a_line_was_read(
    rules: Ruleset, desk: Desk, monkeypatch: pytest.MonkeyPatch, taken: list[bool]
) -> None:
    """What comes first is left out: it looks like the beginning of a document."""
    monkeypatch.setattr(earlier, "QUIET", 1)
    before = [says("once", LONG_AGO), *others(0, 60), says("once", LONG_AGO, ONCE, HERE)]
    judged_from(monkeypatch, before)
    begun = '{"request": {"body": {"contents": [{"role": "user", "parts": [' + 440 * "1,"
    again = says("then", LONG_AGO, ONCE, HERE, ONCE, SO)
    log = [*before, begun, *others(100, 60), again, *others(200, 60)]
    _same(desk.folder / desk.write("log", *log), rules, 2)
    assert taken == [False]
