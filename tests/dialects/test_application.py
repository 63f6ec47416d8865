"""Of what goes between a browser and a backend, messages and recitals are read, and nothing else is held against it."""

import pytest

from tests.dialects.regular import messages
from wirecheck.data.shipped import models
from wirecheck.dialects import Dialects
from wirecheck.dialects.messages import Recited
from wirecheck.dialects.regular_content import AnyMessage
from wirecheck.wire import payload
from wirecheck.wire.records import Closed, Frame, Opened, Origin, Peer, Record, Replied, Site

HERE = Origin("log.jsonl", 1)
MARK = {"x-wirecheck": "application"}
TEXT = '{"role":"model","parts":[{"text":"Hi."}]}'


def read(*records: Record) -> list[AnyMessage]:
    dialects = Dialects(models())
    return [message for record in records for message in messages(dialects, record)]


def opened(body: str = "", headers: dict[str, str] = MARK) -> Opened:
    held = payload.of_text(body, Site(HERE, "/body")) if body else None
    return Opened(channel="1", origin=HERE, method="POST", url="https://app/x", headers=headers, body=held)


def frame(data: str, sender: Peer = "server") -> Frame:
    return Frame(channel="1", origin=HERE, sender=sender, body=payload.of_text(data, Site(HERE, "/data")))


FRAMES = {
    "a message": (TEXT, ["Said"]),
    "a message as OpenAI has it": ('{"role":"tool","tool_call_id":"1","content":"18"}', ["Said"]),
    "a recital": ('{"user_input":"So?","chat_messages":[' + TEXT + "]}", ["Recited"]),
    "a recital by another name": ('{"messages":[' + TEXT + "]}", ["Recited"]),
    "a role alone": ('{"role":"admin"}', []),
    "a piece of a sentence": ('{"sentence":"Hi"}', []),
    "the state of a tool": ('{"tool_call":true,"tool_status":"started","tool_name":"look"}', []),
    "no JSON": ("ping", []),
    "a list": ("[1]", []),
    "the end": ('{"done":true}', []),
    "an error": ('{"error":"no"}', []),
}


@pytest.mark.parametrize(("data", "kinds"), FRAMES.values(), ids=FRAMES)
def test_a_frame(data: str, kinds: list[str]) -> None:
    assert [type(message).__name__ for message in read(opened(), frame(data, "client"))] == kinds
    assert [type(message).__name__ for message in read(opened(data), frame('{"reply":1}'))] == kinds


def test_messages_stand_where_they_were_written() -> None:
    (recited,) = read(opened(), frame('{"chat_messages":[1,' + TEXT + "]}"))
    assert isinstance(recited, Recited)
    spot = recited.read(1).spot
    assert (spot.site.pointer, spot.steps) == ("/data", ("chat_messages", 1))


def test_what_the_status_says_is_no_servers_word_on_a_history() -> None:
    status = Replied(channel="1", origin=HERE, status=200)
    closed = Closed(channel="1", origin=HERE)
    assert [type(each).__name__ for each in read(opened(TEXT), status, closed)] == ["Said", "Hangup"]


def test_a_live_session_that_is_relayed_is_one() -> None:
    said = read(
        opened(), frame("ping"), frame('{"setup":{"model":"models/m"}}', "client"), frame('{"setupComplete":{}}')
    )
    assert [type(each).__name__ for each in said] == ["Connected", "Setup", "Framed", "Framed"]


def test_without_the_mark_a_server_nobody_knows_is_not_judged() -> None:
    recital = '{"messages":[' + TEXT + "]}"
    assert [type(message).__name__ for message in read(opened(recital, {}))] == ["Unreadable"]
