"""Which arguments are the same for a server, numbers that no float can hold included."""

from typing import Any

import pytest

from wirecheck.dialects.content import read_call
from wirecheck.dialects.messages import Call, Spot
from wirecheck.talk.recital.call_pairs import same_args
from wirecheck.wire.records import Origin, Site

HUGE = 10**400


def call(args: Any) -> Call:
    return read_call({"name": "add", "args": args}, Spot(Site(Origin("log.jsonl", 1), ""), ()))


@pytest.mark.parametrize(
    ("said", "recited", "same"),
    [
        ({}, None, True),
        ({"a": None}, {}, True),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 2**53}, {"a": 2**53 + 1}, True),
        ({"a": HUGE}, {"a": HUGE}, True),
        ({"a": HUGE}, {"a": 1}, False),
        ({"a": -HUGE}, {"a": HUGE}, False),
        ({"a": HUGE}, {"a": "1"}, False),
    ],
)
def test_arguments_that_are_the_same_for_a_server(said: Any, recited: Any, same: bool) -> None:
    assert same_args(call(said), call(recited)) is same
