"""What is judged on every request anew: its last position, and what stands around the contents."""

from collections.abc import Iterator
from typing import Any

import msgspec

from wirecheck.dialects.names import keys_of
from wirecheck.talk import strays
from wirecheck.talk.facts import EndingFact, Fact, RequestFact
from wirecheck.talk.offer import Offer
from wirecheck.talk.request import Request
from wirecheck.talk.shapes import instructed
from wirecheck.talk.tools import strangers, tools


def beside(request: Request, offer: Offer) -> Iterator[Fact]:
    message, context, toolbox = request.message, request.context, offer.toolbox
    if message.slices and (message.container in ("contents", "steps") or context.protocol == "chat"):
        yield _ending(request)
    body = {key: toolbox.value if key == "tools" else _value(raw) for key, raw in message.around.items()}
    yield RequestFact(
        context=context,
        spot=message.spot,
        contents=len(message.slices),
        streams=message.streams,
        keys=keys_of(body),
        body=body,
        tools=toolbox.kinds,
        functions=len(toolbox.declared),
        undescribed=toolbox.undescribed,
        strangers=strangers(body, toolbox),
    )
    yield from instructed(body, message.spot, context)
    yield from strays.around(body, len(message.slices), message.spot, context)
    yield from tools(body, message.spot, context, toolbox)


def _ending(request: Request) -> EndingFact:
    last = request.last or request.read(len(request.message.slices) - 1)
    return EndingFact(
        context=request.context,
        spot=last.spot,
        turn=request.length - 1,
        role=last.role,
        speaker=last.speaker,
        contents=request.length,
        parts=len(last.parts),
        calls=len(last.calls),
        answers=len(last.answers),
        value=last.value,
    )


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
