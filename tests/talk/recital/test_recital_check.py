"""A reply, and what became of it in the next request: what clients may do is silent, what loses something is told."""

from copy import deepcopy
from typing import Any

import pytest

from tests.stories.conversations import answer, call, exchange, facts, model, reply, user
from wirecheck.talk.facts import ForgottenFact, RecitedFact, UnsignedFact

A = "EpsBCpgBAXLI2nxhYwqB3vN0tq8c4sKpV7mWzJ5dQ2rTgUe/+A=="
B = "EogCCoUCAdHtim9KxPqT0vGb5cYwLr3nUzMj7sFhQ8aDeWk1oI=="
BYPASS = "skip_thought_signature_validator"
SEARCH = {"toolCall": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB"}}


def signed(part: dict[str, Any], signature: str = A) -> dict[str, Any]:
    return {**part, "thoughtSignature": signature}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"text": words, **more}


ROME, OSLO = call("weather", "c1", city="Rome"), call("weather", "c2", city="Oslo")
DONE = user(answer("weather", "c1"), answer("weather", "c2"))
BOTH = [signed(ROME), OSLO]


def told(said: list[Any], *recited: Any, name: str = "gemini-3.6-flash", finish: str = "STOP") -> list[str]:
    """What is told of a reply and of the contents that follow its request."""
    first = exchange(1, [user("hi")], reply(model(*said), finish), name=name)
    heard = facts(first, exchange(2, [user("hi"), *recited], name=name), kinds="recited")
    return [f"{fact.what} {fact.how}" for fact in heard if isinstance(fact, RecitedFact)]


# What the server said, and the contents that the client sends.
SILENT: dict[str, tuple[list[Any], list[Any]]] = {
    "word for word": (BOTH, [model(*BOTH), DONE]),
    "base64url without padding": (
        BOTH,
        [model(signed(ROME, A.replace("/", "_").replace("+", "-").rstrip("=")), OSLO), DONE],
    ),
    "snake case": (BOTH, [model({"function_call": ROME["functionCall"], "thought_signature": A}, OSLO), DONE]),
    "ids added": ([signed(call("now"))], [model(signed(call("now", "mine"))), user(answer("now", "mine"))]),
    "chunks put together": ([text("It is "), text("late."), signed(text(""))], [model(signed(text("It is late.")))]),
    "thoughts dropped": ([signed(text("Hm", thought=True), B), *BOTH], [model(*BOTH), DONE]),
    "an empty part dropped": ([*BOTH, text("")], [model(*BOTH), DONE]),
    "words dropped beside calls": ([text("Let me see."), *BOTH], [model(*BOTH), DONE]),
    "a part added": (BOTH, [model(text("I look."), *BOTH), DONE]),
    "a call of its own added": (BOTH, [model(*BOTH, signed(call("note", "c3"), BYPASS)), DONE]),
    "calls in two contents": (BOTH, [model(BOTH[0]), model(BOTH[1]), DONE]),
    "calls and responses by turns": (
        BOTH,
        [model(BOTH[0]), user(answer("weather", "c1")), model(BOTH[1]), user(answer("weather", "c2"))],
    ),
    "args: null, order and floats": (
        [signed(call("f", "c1", a=1, b=None, c=[2]))],
        [model(signed(call("f", "c1", c=[2.0], a=1))), user(answer("f", "c1"))],
    ),
    "a signature that the log cut": (BOTH, [model(signed(ROME, A[:9] + "…"), OSLO), DONE]),
    "a stand-in where there was none": ([call("now")], [model(signed(call("now"), BYPASS)), user(answer("now"))]),
    "a signature inside the call": (
        [signed(ROME)],
        [model({"functionCall": {**ROME["functionCall"], "thoughtSignature": A}}), user(answer("weather", "c1"))],
    ),
    "a response too many is counted elsewhere": (BOTH, [model(signed(ROME)), DONE]),
    "a response of nothing is told elsewhere": ([ROME], [user(answer("weather", "c1"))]),
}

