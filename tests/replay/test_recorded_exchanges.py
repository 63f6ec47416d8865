"""The exchanges of a log, whole and in the order of their requests."""

import json
from typing import Any

import pytest

from tests.sources.telling import read
from wirecheck.replay import recorded_exchanges
from wirecheck.replay.recorded_exchanges import OPEN

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"


def opened(channel: str, **more: Any) -> str:
    asked = {"method": "POST", "url": URL, "body": {"contents": []}} | more
    return json.dumps({"v": 1, "kind": "opened", "channel": channel, **asked})


def replied(channel: str, status: int = 200) -> str:
    return json.dumps({"v": 1, "kind": "replied", "channel": channel, "status": status})


def closed(channel: str) -> str:
    return json.dumps({"v": 1, "kind": "closed", "channel": channel})


def told(*lines: str) -> list[tuple[str, int | None, str]]:
    return [(each.opened.channel, each.status, each.why_not) for each in recorded_exchanges(read(*lines))]


def test_exchanges_that_overlap_come_in_the_order_of_their_requests() -> None:
    log = [opened("a"), opened("b"), replied("b", 400), closed("b"), replied("a"), closed("a")]
    assert told(*log) == [("a", 200, ""), ("b", 400, "")]


def test_a_channel_that_begins_anew_is_another_exchange() -> None:
    assert told(opened("a"), replied("a"), opened("a"), replied("a", 503)) == [("a", 200, ""), ("a", 503, "")]


def test_one_that_never_ends_holds_up_no_others() -> None:
    log = [opened("0"), *(line for n in range(1, OPEN + 9) for line in (opened(str(n)), closed(str(n))))]
    assert [channel for channel, *_ in told(*log)] == [str(n) for n in range(OPEN + 9)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            json.dumps({"v": 1, "kind": "opened", "channel": "a", "method": "POST", "url": URL}),
            "requests without a body",
        ),
        (json.dumps({"contents": [{"role": "user", "parts": [{"text": "x"}]}]}), "requests without a URL"),
        (opened("a", url="wss://generativelanguage.googleapis.com/ws/x.BidiGenerateContent"), "Live sessions"),
        (json.dumps({"from": "client", "data": {"setup": {"model": "models/gemini-3.8-live"}}}), "Live sessions"),
    ],
)
def test_what_cannot_be_sent_says_why(line: str, why: str) -> None:
    assert [reason for *_, reason in told(line)] == [why]
