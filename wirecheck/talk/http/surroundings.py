"""What is judged on every request anew: its last position, and what stands around the contents."""

from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from typing import Any

from wirecheck.cache import Cache
from wirecheck.dialects.messages import UNREAD, Content
from wirecheck.dialects.raw_json import Undecodable, decode, why_not
from wirecheck.dialects.strict_types import instruction
from wirecheck.dialects.vocabulary.field_names import keys_of
from wirecheck.hashing import digest
from wirecheck.models import UNLIMITED, Limits, Models
from wirecheck.talk.content_facts import instructed, unread
from wirecheck.talk.facts import EndingFact, Fact, RequestFact, UnreadFact
from wirecheck.talk.fields import unknown
from wirecheck.talk.fields.limited_settings import settings
from wirecheck.talk.http.request import Request
from wirecheck.talk.lazy_facts import LazyFacts, small
from wirecheck.talk.schemas.tool_facts import strangers, tools
from wirecheck.talk.schemas.toolbox import Toolbox

WORDS = 1  # what stands for an instruction that is nothing but words: no rule reads them


class Surroundings:
    """What stands around the contents comes with every request of a client: it is known by its bytes."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._instructions: Cache[int, int] = Cache(4096)

    def facts(self, request: Request, toolbox: Toolbox) -> Iterable[LazyFacts]:
        message, context_class = request.message, request.context_class
        if message.slices and (message.container in ("contents", "steps") or message.protocol == "chat"):
            last = request.last or request.read(len(message.slices) - 1)
            outline = None if last.outline is None else ("ending", last.outline, small(request.length))
            if last.shape != UNREAD:
                yield from request.lazy(outline, partial(_ending, request, last))
        limits = UNLIMITED
        if not self._models.limited.isdisjoint(message.around):
            limits = self._models.limits(message.model, message.surface, message.seen.at)
        facts = partial(_around, request, toolbox, limits)
        if message.protocol != "generate-content" or context_class is None:
            yield LazyFacts(None, facts)
            return
        tools = context_class, "tools", toolbox.digest
        settings = context_class, self._settings(request, toolbox, limits)
        if not (request.quiet.holds(tools) and request.quiet.holds(settings)):
            yield LazyFacts((tools, settings), facts, (tools, settings))

    def _settings(self, request: Request, toolbox: Toolbox, limits: Limits) -> Hashable:
        """What stands around the contents, but for the tools: of these what rules about requests see."""
        message = request.message
        members = [(name, self._digest(name, raw)) for name, raw in message.around.items() if name != "tools"]
        if "toolConfig" in message.around or "tool_config" in message.around:
            members.append(("tools", toolbox.digest))
        return "settings", limits, message.streams, message.broken, small(len(message.slices)), toolbox.sight, *members

    def _digest(self, name: str, raw: bytes) -> int:
        own = digest(raw)
        if name != "systemInstruction":
            return own
        if (known := self._instructions.get(own)) is None:
            try:
                instruction(raw)
                known = WORDS
            except (ValueError, RecursionError):
                known = own
            self._instructions.put(own, known)
        return known


def _around(request: Request, toolbox: Toolbox, limits: Limits) -> Iterator[Fact]:
    message, context, body = request.message, request.context, dict[str, Any]()
    for key, raw in message.around.items():
        try:
            body[key] = toolbox.value if key == "tools" and toolbox.value is not None else decode(raw)
        except Undecodable as error:
            body[key], spot, why = None, message.spot.to(key), unread(why_not(error))
            yield UnreadFact(context=context, spot=spot, what="unreadable", why=why)
    yield RequestFact(
        context=context,
        spot=message.spot,
        contents=len(message.slices),
        streams=message.streams,
        broken=message.broken,
        keys=keys_of(body),
        body=body,
        tools=toolbox.kinds,
        functions=len(toolbox.declared),
        undescribed=toolbox.undescribed,
        strangers=strangers(body, toolbox),
    )
    yield from instructed(body, message.spot, context)
    yield from unknown.around(body, len(message.slices), message.spot, context)
    yield from settings(body, limits, message.spot, context)
    yield from tools(body, message.spot, context, toolbox)


def _ending(request: Request, last: Content) -> Iterator[EndingFact]:
    last = last.full
    yield EndingFact(
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
