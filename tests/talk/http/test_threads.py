"""Which conversation a request belongs to, whatever clients do to a history."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.stories.conversations import answer, call, error, exchange, facts, model, reply, user
from wirecheck.wire.records import Record

A, B, C = user("Weather in Rome?"), user("And in Oslo?"), user("Thanks a lot for that.")
SUNNY, RAINY = model("It is sunny in Rome."), model("It rains in Oslo.")
CALLED = model({**call("get_weather", city="Rome"), "thoughtSignature": "c2ln"})
LATER = model({**call("get_time", city="Rome"), "thoughtSignature": "c2lo"})
RESULT = user(answer("get_weather"))
FAILED = error("Internal error encountered.", 500)


def conversations(*exchanges: Iterator[Record]) -> list[str]:
    """The conversation of each request, in order."""
    return [fact.context.conversation for fact in facts(*exchanges, kinds="request")]


def log(*lines: tuple[list[Any], Any]) -> list[str]:
    return conversations(
        *(
            exchange(n, contents, said, 200 if said is not FAILED else 500)
            for n, (contents, said) in enumerate(lines, 1)
        )
    )


THREADS: dict[str, tuple[list[tuple[list[Any], Any]], list[str]]] = {
    "another that opens and ends alike": (
        [([A, SUNNY, B, RAINY, C], reply(SUNNY)), ([A, SUNNY, user("And in Bergen?"), CALLED, C], None)],
        ["c1", "c2"],
    ),
    "word for word": (
        [([A], reply(SUNNY)), ([A, SUNNY, B], reply(RAINY)), ([A, SUNNY, B, RAINY, C], None)],
        ["c1", "c1", "c1"],
    ),
    "its last words are gone, and its last calls recited": (
        [([A], reply(CALLED)), ([A, CALLED, RESULT], reply(LATER)), ([A, LATER, RESULT], None)],
        ["c1", "c1", "c1"],
    ),
    "its last words are gone, and its last answer recited": (
        [([A], reply(CALLED)), ([A, CALLED, RESULT], reply(SUNNY)), ([A, SUNNY, B], None)],
        ["c1", "c1", "c2"],
    ),
    "ids added by the client": (
        [
            ([A], reply(CALLED)),
            ([A, model(call("get_weather", "x1", city="Rome")), user(answer("get_weather", "x1"))], None),
        ],
        ["c1", "c1"],
    ),
    "asked twice, and the second reply has one call of the first": (
        [
            ([A], reply(model(call("get_time"), *CALLED["parts"]))),
            ([A], reply(CALLED)),
            ([A, CALLED, RESULT], None),
        ],
        ["c1", "c2", "c2"],
    ),
    "thoughts dropped": (
        [([A], reply(model({"text": "hm", "thought": True}, "It is sunny in Rome."))), ([A, SUNNY, B], None)],
        ["c1", "c1"],
    ),
    "thoughts dropped from older turns only": (
        [
            ([A], reply(SUNNY)),
            ([A, model({"text": "hm", "thought": True}, "It is sunny in Rome."), B], reply(RAINY)),
            ([A, SUNNY, B, RAINY, C], None),
        ],
        ["c1", "c1", "c1"],
    ),
    "others that end alike, but for an id": (
        [
            ([A, model(call("now", "x1")), C], reply(SUNNY)),
            ([B, model(call("now", "x2")), C], reply(SUNNY)),
            ([B, model(call("now", "x2")), C, SUNNY, A], reply(RAINY)),
        ],
        ["c1", "c2", "c2"],
    ),
    "the oldest turns trimmed, and ids made anew": (
        [
            ([A, SUNNY, B, model(call("now", "x1")), user(answer("now", "x1"))], reply(RAINY)),
            ([B, model(call("now", "y1")), user(answer("now", "y1")), RAINY, C], None),
        ],
        ["c1", "c1"],
    ),
    "a question asked twice, and answered with the same call": (
        [
            ([A], reply(model(call("now", "x1")))),
            ([A], reply(model(call("now", "x2")))),
            ([A, model(call("now", "x2")), user(answer("now", "x2"))], None),
            ([A, model(call("now", "x1")), user(answer("now", "x1"))], None),
        ],
        ["c1", "c2", "c2", "c1"],
    ),
    "the oldest turns trimmed": (
        [([A], reply(SUNNY)), ([A, SUNNY, B], reply(RAINY)), ([SUNNY, B, RAINY, C], None)],
        ["c1", "c1", "c1"],
    ),
    "ids made anew for every request": (
        [
            ([A, model(call("f", "x1")), user(answer("f", "x1"))], FAILED),
            ([A, model(call("f", "x2")), user(answer("f", "x2"))], FAILED),
        ],
        ["c1", "c1"],
    ),
    "keys in another order every time": (
        [
            ([A, SUNNY, {"role": "user", "parts": [{"text": "And in Oslo?"}]}], FAILED),
            ([A, SUNNY, {"parts": [{"text": "And in Oslo?"}], "role": "user"}], FAILED),
        ],
        ["c1", "c1"],
    ),
    "a time of day in the last words, and not kept": (
        [
            ([A, SUNNY, user("And in Oslo?", "It is 9:00.")], reply(RAINY)),
            ([A, SUNNY, B, RAINY, user("Thanks.", "It is 9:01.")], None),
        ],
        ["c1", "c1"],
    ),
    "retried after a failure": ([([A, SUNNY, B], FAILED), ([A, SUNNY, B], reply(RAINY))], ["c1", "c1"]),
    "retried in other words after a failure": ([([A, SUNNY, B], FAILED), ([A, SUNNY, C], None)], ["c1", "c1"]),
    "regenerated": ([([A, SUNNY, B], reply(RAINY)), ([A, SUNNY, B], reply(model("Showers.")))], ["c1", "c1"]),
    "the same beginning twice": ([([A], reply(SUNNY)), ([A], reply(model("Fine.")))], ["c1", "c2"]),
    "others with the same examples before them": (
        [([A, SUNNY, B], reply(RAINY)), ([A, SUNNY, C], reply(model("Welcome.")))],
        ["c1", "c2"],
    ),
    "something else": ([([A], reply(SUNNY)), ([B], reply(RAINY))], ["c1", "c2"]),
    "no contents at all": ([([], None), ([], None)], ["c1", "c2"]),
}


@pytest.mark.parametrize(("lines", "names"), THREADS.values(), ids=THREADS)
def test_a_request_goes_on_with_the_conversation_it_recites(lines: list[Any], names: list[str]) -> None:
    assert log(*lines) == names


def test_ten_conversations_that_open_alike_and_interleave_stay_ten() -> None:
    opened = [([A], reply(model(f"Which of the {n} Romes?"))) for n in range(10)]
    second = [([A, model(f"Which of the {n} Romes?"), B], reply(model(f"That one, {n}."))) for n in range(10)]
    third = [([A, model(f"Which of the {n} Romes?"), B, model(f"That one, {n}."), C], None) for n in range(10)]
    names = log(*opened, *second, *reversed(third))
    assert names[:10] == names[10:20] == names[:19:-1] == [f"c{n}" for n in range(1, 11)]


def test_ten_conversations_that_are_alike_to_the_letter_are_as_many() -> None:
    last = ([A, SUNNY, B, RAINY, C], reply(model("Welcome.")))
    rounds = [([A], reply(SUNNY)), ([A, SUNNY, B], reply(RAINY)), last]
    names = log(*(one for one in rounds for _ in range(10)))
    assert len(set(names)) == 10
    assert sorted(names[:10]) == sorted(names[10:20]) == sorted(names[20:])


def test_another_band_or_surface_is_another_conversation() -> None:
    vertex = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-3.6-flash:generateContent"
    assert conversations(
        exchange(1, [A], reply(SUNNY)),
        exchange(2, [A, SUNNY, B], name="gemini-2.5-flash"),
        exchange(3, [A, SUNNY, B], url=vertex),
        exchange(4, [A, SUNNY, B], name="gemini-3.7-flash"),
    ) == ["c1", "c2", "c3", "c1"]


def test_an_alias_is_what_it_stood_for_when_it_last_replied() -> None:
    told = facts(
        exchange(1, [A], reply(SUNNY, modelVersion="gemini-3-flash-preview"), name="gemini-flash-latest"),
        exchange(2, [A, SUNNY, B], reply(RAINY, modelVersion="gemini-2.5-flash"), name="gemini-flash-latest"),
        kinds="request",
    )
    assert [fact.context.band for fact in told] == [None, "gemini-3"]


def test_what_was_heard_is_not_read_again() -> None:
    told = facts(
        exchange(1, [A], reply(CALLED)),
        exchange(2, [A, CALLED, RESULT]),
        exchange(3, [A, CALLED, RESULT, SUNNY, B]),
        kinds="content",
    )
    assert [(fact.spot.place().line, fact.turn) for fact in told] == [(1, 0), (1, 1), (2, 1), (2, 2), (3, 3), (3, 4)]


def test_counting_the_tokens_of_a_history_is_no_conversation_of_its_own() -> None:
    counted = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:countTokens"
    assert conversations(
        exchange(1, [A, SUNNY, B], {"totalTokens": 9}, url=counted),
        exchange(2, [A, SUNNY, B], reply(RAINY)),
        exchange(3, [A, SUNNY, B, RAINY, C], {"totalTokens": 19}, url=counted),
        exchange(4, [A, SUNNY, B, RAINY, C]),
    ) == ["c1", "c1", "c1", "c1"]