TOLD: dict[str, tuple[list[Any], list[Any], list[str]]] = {
    "a call vanished": (BOTH, [model(signed(ROME)), user(answer("weather", "c1"))], ["call missing"]),
    "renamed": ([signed(ROME)], [model(signed(call("sky", "c1", city="Rome")))], ["call renamed"]),
    "other arguments": ([signed(ROME)], [model(signed(call("weather", "c1", city="Oslo")))], ["call args"]),
    "an argument more": ([call("f", a=1)], [model(call("f", a=1, b=2))], ["call args"]),
    "the id dropped": ([signed(ROME)], [model(signed(call("weather", city="Rome")))], ["call id-dropped"]),
    "the id replaced": ([signed(ROME)], [model(signed(call("weather", "x", city="Rome")))], ["call id-replaced"]),
    "the signature dropped": (BOTH, [model(ROME, OSLO), DONE], ["call unsigned"]),
    "the signature null": (BOTH, [model({**ROME, "thoughtSignature": None}, OSLO), DONE], ["call unsigned"]),
    "the signature cut": (BOTH, [model(signed(ROME, A[:40]), OSLO), DONE], ["call forged"]),
    "another signature": (BOTH, [model(signed(ROME, B), OSLO), DONE], ["call forged"]),
    "a stand-in": (BOTH, [model(signed(ROME, BYPASS), OSLO), DONE], ["call bypassed"]),
    "a stand-in in base64": (
        BOTH,
        [model(signed(ROME, "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="), OSLO), DONE],
        ["call bypassed"],
    ),
    "moved to the other call": (BOTH, [model(ROME, signed(OSLO)), DONE], ["call moved"]),
    "moved to the other call, and no ids": (
        [signed(call("now")), call("weather", city="Oslo")],
        [model(call("now"), signed(call("weather", city="Oslo"))), user(answer("now"), answer("weather"))],
        ["call moved"],
    ),
    "moved from the text": (
        [signed(text("Let me see.")), ROME],
        [model(text("Let me see."), signed(ROME)), user(answer("weather", "c1"))],
        ["text moved"],
    ),
    "signed texts put together": (
        [signed(text("It is ")), signed(text("late."), B)],
        [model(signed(text("It is late."), B))],
        ["text merged"],
    ),
    "a text unsigned": ([signed(text("It is late."))], [model("It is late.")], ["text unsigned"]),
    "an image unsigned": (
        [text("Here."), signed({"inlineData": {"mimeType": "image/png", "data": "AAAA"}})],
        [model(text("Here."), {"inlineData": {"mimeType": "image/png", "data": "AAAA"}})],
        ["inlineData unsigned"],
    ),
    "an empty text dropped": ([text("It is late."), signed(text(""))], [model("It is late.")], ["empty unsigned"]),
    "a search of the server dropped": ([signed(SEARCH, B), *BOTH], [model(*BOTH), DONE], ["toolCall missing"]),
    "left out": ([text("It is late.")], [user("Well?")], ["reply missing"]),
    "a call of another run": ([signed(call("f", a=1))], [model(signed(call("f", a=2), B))], ["reply replaced"]),
    "a call of another run, which the log cut": (
        [signed(call("f", a=1))],
        [model(signed(call("f", a=2), B[:20] + "…"))],
        ["reply replaced"],
    ),
    "a call of another name and run": (
        [signed(call("f", a=1))],
        [model(signed(call("g", a=1), B))],
        ["reply replaced"],
    ),
    "other words": ([text("It is late.")], [model("I do not know."), user("Well?")], ["reply replaced"]),
}


@pytest.mark.parametrize("name", ["gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.6-flash"])
@pytest.mark.parametrize(("said", "recited"), SILENT.values(), ids=SILENT)
def test_what_clients_may_do_is_silent(said: list[Any], recited: list[Any], name: str) -> None:
    assert told(said, *recited, user("Go on"), name=name) == []


