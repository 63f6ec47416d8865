"""What is said of requests that nobody answered."""

import pytest

from wirecheck.recorder.capture.unanswered import Unanswered
from wirecheck.wire.records import Closed, Opened, Origin, Peer, Record, Replied

HERE = Origin("", 0)


def asked(channel: str) -> Record:
    return Opened(channel=channel, origin=HERE, method="POST")


def replied(channel: str) -> Record:
    return Replied(channel=channel, origin=HERE, status=500)


def closed(channel: str, by: Peer | None = None, reason: str = "") -> Record:
    return Closed(channel=channel, origin=HERE, by=by, reason=reason)


@pytest.mark.parametrize(
    ("records", "line", "all_"),
    [
        ([], "", False),
        ([asked("1"), replied("1"), closed("1")], "", False),
        ([asked("1")], "", False),  # it is still waiting
        ([asked("1"), closed("1", "client", "gone")], "", False),
        ([asked("1"), closed("1", None, "killed")], "", False),
        ([asked("1"), replied("1"), closed("1", "server", "broke off")], "", False),
        ([asked("1"), closed("1", "server", "refused")], "1 of 1 request got no answer: refused", True),
        (
            [asked("1"), closed("1", "server", "refused"), asked("2"), replied("2")],
            "1 of 2 requests got no answer: refused",
            False,
        ),
        (
            [asked("1"), asked("2"), closed("2", "server", "b"), closed("1", "server", "a")],
            "2 of 2 requests got no answer: b, and 1 other reason",
            True,
        ),
    ],
)
def test_what_nobody_answered_is_counted_with_the_reason(records: list[Record], line: str, all_: bool) -> None:
    unanswered = Unanswered()
    for record in records:
        unanswered.see(record)
    assert (unanswered.line(), unanswered.all) == (line, all_)
