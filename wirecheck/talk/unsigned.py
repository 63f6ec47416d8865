"""Whether the calls of the current turn carry the signature of the thought that led to them.

The current turn is what the model did since the user last said something that is no function result. Over the
OpenAI-style endpoint each step of it has to be signed, on its first call at least; over the Interactions API the turn
has to begin with a signed thought. Knows no bands: whether a server asks for it is for rules to say.
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from wirecheck.dialects.messages import Content
from wirecheck.talk.facts import UnsignedFact
from wirecheck.talk.standing import Asked, Ear, Standing

FRESH = ("", None)


def sign(standing: Standing, content: Content, turn: int, protocol: str) -> Standing:
    """The standing after one more content, as far as signatures go."""
    if content.speaker == "user" and not content.answers:
        fresh = (standing.opened, standing.unsigned) == FRESH
        return standing if fresh else replace(standing, opened="", unsigned=None)
    if content.speaker != "model" or standing.unsigned is not None:
        return standing
    return SIGNERS[protocol](standing, content, turn)


def _each_step(standing: Standing, content: Content, turn: int) -> Standing:
    return _unsigned(standing, content, turn) if content.calls and not content.signed else standing


def _the_first(standing: Standing, content: Content, turn: int) -> Standing:
    if content.signed and not standing.opened:
        return replace(standing, opened="signed")
    standing = standing if standing.opened else replace(standing, opened="unsigned")
    return _unsigned(standing, content, turn) if content.calls and standing.opened == "unsigned" else standing


def _unsigned(standing: Standing, content: Content, turn: int) -> Standing:
    call = content.calls[0]
    return replace(standing, unsigned=Asked(call, turn, call.spot.steps[len(content.spot.steps) :]))


def unsigned(standing: Standing, ear: Ear) -> Iterator[UnsignedFact]:
    """The call of the current turn that lacks its signature, where the model is to go on with that turn."""
    asked = standing.unsigned
    if asked is not None and standing.last == "answers":
        spot = ear.where(asked.turn).to(*asked.inside)
        name, id_ = asked.call.name, asked.call.id
        yield UnsignedFact(context=ear.context, spot=spot, turn=asked.turn, call=asked.call, name=name, id=id_)


SIGNERS: dict[str, Callable[[Standing, Content, int], Standing]] = {
    "chat": _each_step,
    "interactions": _the_first,
}