@pytest.mark.parametrize(("said", "recited", "expected"), TOLD.values(), ids=TOLD)
def test_what_is_lost_is_told_once(said: list[Any], recited: list[Any], expected: list[str]) -> None:
    assert told(said, *recited) == expected
    assert told(said, *recited, user("Go on")) == expected


@pytest.mark.parametrize("finish", ["MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", ""])
@pytest.mark.parametrize(("said", "recited", "expected"), TOLD.values(), ids=TOLD)
def test_a_reply_that_did_not_come_to_its_end_is_free(said: Any, recited: Any, expected: Any, finish: str) -> None:
    assert told(said, *recited, finish=finish) == []


def test_a_reply_beside_another_one_is_free() -> None:
    """A request that is sent twice has two replies, and the client goes on with either."""
    history = [user("hi"), model("Hello"), user("Weather?")]
    first = exchange(1, history, reply(model(signed(ROME))))
    second = exchange(2, deepcopy(history), reply(model(signed(OSLO, B))))
    goes_on = exchange(3, [*history, model(signed(ROME)), user(answer("weather", "c1"))])
    assert facts(first, second, goes_on, kinds="recited unsigned forgotten") == []


def test_a_signature_of_another_reply_is_no_forgery() -> None:
    """Where two runs are alike, which of them a request belongs to is a guess."""
    runs = [exchange(n, [user("hi")], reply(model(signed(call("now"), one)))) for n, one in ((1, A), (2, B))]
    goes_on = [exchange(n, [user("hi"), model(signed(call("now"), one))]) for n, one in ((3, B), (4, A))]
    assert facts(*runs, *goes_on, kinds="recited") == []


def test_a_change_points_at_both_places() -> None:
    first = exchange(1, [user("hi")], reply(model("Hm.", ROME)))
    (fact,) = facts(first, exchange(2, [user("hi"), model("Hm.", call("sky", "c1", city="Rome"))]), kinds="recited")
    assert fact.spot.place().pointer == "/request/body/contents/1/parts/1"
    assert [(each.spot.place().line, each.spot.place().pointer) for each in fact.related] == [
        (1, "/response/body/candidates/0/content/parts/1")
    ]


def missed(*contents: Any) -> list[tuple[str | None, int | None, int]]:
    heard = facts(exchange(1, list(contents)), kinds="unsigned")
    return [(fact.name, fact.turn, fact.calls) for fact in heard if isinstance(fact, UnsignedFact)]


F, G = call("f"), call("g")
FR, GR = user(answer("f")), user(answer("g"))
# Contents, and the first call that the server will miss a signature on: name, turn, how many.
STEPS: dict[str, tuple[list[Any], list[Any]]] = {
    "the first call": ([user("hi"), model(F), FR], [("f", 1, 1)]),
    "the last content": ([user("hi"), model(F)], [("f", 1, 1)]),
    "parallel calls": ([user("hi"), model(signed(F), G), user(answer("f"), answer("g"))], []),
    "parallel calls in two contents": ([user("hi"), model(signed(F)), model(G)], []),
    "the second step": ([user("hi"), model(signed(F)), FR, model(G), GR], [("g", 3, 1)]),
    "two steps": ([user("hi"), model(F), FR, model(G), GR], [("f", 1, 2)]),
    "an older turn": ([user("hi"), model(F), FR, model("so"), user("and?"), model(signed(G)), GR], []),
    "words right after the response": ([user("hi"), model(F), FR, user("and?")], []),
    "words beside the response": ([user("hi"), model(F), user(answer("f"), "and?")], []),
    "an image beside the response": ([user("hi"), model(F), user(answer("f"), {"inlineData": {}})], []),
    "an empty signature": ([user("hi"), model(signed(F, "")), FR], [("f", 1, 1)]),
    "the second call is signed": ([user("hi"), model(F, signed(G)), user(answer("f"), answer("g"))], [("f", 1, 1)]),
    "role function": ([user("hi"), model(F), {"role": "function", "parts": [answer("f")]}], [("f", 1, 1)]),
    "signed inside the call": ([user("hi"), model({"functionCall": {"name": "f", "thoughtSignature": A}}), FR], []),
    "a call of the user": ([user("hi"), user(F), FR], []),
    "a call of another protocol": ([user("hi"), {"role": "model", "tool_calls": [{"function": {"name": "f"}}]}], []),
}


