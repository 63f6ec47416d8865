"""Makes the facts about the shape of a Content: itself, its parts, its calls and its answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import UNREAD, Answer, Call, Content, Part, Spot
from wirecheck.dialects.vocabulary.field_names import get, keys_of, written
from wirecheck.talk.facts import AnswerFact, CallFact, ContentFact, Context, Fact, PartFact, UnreadFact
from wirecheck.talk.fields.references import dangling, references
from wirecheck.talk.fields.unknown import meant
from wirecheck.talk.history_state import answer_keys, call_keys
from wirecheck.wire.records import Peer

SENT = ("contents", "systemInstruction")
KINDS: dict[type, str] = {str: "text", bool: "a boolean", int: "a number", float: "a number", list: "a list"}


def shapes(
    content: Content,
    sender: Peer,
    turn: int | None,
    context: Context,
    after: str = "",
    only: bool = False,
    last: bool = False,
) -> Iterator[Fact]:
    content = content.full
    if content.shape == UNREAD:
        yield UnreadFact(context=context, spot=content.spot, turn=turn, what="unreadable", why=unread(content.value))
        return
    beside, tail = _around_answers(content) if content.answers else ((), ())
    yield ContentFact(
        context=context,
        spot=content.spot,
        turn=turn,
        sender=sender,
        role=content.role,
        speaker=content.speaker,
        container=content.container,
        shape=content.shape,
        keys=content.keys,
        parts=len(content.parts),
        calls=len(content.calls),
        answers=len(content.answers),
        answered=tuple([answer.name or "no name" for answer in content.answers]),
        strays=_strays(content),
        after=after,
        only=only,
        last=last,
        beside=beside,
        tail=tail,
        instead=() if content.shape == "list" else _instead(content.value, content.shape),
        value=content.value,
    )
    for part in content.parts:
        yield _part(part, content, sender, turn, context)
    for call in content.calls:
        yield call_fact(call, content, sender, turn, context)
    for answer in content.answers:
        yield answer_fact(answer, content, sender, turn, context)


def unread(why: str) -> str:
    return f"what stands here is {why}"


def instructed(body: Mapping[str, Any], spot: Spot, context: Context) -> Iterator[PartFact]:
    """Facts about the parts of the system instruction. It is no turn, and its role has no meaning."""
    value, at = get(body, "systemInstruction"), spot.to(written(body, "systemInstruction"))
    if context.protocol == "generate-content" and type(value) is dict:
        content = read_content(value, "systemInstruction", at)
        yield from (_part(part, content, "client", None, context) for part in content.parts)


def _instead(value: Any, shape: str = "") -> tuple[str, ...]:
    """Describes what there is in place of missing parts or data. Keys with null are named, since they may be meant."""
    if type(value) is not dict:
        return (f"it is {_kind(value)}, not an object",)
    if shape in ("string", "other"):
        return (f"its parts are {_kind(value.get('parts'))}, not a list",)
    first, *rest = keys_of(value) or ("nothing",)
    return (f"its keys: {first}", *rest)


def _kind(value: Any) -> str:
    return KINDS.get(type(value), "null")


def _around_answers(content: Content) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The data of parts other than responses, and of those after the first response."""
    first = next((n for n, part in enumerate(content.parts) if part.answer is not None), len(content.parts))
    others = [(n, name) for n, part in enumerate(content.parts) if part.answer is None for name in part.data]
    return tuple([name for _, name in others]), tuple([name for n, name in others if n > first])


def _strays(content: Content) -> tuple[str, ...]:
    """The answers whose call is not in the same content, as it is when the server executed it."""
    called = {key for call in content.calls for key in call_keys(call)}
    return tuple([_named(answer) for answer in content.answers if called.isdisjoint(answer_keys(answer))])


def _named(answer: Answer) -> str:
    return f"{answer.name or 'no name'} ({answer.id or 'no id'})"


def _part(part: Part, content: Content, sender: Peer, turn: int | None, context: Context) -> PartFact:
    return PartFact(
        context=context,
        spot=part.spot,
        turn=turn,
        call=part.call,
        sender=sender,
        role=content.role,
        speaker=content.speaker,
        container=content.container,
        keys=part.keys,
        data=part.data,
        instead=() if part.data else _instead(part.value),
        meant=meant(part.keys) if not part.data and content.container in SENT else "",
        strange=part.strange,
        value=part.value,
    )


def call_fact(call: Call, content: Content, sender: Peer, turn: int | None, context: Context) -> CallFact:
    return CallFact(
        context=context,
        spot=call.spot.to(*call.member),
        turn=turn,
        call=call,
        sender=sender,
        role=content.role,
        speaker=content.speaker,
        container=content.container,
        id=call.id,
        name=call.name,
        args=call.args,
        keys=call.keys,
        value=call.value,
    )


def answer_fact(answer: Answer, content: Content, sender: Peer, turn: int | None, context: Context) -> AnswerFact:
    names = references(answer)
    return AnswerFact(
        context=context,
        spot=answer.spot.to(*answer.member),
        turn=turn,
        sender=sender,
        role=content.role,
        speaker=content.speaker,
        container=content.container,
        id=answer.id,
        name=answer.name,
        response=answer.response,
        keys=answer.keys,
        references=names,
        dangling=dangling(answer, names),
        value=answer.value,
    )
