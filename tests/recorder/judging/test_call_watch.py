"""Which calls are late, and how often that is told."""

from collections.abc import Iterable

from tests.sources.telling import read
from wirecheck import Inspector, load
from wirecheck.recorder.judging.call_watch import CallWatch
from wirecheck.wire.records import Closed, Record

SETUP = '{"at": 1, "from": "client", "data": {"setup": {"model": "models/gemini-2.5-flash-native-audio-latest"}}}'
READY = '{"at": 2, "from": "server", "data": {"setupComplete": {}}}'
CALLS = (
    '{"at": 10, "from": "server", "data": {"toolCall": {"functionCalls": [{"id": "c1", "name": "now"}, '
    '{"id": "c2", "name": "zone"}]}}}'
)
ANSWER = (
    '{"at": 11, "from": "client", "data": {"toolResponse": {"functionResponses": [{"id": "c1", "name": "now", '
    '"response": {}}]}}}'
)
SPEAK = (
    '{"at": 12, "from": "client", "data": {"clientContent": {"turns": [{"role": "user", "parts": [{"text": "x"}]}], '
    '"turnComplete": true}}}'
)
CANCEL = '{"at": 12, "from": "server", "data": {"toolCallCancellation": {"ids": ["c1", "c2"]}}}'


def told(lines: Iterable[str], *times: float, timeout: float = 30.0) -> list[str]:
    """What is said after each of these lines, and then at these times."""
    inspector, watch = Inspector(load()), CallWatch(timeout)
    records: list[Record] = [each for each in read(*lines) if not isinstance(each, Closed)]  # it is open
    channel, said = records[0].channel, list[str]()

    def look(now: float) -> None:
        said.extend(late.words for late in watch.late(channel, inspector.held_up(channel), now))

    for record in records:
        inspector.feed(record)
        if record.at is not None:
            look(record.at)
    for now in times:
        look(now)
    return said


def test_a_call_that_is_answered_or_taken_back_is_not_late() -> None:
    assert told([SETUP, READY, CALLS, CANCEL], 100) == []
    assert [line.split()[1] for line in told([SETUP, READY, CALLS, ANSWER], 100)] == ["zone"]


def test_each_reason_is_told_once() -> None:
    said = told([SETUP, READY, CALLS, ANSWER, SPEAK], 39, 40, 41, 99)
    assert said == [
        "waiting: zone (c2) has no response, and the turn goes on without it, called in line 3",
        "waiting: zone (c2) has no response, and 30 s have passed, called in line 3",
    ]


def test_without_a_limit_the_time_is_not_told() -> None:
    assert told([SETUP, READY, CALLS], 1000, timeout=0) == []


def test_calls_that_do_not_hold_the_turn_up_are_not_late() -> None:
    setup = SETUP.replace("gemini-2.5-flash-native-audio-latest", "gemini-3.8-live")
    assert told([setup, READY, CALLS, SPEAK], 1000) == []
