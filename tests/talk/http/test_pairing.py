"""Calls and their answers over HTTP: which belongs to which, and what is missing."""

from typing import Any

import pytest

from tests.stories.conversations import answer, call, exchange, facts, model, reply, user
from wirecheck.talk.facts import AnswerSettledFact, CallPlacedFact, CallSettledFact, CallTurnFact

ASK = user("Weather?")
DONE = model("Sunny.")


def settled(*history: Any) -> list[str]:
    """Each call's end in short, of one request."""
    told = facts(exchange(1, list(history)), kinds="call-settled")
    return [f"{fact.name} {fact.how}" for fact in told if isinstance(fact, CallSettledFact)]


CALL_ENDS = {
    "answered": ([ASK, model(call("a")), user(answer("a"))], ["a answered"]),
    "sent without an answer": ([ASK, model(call("a"))], ["a unanswered"]),
    "passed over by the user": ([ASK, model(call("a")), user("never mind")], ["a unanswered"]),
    "passed over, then the model spoke": (
        [ASK, model(call("a")), user("never mind"), model("ok"), user("more")],
        ["a unanswered"],
    ),
    "two and one answer": ([ASK, model(call("a"), call("b")), user(answer("b"))], ["a unanswered", "b answered"]),
    "answered in two contents": (
        [ASK, model(call("a"), call("b")), user(answer("a")), user(answer("b"))],
        ["a answered", "b answered"],
    ),
    "called in two contents": (
        [ASK, model(call("a")), model(call("b")), user(answer("a"), answer("b"))],
        ["a answered", "b answered"],
    ),
    "answered by role function": (
        [ASK, model(call("a")), {"role": "function", "parts": [answer("a")]}],
        ["a answered"],
    ),
    "answered without role": ([ASK, model(call("a")), {"parts": [answer("a")]}], ["a answered"]),
    "answered in the role of the model": ([ASK, model(call("a")), model(answer("a")), user("so?")], []),
    "passed over, then answered in the role of the model": (
        [ASK, model(call("a")), user("never mind"), model(answer("a")), user("so?")],
        ["a unanswered"],
    ),
    "executed by the server in one content": ([ASK, model(call("a"), answer("a"), "done"), user("and?")], []),
    "a list of responses for a content": (
        [ASK, model(call("a"), call("b")), [answer("a"), answer("b")]],
        ["a answered", "b answered"],
    ),
    "called beside the parts": (
        [ASK, {**model("I will."), "tool_calls": [{"function": {"name": "a"}}]}, user(answer("a"))],
        ["a answered"],
    ),
    "answered in the words of OpenAI": (
        [ASK, model(call("a", "1")), {"role": "tool", "tool_call_id": "1", "content": "18"}],
        ["a answered"],
    ),
    "the user calls and answers himself": ([ASK, DONE, user(call("a"), answer("a")), DONE, ASK], []),
    "the user answers, then calls": (
        [ASK, model(call("a")), user(answer("a"), call("b")), user(answer("b"))],
        ["a answered", "b answered"],
    ),
    "a bare response": ([ASK, model(call("a")), {"functionResponse": {"name": "a", "response": {}}}], ["a answered"]),
    "snake_case": (
        [
            ASK,
            model({"function_call": {"name": "a", "args": {}}}),
            user({"function_response": {"name": "a", "response": {}}}),
        ],
        ["a answered"],
    ),
    "a system word between": (
        [ASK, model(call("a")), {"role": "system", "parts": [{"text": "be brief"}]}, user(answer("a"))],
        ["a answered"],
    ),
}


@pytest.mark.parametrize(("history", "ends"), CALL_ENDS.values(), ids=CALL_ENDS)
def test_how_a_call_ends(history: list[Any], ends: list[str]) -> None:
    assert settled(*history) == ends


def turn(*history: Any) -> CallTurnFact:
    (fact,) = facts(exchange(1, list(history)), kinds="call-turn")
    assert isinstance(fact, CallTurnFact)
    return fact


def test_a_turn_counts_its_calls_and_answers_and_names_those_without() -> None:
    fact = turn(ASK, model(call("a", "c1"), call("b", "c2"), call("b")), user(answer("b", "c2")))
    assert (fact.calls, fact.answers, fact.contents) == (3, 1, 1)
    assert fact.unanswered == ("a (c1)", "b (no id)")
    assert (fact.twins, fact.repeated_ids) == ((), ())


def test_a_turn_finds_twins_only_where_no_id_tells_them_apart() -> None:
    assert turn(ASK, model(call("a"), call("a")), user(answer("a"), answer("a"))).twins == ("a",)
    assert turn(ASK, model(call("a", "1"), call("a", "2")), user(answer("a"), answer("a"))).twins == ()
    assert turn(ASK, model(call("a", "1"), call("b", "1")), user(answer("a"), answer("b"))).repeated_ids == ("1",)


ANSWERS = {
    "by id": (call("a", "1"), answer("a", "1"), ("same", "same", "call")),
    "only the call has an id": (call("a", "1"), answer("a"), ("missing", "same", "call")),
    "only the answer has one": (call("a"), answer("a", "1"), ("foreign", "same", "call")),
    "another id": (call("a", "1"), answer("a", "2"), ("foreign", "same", "call")),
    "no ids": (call("a"), answer("a"), ("none", "same", "call")),
    "another name": (call("a", "1"), answer("x", "1"), ("same", "other", "call")),
    "another name and id": (call("a", "1"), answer("x", "2"), ("foreign", "same", "call")),
    "no name": (call("a"), answer(""), ("none", "same", "call")),
}


