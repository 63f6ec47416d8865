"""Calls whose arguments are streamed: put together as they would have come whole, and recognised when recited."""

from typing import Any

import pytest

from tests.stories.conversations import answer, call, exchange, facts, model, user
from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot
from wirecheck.talk.streamed_arguments import StreamedArguments
from wirecheck.wire.records import Origin, Site

STREAM = (
    "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/publishers/google/models/"
    "gemini-3-flash-preview:streamGenerateContent?alt=sse"
)
SPOT = Spot(Site(Origin("log.jsonl", 1), ""))
PIECES: list[dict[str, Any]] = [
    {"name": "book", "id": "c1", "willContinue": True},
    {"partialArgs": [{"jsonPath": "$.city", "stringValue": "Ro", "willContinue": True}], "willContinue": True},
    {"partialArgs": [{"jsonPath": "$.city", "stringValue": "me"}], "willContinue": True},
    {
        "partialArgs": [{"jsonPath": "$.days[1].n", "numberValue": 2}, {"jsonPath": "$.now", "boolValue": True}],
        "willContinue": True,
    },
    {"partialArgs": [{"jsonPath": "$.note", "nullValue": "NULL_VALUE"}], "willContinue": True},
    {},
]
ARGS = {"city": "Rome", "days": [None, {"n": 2}], "now": True, "note": None}


def heard(*calls: dict[str, Any]) -> tuple[list[tuple[Any, ...]], str | None]:
    partial = StreamedArguments()
    contents = [read_content(model({"functionCall": each}), "candidates", SPOT) for each in calls]
    whole = [one for content in contents for one in partial.whole(content).calls]
    return [(one.name, one.id, one.args) for one in whole], partial.waiting


WAYS = {
    "ended by an empty piece": (PIECES, [("book", "c1", ARGS)], None),
    "ended by a last value": ([*PIECES[:-2], {"partialArgs": PIECES[-2]["partialArgs"]}], [("book", "c1", ARGS)], None),
    "cut off": (PIECES[:-1], [], "book"),
    "all at once": (
        [{"name": "f", "partialArgs": [{"jsonPath": "$.a", "numberValue": 1}]}],
        [("f", None, {"a": 1})],
        None,
    ),
    "without arguments": ([{"name": "f"}], [("f", None, None)], None),
    "two calls": ([*PIECES, {"name": "f", "args": {}}], [("book", "c1", ARGS), ("f", None, {})], None),
    "odd places": (
        [
            {
                "name": "f",
                "partialArgs": [{"jsonPath": "$" + "[9]" * 99}, {"jsonPath": "$[9999].x"}, {"jsonPath": 1}, {}],
            }
        ],
        [("f", None, {})],
        None,
    ),
}


@pytest.mark.parametrize(("pieces", "calls", "waiting"), WAYS.values(), ids=WAYS)
def test_pieces_make_calls(pieces: list[dict[str, Any]], calls: list[tuple[Any, ...]], waiting: str | None) -> None:
    assert heard(*pieces) == (calls, waiting)


def test_the_signature_of_the_first_piece_is_that_of_the_call() -> None:
    partial = StreamedArguments()
    for n, piece in enumerate(PIECES):
        signed = {"thoughtSignature": "RXA0Qw=="} if n == 0 else {}
        content = partial.whole(read_content(model({"functionCall": piece, **signed}), "candidates", SPOT))
    assert content.calls[0].signed
    assert content.parts[0].value["thoughtSignature"] == "RXA0Qw=="


def test_a_call_recited_whole_is_known_to_be_the_one_that_was_streamed() -> None:
    chunks = [{"candidates": [{"content": model({"functionCall": piece}), "index": 0}]} for piece in PIECES]
    told = [user("Rome?"), model(call("book", "c1", **ARGS)), user("Well?")]
    line = (exchange(1, told[:1], chunks, url=STREAM), exchange(2, told, url=STREAM))
    (settled,) = facts(*line, kinds="call-settled")
    assert "the server made the call here" in [each.label for each in settled.related]


def test_parallel_calls_in_separate_chunks_are_one_turn() -> None:
    calls = [call("book", "c1"), call("pay", "c2")]
    chunks = [{"candidates": [{"content": model(each), "index": 0}]} for each in calls]
    told = [user("Rome?"), model(*calls), user(answer("book", "c1"), answer("pay", "c2"))]
    found = facts(exchange(1, told[:1], chunks, url=STREAM), exchange(2, told, url=STREAM), kinds="reply call-turn")
    reply, turn = found
    assert (reply.calls, reply.call_chunks, turn.calls, turn.answers) == (2, 2, 2, 2)  # type: ignore[attr-defined]
