"""Which calls of the current turn lack the thought signature that the server will ask for.

The server looks back to the last words of the user; from there on, the first call of each step of the model carries
a signature. In the OpenAI style that stands beside the call or the message; over the Interactions API the turn begins
with a signed thought. Which servers reject its want is for rules to say.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from wirecheck.dialects.messages import Call, Content
from wirecheck.talk.facts import Fact, Linked, UnsignedFact
from wirecheck.talk.history_state import HistoryState, TurnContext, UnsignedCall
from wirecheck.talk.lazy_facts import LazyFacts, small
from wirecheck.talk.recital.reply import ContentOrigin


def begins_turn(content: Content) -> bool:
    """Whether the user says anything but responses."""
    return not content.answers or content.beside > 0


def signs(standing: HistoryState, content: Content, call: Call, turn: int, echoed: ContentOrigin) -> HistoryState:
    """The standing after the first call of a step. One that the server made with earlier calls opens no step."""
    if echoed.parallel or not _lacks(content, call):
        return standing
    if standing.unsigned is not None:
        return replace(standing, unsigned=replace(standing.unsigned, calls=standing.unsigned.calls + 1))
    first = UnsignedCall(
        call=call,
        turn=turn,
        inside=call.spot.steps[len(content.spot.steps) :],
        made=echoed.made[0] if echoed.made else None,
        signed=echoed.signed,
        later=any(other.signed for other in content.calls),
    )
    return replace(standing, unsigned=first)


def _lacks(content: Content, call: Call) -> bool:
    """One inside the call or beside the parts is told of as misplaced, a call of another role or protocol as such."""
    if content.outline is not None:
        return not call.signed and content.role == "model"
    kept_apart = content.container == "steps"
    foreign = (
        kept_apart
        or call.signed
        or content.role != "model"
        or "thoughtSignature" in content.keys
        or not {"thoughtSignature", "arguments"}.isdisjoint(call.keys)
    )
    return not foreign and any(part.call is call for part in content.parts)


def unsigned(standing: HistoryState, ear: TurnContext) -> Iterable[LazyFacts]:
    """What the server will miss in the request at hand."""
    first = standing.unsigned
    if first is None:
        return ()
    outline = "unsigned", first.signed, first.later, not first.inside, small(first.calls)
    return ear.piece(outline, partial(_fact, first, ear))


def _fact(first: UnsignedCall, ear: TurnContext) -> Iterator[Fact]:
    yield UnsignedFact(
        context=ear.context,
        spot=ear.where(first.turn).to(*first.inside),
        turn=first.turn,
        call=first.call,
        related=(Linked(first.made, "the server made the call here"),) if first.made is not None else (),
        name=first.call.name,
        calls=first.calls,
        made=first.signed,
        later=first.later,
        step=not first.inside,
    )


def _each_step(standing: HistoryState, content: Content, turn: int) -> HistoryState:
    """Messages in the OpenAI style: one signature for each that calls."""
    if content.speaker != "model" or not content.calls or content.signed:
        return standing
    return _first(standing, content, turn)


def _beginning(standing: HistoryState, content: Content, turn: int) -> HistoryState:
    """Steps of an interaction: the first of the turn is a signed thought."""
    if content.speaker == "user" and begins_turn(content):
        return replace(standing, opened="") if standing.opened else standing
    if content.speaker != "model":
        return standing
    if not standing.opened:
        standing = replace(standing, opened="signed" if content.signed else "unsigned")
    return _first(standing, content, turn) if content.calls and standing.opened == "unsigned" else standing


def _first(standing: HistoryState, content: Content, turn: int) -> HistoryState:
    if standing.unsigned is not None:
        return standing
    call = content.calls[0]
    inside = call.spot.steps[len(content.spot.steps) :]
    return replace(standing, unsigned=UnsignedCall(call, turn, inside, None, "unknown", later=False))


# What follows each content, where signatures do not stand with the parts.
SIGNERS: dict[str, Callable[[HistoryState, Content, int], HistoryState]] = {
    "chat": _each_step,
    "interactions": _beginning,
}
