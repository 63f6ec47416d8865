"""Which calls of the current turn lack the thought signature that the server will ask for.

The server looks back to the last words of the user; from there on, the first call of each step of the model carries
a signature. In the OpenAI style that stands beside the call or the message; over the Interactions API the turn begins
with a signed thought. Which servers reject its want is for rules to say.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from wirecheck.dialects.messages import Call, Content
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.dialects.vocabulary.stand_in_signatures import REFUSED
from wirecheck.talk.facts import Fact, Linked, UnsignedFact
from wirecheck.talk.history_state import HistoryState, TurnContext, UnsignedCall
from wirecheck.talk.lazy_facts import LazyFacts, small
from wirecheck.talk.recital.reply import NOTHING, ContentOrigin

Made = Callable[[], ContentOrigin]  # where the calls of a content were made


def begins_turn(content: Content) -> bool:
    """Whether the user says anything but responses."""
    return not content.answers or content.beside > 0


def signs(
    state: HistoryState, content: Content, call: Call, turn: int, origin: ContentOrigin, surface: str
) -> HistoryState:
    """The state after the first call of a step. One that the server made with earlier calls opens no step."""
    if origin.parallel:
        return state
    stand_in = call.signed and surface in REFUSED and _stands_in(content, call, REFUSED[surface])
    if not stand_in and not _lacks(content, call):
        return state
    if state.unsigned is not None:
        return replace(state, unsigned=replace(state.unsigned, calls=state.unsigned.calls + 1))
    first = UnsignedCall(
        call=call,
        turn=turn,
        inside=call.spot.steps[len(content.spot.steps) :],
        made=origin.made[0] if origin.made else None,
        signed=origin.signed,
        later=any(other.signed for other in content.calls if other is not call),
        stand_in=stand_in,
    )
    return replace(state, unsigned=first)


def _stands_in(content: Content, call: Call, refused: Collection[str]) -> bool:
    """Whether the signature of a call is one of these stand-ins."""
    if content.outline is not None and "B" not in content.outline:  # a regular content without a stand-in
        return False
    parts = [part for part in content.full.parts if part.call is not None and part.spot.steps == call.spot.steps]
    signatures = [get(part.value, "thoughtSignature") for part in parts if type(part.value) is dict]
    return any([type(each) is str and each in refused for each in signatures])


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


def unsigned(state: HistoryState, turn_context: TurnContext) -> Iterable[LazyFacts]:
    """What the server will miss in the request at hand."""
    first = state.unsigned
    if first is None:
        return ()
    outline = "unsigned", first.signed, first.later, first.stand_in, not first.inside, small(first.calls)
    return turn_context.lazy(outline, partial(_fact, first, turn_context))


def _fact(first: UnsignedCall, turn_context: TurnContext) -> Iterator[Fact]:
    yield UnsignedFact(
        context=turn_context.context,
        spot=turn_context.where(first.turn).to(*first.inside),
        turn=first.turn,
        call=first.call,
        related=(Linked(first.made, "the server made the call here"),) if first.made is not None else (),
        name=first.call.name,
        calls=first.calls,
        made=first.signed,
        later=first.later,
        stand_in=first.stand_in,
        step=not first.inside,
    )


def _each_step(state: HistoryState, content: Content, turn: int, made: Made) -> HistoryState:
    """Messages in the OpenAI style: one signature for each that calls."""
    if content.speaker != "model" or not content.calls or content.signed:
        return state
    return _first(state, content, turn, made())


def _beginning(state: HistoryState, content: Content, turn: int, _: Made) -> HistoryState:
    """Steps of an interaction: the first of the turn is a signed thought."""
    if content.speaker == "user" and begins_turn(content):
        return replace(state, opened="") if state.opened else state
    if content.speaker != "model":
        return state
    if not state.opened:
        state = replace(state, opened="signed" if content.signed else "unsigned")
    return _first(state, content, turn, NOTHING) if content.calls and state.opened == "unsigned" else state


def _first(state: HistoryState, content: Content, turn: int, origin: ContentOrigin) -> HistoryState:
    if state.unsigned is not None:
        return state
    call = content.calls[0]
    inside = call.spot.steps[len(content.spot.steps) :]
    made = origin.made[0] if origin.made else None
    return replace(state, unsigned=UnsignedCall(call, turn, inside, made, origin.signed, later=False))


# What follows each content, where signatures do not stand with the parts.
SIGNERS: dict[str, Callable[[HistoryState, Content, int, Made], HistoryState]] = {
    "chat": _each_step,
    "interactions": _beginning,
}
