"""Conversations for tests: short to write, and heard the way a log is."""

from collections.abc import Iterator
from typing import Any

import msgspec

from wirecheck.data.shipped import models
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset
from wirecheck.talk.facts import Fact
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Peer, Record, Replied, Site

GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/{}:generateContent"
LIVE = (
    "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService"
    ".BidiGenerateContent"
)
Json = dict[str, Any]


def user(*parts: Json | str) -> Json:
    return {"role": "user", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


def model(*parts: Json | str) -> Json:
    return {"role": "model", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


def call(name: str, call_id: str | None = None, **args: Any) -> Json:
    return {"functionCall": {**({"id": call_id} if call_id else {}), "name": name, "args": args}}


def answer(name: str, call_id: str | None = None, response: Any = None) -> Json:
    given = {"ok": True} if response is None else response
    return {"functionResponse": {**({"id": call_id} if call_id else {}), "name": name, "response": given}}


def reply(content: Json, finish: str = "STOP", **more: Any) -> Json:
    return {"candidates": [{"content": content, "finishReason": finish, "index": 0}], **more}


def error(text: str, code: int = 400) -> Json:
    return {"error": {"code": code, "message": text, "status": "INVALID_ARGUMENT"}}


def exchange(
    number: int,
    body: Any,
    answered: Any = None,
    status: int = 200,
    name: str = "gemini-3.6-flash",
    url: str | None = None,
) -> Iterator[Record]:
    """The records of one line of a log: a request and, where there is one, its reply."""
    origin, channel = Origin("log.jsonl", number), str(number)
    where = Site(origin, "/request/body")
    sent = Body(msgspec.json.encode({"contents": body} if isinstance(body, list) else body), where)
    yield Opened(channel=channel, origin=origin, method="POST", url=url or GEMINI.format(name), body=sent)
    if answered is not None:
        yield Replied(channel=channel, origin=origin, status=status)
        said = Body(msgspec.json.encode(answered), Site(origin, "/response/body"))
        yield Frame(channel=channel, origin=origin, sender="server", body=said)
    yield Closed(channel=channel, origin=origin, recorded=answered is not None)


def session(*frames: tuple[str, Json], close: tuple[int, str] | None = None, url: str = LIVE) -> Iterator[Record]:
    """The records of a Live session: (">", frame of the client) and ("<", frame of the server)."""
    origin = Origin("log.jsonl", 1)
    yield Opened(channel="1", origin=origin, method="GET", url=url)
    for number, (side, frame) in enumerate(frames, 2):
        origin = Origin("log.jsonl", number)
        sender: Peer = "client" if side == ">" else "server"
        body = Body(msgspec.json.encode(frame), Site(origin, "/data"))
        yield Frame(channel="1", origin=origin, sender=sender, body=body)
    last = Origin("log.jsonl", len(frames) + 2)
    if close is None:
        yield Closed(channel="1", origin=last, recorded=False)
    else:
        yield Closed(channel="1", origin=last, code=close[0], reason=close[1])


def facts(*records: Iterator[Record], kinds: str = "", memo: bool = True) -> list[Fact]:
    """What talk makes of records: the facts of these kinds, in order."""
    heard: list[Fact] = []
    inspector = Inspector(Ruleset((), models()), listen=heard.append, memo=memo)
    for each in records:
        for record in each:
            inspector.feed(record)
    inspector.close()
    return [fact for fact in heard if not kinds or fact.kind in kinds.split()]