@pytest.mark.parametrize(("contents", "expected"), STEPS.values(), ids=STEPS)
def test_the_first_call_of_each_step_of_the_current_turn_is_signed(contents: Any, expected: Any) -> None:
    assert missed(*contents) == expected


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ([signed(call("f"))], "signed"),
        ([call("f")], "unsigned"),
        ([signed(call("g")), call("f")], "beside"),
        ([text("f")], "unknown"),
    ],
)
def test_what_the_server_gave_is_remembered(said: list[Any], made: str) -> None:
    sent = exchange(2, [user("hi"), model(F), FR])
    again = exchange(3, [user("hi"), model(F), FR, model(signed(G)), GR])
    heard = facts(exchange(1, [user("hi")], reply(model(*said))), sent, again, kinds="unsigned")
    assert [fact.made for fact in heard if isinstance(fact, UnsignedFact)] == [made, made]


U, M = [user(f"u{n}") for n in range(9)], [model(f"m{n}") for n in range(9)]
OLD = [U[0], M[0], U[1], M[1], U[2]]
# The request before, the next one, and what of it is gone.
CUT: dict[str, tuple[list[Any], list[Any], list[Any]]] = {
    "nothing": (OLD, [*OLD, M[2], U[3]], []),
    "a turn in the middle": (OLD, [U[0], M[0], U[2], M[2], U[3]], [("gone", 2, 2)]),
    "one content of the model": (OLD, [U[0], M[0], U[1], U[2], M[2], U[3]], [("gone", 3, 1)]),
    "one content of the user": (OLD, [U[0], M[0], M[1], U[2], M[2], U[3]], [("gone", 2, 1)]),
    "the oldest": (OLD, [U[1], M[1], U[2], M[2], U[3]], [("trimmed", 0, 2)]),
    "all but the first and the last": (
        [U[0], M[0], U[1], M[1], U[2], M[2], U[3]],
        [U[0], M[2], U[3], M[3], U[4]],
        [("trimmed", 1, 4)],
    ),
    "a summary": (
        [*OLD, M[2], U[3]],
        [user("so far"), M[2], U[3], M[3], U[4]],
        [("condensed", 1, 4)],
    ),
    "written anew": (OLD, [U[0], model("m0 "), U[1], M[1], U[2], M[2], U[3]], []),
    "in another order": (OLD, [M[0], U[0], U[1], M[1], U[2], M[2], U[3]], []),
    "the last words too": (OLD, [U[0], M[0], U[1]], []),
}


@pytest.mark.parametrize(("before", "after", "expected"), CUT.values(), ids=CUT)
def test_what_is_gone_from_a_history_is_told(before: list[Any], after: list[Any], expected: list[Any]) -> None:
    heard = facts(exchange(1, before, reply(M[2] if M[2] in after else M[3])), exchange(2, after), kinds="forgotten")
    assert [(fact.how, fact.turn, fact.contents) for fact in heard if isinstance(fact, ForgottenFact)] == expected


def test_after_a_failure_anything_may_be_left_out() -> None:
    failed = exchange(1, OLD, {"error": {"code": 400, "message": "too long"}}, 400)
    assert facts(failed, exchange(2, [U[0], M[0], U[2]]), kinds="forgotten") == []