@pytest.mark.parametrize(("called", "answered", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_how_an_answer_is_tied(called: Any, answered: Any, expected: tuple[str, str, str]) -> None:
    (fact,) = facts(exchange(1, [ASK, model(called), user(answered)]), kinds="answer-settled")
    assert isinstance(fact, AnswerSettledFact)
    assert (fact.ids, fact.names, fact.to) == expected


def test_answers_without_ids_in_another_order_are_matched_by_name() -> None:
    told = facts(
        exchange(1, [ASK, model(call("a"), call("b")), user(answer("b"), answer("a"))]), kinds="answer-settled"
    )
    assert [(fact.name, fact.called_name) for fact in told if isinstance(fact, AnswerSettledFact)] == [
        ("b", "b"),
        ("a", "a"),
    ]


def test_an_answer_to_nothing_says_so() -> None:
    (fact,) = facts(exchange(1, [ASK, model("hm"), user(answer("a", "1"))]), kinds="answer-settled")
    assert isinstance(fact, AnswerSettledFact)
    assert (fact.to, fact.calls, fact.spot.place().pointer) == ("nothing", 0, "/request/body/contents/2/parts/0")


PLACES = {
    "first": ([model(call("a"))], "nothing", "nothing"),
    "after the user": ([ASK, model(call("a"))], "user", "nothing"),
    "after answers": ([ASK, model(call("a")), user(answer("a")), model(call("b"))], "answers", "nothing"),
    "after the model": ([ASK, DONE, model(call("a"))], "model", "nothing"),
    "after a role nobody knows": ([{"role": "bot", "parts": [{"text": "x"}]}, model(call("a"))], "unclear", "nothing"),
    "after an assistant": (
        [ASK, {"role": "assistant", "parts": [{"text": "x"}]}, model(call("a"))],
        "unclear",
        "nothing",
    ),
    "after what is no content": (["hi", model(call("a"))], "unclear", "nothing"),
    "after a response in the role of the model": (
        [ASK, model(call("b")), model(answer("b")), model(call("a"))],
        "unclear",
        "nothing",
    ),
    "beside a response": ([ASK, model(call("a")), user(answer("a"), call("b"))], "answers", "answers"),
}


@pytest.mark.parametrize(("history", "after", "amid"), PLACES.values(), ids=PLACES)
def test_where_calls_stand(history: list[Any], after: str, amid: str) -> None:
    told = facts(exchange(1, history), kinds="call-placed")
    assert isinstance(told[-1], CallPlacedFact)
    assert (told[-1].after, told[-1].amid) == (after, amid)


JOINED: dict[str, tuple[list[Any], list[str]]] = {
    "by the client": ([call("a", "c1")], ["joined"]),
    "by the server": ([call("a", "c1"), answer("a", "c1"), "done"], []),
}


@pytest.mark.parametrize(("said", "amid"), JOINED.values(), ids=JOINED)
def test_who_put_a_call_and_its_response_together_is_told_by_the_reply(said: list[Any], amid: list[str]) -> None:
    recited = [ASK, model(call("a", "c1"), answer("a", "c1")), user("so?")]
    told = facts(exchange(1, [ASK], reply(model(*said))), exchange(2, recited), kinds="call-placed")
    assert [fact.amid for fact in told if isinstance(fact, CallPlacedFact)] == amid
    assert facts(exchange(2, recited), kinds="call-placed") == []  # the log does not have the reply


def test_parallel_calls_that_the_client_strings_out_are_seen_by_the_reply_that_made_them() -> None:
    both = reply(model(call("a", x=1), call("b", x=2)))
    strung = [ASK, model(call("a", x=1)), user(answer("a")), model(call("b", x=2)), user(answer("b"))]
    told = facts(exchange(1, [ASK], both), exchange(2, strung), kinds="call-placed")
    assert [fact.amid for fact in told if isinstance(fact, CallPlacedFact)] == ["nothing", "parallel"]


def test_calls_just_alike_of_a_history_written_anew_are_not_taken_for_calls_of_the_last_reply() -> None:
    def again(n: int) -> list[Any]:
        """Two calls at once, then one after the other, all alike; each time in another spelling."""
        steps = [ASK, model(call("now"), call("now")), user(answer("now"), answer("now"))]
        steps += [model(call("now")), user(answer("now"))] * n
        return [dict(sorted(one.items(), reverse=n % 2 == 0)) for one in steps]

    replies = [reply(model(call("now"), call("now"))), *[reply(model(call("now")))] * 4]
    asked = [[ASK], *map(again, range(4))]
    told = facts(
        *(exchange(n, *each) for n, each in enumerate(zip(asked, replies, strict=True), 1)), kinds="call-placed"
    )
    assert {fact.amid for fact in told if isinstance(fact, CallPlacedFact)} == {"nothing"}


def test_a_call_that_is_made_again_later_is_not_the_one_of_the_reply_before() -> None:
    made = reply(model(call("now")))
    once = [ASK, model(call("now")), user(answer("now"))]
    told = facts(exchange(1, [ASK], made), exchange(2, [*once, *once[1:]]), kinds="call-placed")
    assert [fact.amid for fact in told if isinstance(fact, CallPlacedFact)] == ["nothing", "nothing"]


def test_a_mistake_stands_in_the_request_that_went_on_and_points_back_to_the_reply() -> None:
    asked = exchange(1, [ASK], reply(model("hm", call("a", "1"))))
    went_on = exchange(2, [ASK, model("hm", call("a", "1")), user("never mind")])
    (fact,) = facts(asked, went_on, kinds="call-settled")
    assert (fact.spot.place().line, fact.spot.place().pointer) == (2, "/request/body/contents/1/parts/1")
    made, follows = (linked.spot.place() for linked in fact.related)
    assert (made.line, made.pointer) == (1, "/response/body/candidates/0/content/parts/1")
    assert (follows.line, follows.pointer) == (2, "/request/body/contents/2")
