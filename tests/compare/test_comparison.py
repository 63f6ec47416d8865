"""What differs between a log and the wire: what, how, and where."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.compare.sides import RULES, Side, answer, call, chat, heard, logged, model, sent, user
from wirecheck import Reader
from wirecheck.compare import compare, compare_records
from wirecheck.compare.judging import heard as heard_in

FIXTURES = sorted((Path(__file__).parent.parent.parent / "fixtures").glob("*/log.json*"))
SAMPLES = Path(__file__).parent.parent.parent.parent / "shared" / "samples"
WIRE: Side = [
    user({"text": "What is the time in Rome and in Oslo?"}),
    model({"text": "I look."}, call(id="c1", city="Rome"), call(id="c2", city="Oslo")),
    user(answer({"output": {"time": "12:00"}}, id="c1"), answer({"output": {"time": "12:01"}}, id="c2")),
    model({"text": "It is noon."}),
]


def openai(*, without: tuple[int, ...] = (), **changes: Any) -> bytes:
    """The same as an application might log it, without some messages, with some changed: m3={"content": …}."""
    calls = [
        {"id": id, "type": "function", "function": {"name": "now", "arguments": json.dumps({"city": city})}}
        for id, city in (("c1", "Rome"), ("c2", "Oslo"))
    ]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What is the time in Rome and in Oslo?"},
        {"role": "assistant", "content": "I look.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": '{"time": "12:00"}'},
        {"role": "tool", "tool_call_id": "c2", "content": '{"time": "12:01"}'},
        {"role": "assistant", "content": "It is noon."},
    ]
    changed = [each | changes.get(f"m{n}", {}) for n, each in enumerate(messages) if n not in without]
    return logged(*changed)


def told(log: bytes, wire: bytes) -> list[tuple[str, str, str, int]]:
    """What, how, in which of the two, at which line."""
    compared = compare(heard(log), heard(wire, "wire.jsonl"))
    places = [(each.fact.what, each.fact.how, each.fact.spot.place()) for each in compared.differences]
    return [(what, how, place.path.partition(".")[0], place.line) for what, how, place in places]


ONE_CALL = json.loads(openai().splitlines()[1])["tool_calls"][:1]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (openai(), []),
        (openai(without=(2,)), [("answer", "unlogged", "wire", 2)]),
        (openai(without=(2, 3)), [("answer", "unlogged", "wire", 2), ("answer", "unlogged", "wire", 2)]),
        (openai(without=(4,)), [("text", "unlogged", "wire", 2)]),
        (openai(m1={"tool_calls": ONE_CALL}), [("call", "unlogged", "wire", 1)]),
        (openai(m1={"tool_calls": []}), [("call", "unlogged", "wire", 1)] * 2),
        (openai(m3={"content": "noon"}), [("answer", "content", "log", 4)]),
        (openai(m3={"tool_call_id": "c9"}), [("answer", "id", "log", 4)]),
        (openai(m3={"name": "clock"}), [("answer", "name", "log", 4)]),
        (openai(m4={"role": "user"}), [("text", "role", "log", 5)]),
        (openai(m4={"content": "It is one o'clock."}), [("text", "content", "log", 5)]),
        (openai(m4={"content": " It is\nnoon. "}), []),  # blanks are no difference
        (openai(m3={"content": '{"result": [{"type": "text", "text": "12:01"}]}'}), [("answer", "content", "log", 4)]),
        (openai(m3={"content": '{"result": {"time": "12:01"}}'}), []),  # nor is the key a response is under
        (openai() + logged({"role": "user", "content": "Thanks!"}), [("text", "unsent", "log", 6)]),
    ],
)
def test_what_the_log_has_otherwise(log: bytes, expected: list[tuple[str, str, str, int]]) -> None:
    assert told(log, sent(WIRE)) == expected


def test_a_response_that_was_logged_and_never_sent() -> None:
    """The history lost both responses on its way to the server."""
    wire = sent([*WIRE[:2], user({"text": "Well?"}), WIRE[3]])
    assert told(openai(), wire) == [
        ("answer", "unsent", "log", 3),
        ("answer", "unsent", "log", 4),
        ("text", "unlogged", "wire", 2),
    ]


def test_another_order() -> None:
    lines = openai().splitlines(keepends=True)
    assert told(b"".join([*lines[:2], lines[4], *lines[2:4]]), sent(WIRE)) == [("text", "order", "log", 3)]


def test_what_was_sent_once_counts_although_a_later_request_has_it_no_more() -> None:
    """The request after it has lost the responses; they had been sent."""
    later = [WIRE[0], WIRE[1], WIRE[3], *chat("And in Bern?", "The same.")]
    log = openai() + logged({"role": "user", "content": "And in Bern?"}, {"role": "assistant", "content": "The same."})
    assert told(log, sent(WIRE) + sent(later).splitlines(keepends=True)[-1]) == []


def test_blocks_of_text_are_the_text() -> None:
    """As tools of MCP return it."""
    wire = [*WIRE[:1], model(call()), user(answer({"content": [{"type": "text", "text": "It is noon"}]})), WIRE[3]]
    log = [*WIRE[:1], model(call()), user(answer({"output": "It is noon"})), WIRE[3]]
    assert told(logged({"contents": log}), sent(wire)) == []


def test_a_trimmed_history_is_still_what_was_said() -> None:
    texts = [f"This is text number {n} of many" for n in range(12)]
    wire = sent(chat(*texts[:8])) + sent(chat(*texts[4:])).splitlines(keepends=True)[-1]
    log = logged(*({"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)))
    assert told(log, wire) == []


def test_calls_without_ids_are_told_apart_by_what_they_ask() -> None:
    wire = [
        user({"text": "Time?"}),
        model(call(id=None, city="Rome"), call(id=None, city="Oslo")),
        user(answer({"time": 1}, id=None), answer({"time": 2}, id=None)),
        model({"text": "Noon."}),
    ]
    swapped = [wire[0], model(call(id=None, city="Oslo"), call(id=None, city="Rome")), *wire[2:]]
    assert told(logged({"contents": swapped}), sent(wire)) == [("call", "order", "log", 1)]
    other = [wire[0], model(call(id=None, city="Rome"), call(id=None, city="Bern")), *wire[2:]]
    assert told(logged({"contents": other}), sent(wire)) == [("call", "content", "log", 1)]


def test_a_reply_in_many_chunks_is_one_text() -> None:
    chunks = "".join(
        f"data: {json.dumps({'candidates': [{'content': {'role': 'model', 'parts': [{'text': piece}]}}]})}\n\n"
        for piece in ("It ", "is ", "no", "on.")
    )
    lines = [json.loads(line) for line in sent(WIRE).splitlines()]
    lines[-1]["response"]["body"] = chunks
    assert told(openai(), logged(*lines)) == []


def test_a_live_session_beside_what_the_application_logged() -> None:
    frames = [
        ("client", {"setup": {"model": "models/gemini-3.8-live"}}),
        ("server", {"setupComplete": {}}),
        ("client", {"clientContent": {"turns": [user({"text": "Light, please"})], "turnComplete": True}}),
        ("server", {"toolCall": {"functionCalls": [call("light")["functionCall"]]}}),
        ("client", {"toolResponse": {"functionResponses": [answer({"ok": True}, "light")["functionResponse"]]}}),
        ("server", {"serverContent": {"outputTranscription": {"text": "There "}}}),
        ("server", {"serverContent": {"outputTranscription": {"text": "is light."}}}),
        ("server", {"serverContent": {"turnComplete": True}}),
    ]
    wire = logged(*({"from": peer, "data": data} for peer, data in frames))
    log = [user({"text": "Light, please"}), model(call("light")), model({"text": "There is light."})]
    assert told(logged({"contents": log}), wire) == [("answer", "unlogged", "wire", 5)]


def live(*frames: tuple[str, dict[str, Any]]) -> bytes:
    begun = [("client", {"setup": {"model": "models/gemini-3.8-live"}}), ("server", {"setupComplete": {}})]
    return logged(*({"from": peer, "data": data} for peer, data in (*begun, *frames)))


def said(**content: Any) -> tuple[str, dict[str, Any]]:
    return "server", {"serverContent": content}


def turn(*parts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "client", {"clientContent": {"turns": [user(*parts)], "turnComplete": True}}


def test_a_live_server_writes_no_role() -> None:
    texts = [said(modelTurn={"parts": [{"text": piece}]}) for piece in ("There ", "is light.")]
    wire = live(turn({"text": "Light, please"}), *texts, said(turnComplete=True))
    assert told(logged(*chat("Light, please", "There is light.")), wire) == []
    assert told(logged(*chat("Light, please", "Night.")), wire) == [("text", "content", "log", 2)]
    model_first = logged({"role": "model", "parts": [{"text": "Light, please"}]}, model({"text": "There is light."}))
    assert told(model_first, wire) == [("text", "role", "log", 1)]


CALLED = ("server", {"toolCall": {"functionCalls": [call("light")["functionCall"]]}})
DONE = ("client", {"toolResponse": {"functionResponses": [answer({"ok": True}, "light")["functionResponse"]]}})
SPOKEN = ("client", {"realtimeInput": {"audio": {"mimeType": "audio/pcm", "data": "AAAA"}}})
HEARD = said(modelTurn={"parts": [{"inlineData": {"mimeType": "audio/pcm", "data": "AAAA"}}]})
USER, MODEL = (
    said(**{key: {"text": text}}) for key, text in (("inputTranscription", "Light!"), ("outputTranscription", "Lit."))
)


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ([SPOKEN, USER, CALLED, DONE, HEARD, MODEL], []),
        ([SPOKEN, CALLED, USER, DONE, HEARD, MODEL], []),  # a transcription comes when it comes
        ([SPOKEN, CALLED, DONE, HEARD, MODEL, USER], []),
        ([SPOKEN, CALLED, DONE, HEARD], []),  # sound is not compared
        ([SPOKEN, CALLED, DONE, HEARD, MODEL], []),
        ([SPOKEN, CALLED, HEARD], [("answer", "unsent", "log", 3)]),
        ([SPOKEN, USER, CALLED, DONE], [("text", "unsent", "log", 4)]),  # nothing of the model was heard
        ([CALLED, DONE, HEARD, MODEL], [("text", "unsent", "log", 1)]),
    ],
)
def test_what_was_spoken_in_a_live_session(
    frames: list[tuple[str, dict[str, Any]]], expected: list[tuple[str, str, str, int]]
) -> None:
    log = [user({"text": "Light!"}), model(call("light")), user(answer({"ok": True}, "light")), model({"text": "Lit."})]
    assert told(logged(*log), live(*frames, said(turnComplete=True))) == expected


@pytest.mark.parametrize("id", ["c1", None])
def test_a_response_of_other_content_is_told_where_one_side_has_no_ids(id: str | None) -> None:
    """Also where it stands between texts that are the same."""
    other = None if id else "c9"
    history = [user({"text": "Time?"}), model(call(id=id)), user(answer({"time": 1}, id=id)), model({"text": "Noon."})]
    log = [history[0], model(call(id=other)), user(answer({"time": 2}, id=other)), history[3]]
    assert told(logged({"contents": log}), sent(history)) == [("answer", "content", "log", 1)]
    nameless = {"role": "tool", "tool_call_id": "c9", "content": '{"time": 2}'}
    function = {"name": "now", "arguments": "{}"}
    asked = {"role": "assistant", "tool_calls": [{"id": "c9", "type": "function", "function": function}]}
    messages: Side = [{"role": "user", "content": "Time?"}, asked, nameless, {"role": "assistant", "content": "Noon."}]
    expected = ["content"] if id is None else ["id", "unsent", "unlogged"]
    assert [
        how for what, how, *_ in told(logged(*messages), sent(history)) if what == "answer" or how == "id"
    ] == expected


def test_two_contents_of_the_model_are_two_texts() -> None:
    """As the agents of a session speak, one after the other."""
    history = [
        *chat("Hello?", "Fine.", "ok"),
        model({"text": "Fine."}),
        model({"text": "yes"}),
        *chat("ok", "yes", "ok", "yes"),
    ]
    events = [
        {
            "id": f"e{n}",
            "author": each["role"],
            "invocation_id": f"i{n}",
            "timestamp": n,
            "content": each,
            "actions": {},
        }
        for n, each in enumerate(history)
    ]
    session = {"id": "s", "appName": "a", "userId": "u", "state": {}, "lastUpdateTime": 1}
    assert told(logged(session | {"events": events}), sent(history)) == []
    assert told(logged(session | {"events": [*events[:3], *events[4:]]}), sent(history)) == [
        ("text", "unlogged", "wire", 2)
    ]


def test_of_several_candidates_the_first_is_heard_or_the_one_that_is_recited() -> None:
    first, second, last = (
        json.loads(sent(chat("Name a city", "Rome")).splitlines()[0]),
        *chat("", "Oslo")[1:],
        "Why that one?",
    )
    first["response"]["body"]["candidates"].append({"index": 1, "content": second})
    assert told(logged(*chat("Name a city", "Rome")), logged(first)) == []
    stream = [{"candidates": [each | {"index": n}]} for n, each in enumerate(first["response"]["body"]["candidates"])]
    streamed = first | {"response": {"status": 200, "body": stream}}
    assert told(logged(*chat("Name a city", "Rome")), logged(streamed)) == []
    later = sent(chat("Name a city", "Oslo", last, "It is cold")).splitlines(keepends=True)[-1]
    log = logged(*chat("Name a city", "Oslo", last, "It is cold"))
    assert told(log, logged(first) + later) == [("text", "unlogged", "wire", 1)]


@pytest.mark.parametrize("times", [2, 3])
def test_a_request_that_is_sent_again_may_be_answered_alike(times: int) -> None:
    history = [*WIRE, *chat("ok", "Anything else?", "yes", "Tell me.")]
    lines = sent(history).splitlines(keepends=True)
    retried = b"".join([lines[0], lines[1] * times, lines[2] * times, lines[3]])
    log = [json.loads(line) for line in openai().splitlines()]
    log += [
        {"role": ("user", "assistant")[n % 2], "content": each["parts"][0]["text"]}
        for n, each in enumerate(history[4:])
    ]
    assert told(logged(*log), retried) == []
    assert told(logged(*log[:-3], *log[-2:]), retried) == [("text", "unlogged", "wire", times + 2)]


def test_a_difference_names_the_other_side_and_what_is_around_it() -> None:
    (found,) = compare(heard(openai(without=(3,))), heard(sent(WIRE), "wire.jsonl")).differences
    (other,) = found.fact.related
    assert (other.spot.place().path, other.spot.place().line) == ("log.jsonl", 3)
    assert [line.mark for line in found.around] == ["", "", "here", ""]
    assert found.around[2].text == '→ now {"output": {"time": "12:01"}}  id c2'


def test_logs_of_different_things_are_not_compared() -> None:
    compared = compare(heard(openai()), heard(sent(chat("Good night", "Sleep well"))))
    assert (compared.logged, compared.sent, compared.found, compared.differences) == (1, 1, 0, [])


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.parent.name)
def test_no_log_differs_from_itself(path: Path) -> None:
    assert compare_records(Reader([str(path)]), Reader([str(path)]), RULES) == []


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not beside the project")
def test_no_sample_differs_from_itself() -> None:
    for path in sorted(each for each in SAMPLES.rglob("*") if each.is_file() and each.name != "NOTE.md"):
        once, again = (heard_in(Reader([str(path)]), RULES) for _ in range(2))
        compared = compare(once, again)
        assert (compared.differences, compared.found) == ([], compared.logged), path


@pytest.mark.parametrize(
    "value",
    ["\ud800", 1e999, 10**400, "9" * 5000, '{"a": ' * 60 + "1" + "}" * 60, [{"type": "text", "text": None}], True],
    ids=["surrogate", "infinite", "large", "digits", "nested", "odd", "true"],
)
def test_odd_values_are_compared(value: Any) -> None:
    wire = [*WIRE[:2], user(answer({"output": value}, id="c1"), answer({"output": 1}, id="c2"))]
    assert told(sent(wire), sent(wire)) == []
