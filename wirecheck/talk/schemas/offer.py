"""Calls against what was offered: the functions a request declares, and what their arguments may be.

Only asked where a request declares functions: of one that declares none, a log may have left them out.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.dialects.messages import Call, Spot, Step
from wirecheck.dialects.vocabulary.field_names import written
from wirecheck.talk.facts import Context, Linked, MisfitFact
from wirecheck.talk.schemas.toolbox import Declaration, Toolbox
from wirecheck.talk.streamed_arguments import is_piece
from wirecheck.wire.records import Peer

_CUT = ("MAX_TOKENS", "MALFORMED_FUNCTION_CALL")  # a call may have been cut short


class CalledFunction(Struct, frozen=True, gc=False):
    """A function that was called in a history, and where for the first time."""

    name: str
    turn: int
    inside: tuple[Step, ...]
    number: int = 0  # among all of that history


class CalledFunctions:
    """The functions called in a history, each once. Immutable: longer ones share what they have in common."""

    __slots__ = ("_length", "_shared")

    def __init__(self, shared: dict[str, CalledFunction] | None = None, length: int = 0) -> None:
        self._shared: dict[str, CalledFunction] = {} if shared is None else shared
        self._length = length  # of what is shared, so many are of this history

    def and_also(self, later: Iterable[CalledFunction]) -> "CalledFunctions":
        """With those that are called now. What the latest history adds is added in place, else nobody may see it."""
        longer = self
        for each in later:
            known = longer._shared.get(each.name)
            if known is not None and known.number < longer._length:
                continue
            shared, length = longer._shared, longer._length
            if length < len(shared) or not length:
                shared = dict(islice(shared.items(), length))
            shared[each.name] = replace(each, number=length)
            longer = CalledFunctions(shared, length + 1)
        return longer

    def __iter__(self) -> Iterator[CalledFunction]:
        return islice(self._shared.values(), self._length)

    def __len__(self) -> int:
        return self._length


NEVER_CALLED = CalledFunctions()


class Offer(Struct, frozen=True):
    """What a request offers. `closed`: what it does not declare cannot be called."""

    context: Context
    spot: Spot
    toolbox: Toolbox
    closed: bool

    def misfits(self, calls: Iterable[Call], turn: int, finish: str | None = None) -> Iterator[MisfitFact]:
        """Which calls of the model do not fit."""
        for call in calls if self.toolbox.names else ():
            declared = self.toolbox.declaration(call.name)
            if self.lacks(call.name):
                yield self._undeclared(call.name, call.id, call.spot.to(*call.member), turn, "server", finish)
            elif declared is not None and finish not in _CUT and _whole(call):
                yield from self._arguments(call, declared, turn, finish)

    def forgotten(self, called: Iterable[CalledFunction], where: Callable[[int], Spot]) -> Iterator[MisfitFact]:
        """Which functions of a recited history are not declared any more."""
        for each in called if self.toolbox.names else ():
            if self.lacks(each.name):
                spot = where(each.turn).to(*each.inside)
                yield self._undeclared(each.name, None, spot, each.turn, "client", None)

    def lacks(self, name: str | None) -> bool:
        return self.closed and bool(name) and name not in self.toolbox.names

    def _undeclared(
        self, name: str | None, call_id: str | None, spot: Spot, turn: int, sender: Peer, finish: str | None
    ) -> MisfitFact:
        return MisfitFact(
            context=self.context,
            spot=spot,
            turn=turn,
            how="undeclared",
            sender=sender,
            id=call_id,
            name=name,
            path="",
            problem="",
            declared=self.toolbox.sorted_names,
            finish=finish,
        )

    def _arguments(self, call: Call, declared: Declaration, turn: int, finish: str | None) -> Iterator[MisfitFact]:
        found = self.toolbox.problem(declared, call.args)
        if found is None:
            return
        args = (written(call.value, "args"), *found.path) if type(call.value) is dict and call.args is not None else ()
        yield MisfitFact(
            context=self.context,
            spot=call.spot.to(*call.member, *args),
            turn=turn,
            call=call,
            related=(Linked(self.spot.to(*declared.steps), "the declaration"),),
            how="extra" if found.extra else "args",
            sender="server",
            id=call.id,
            name=call.name,
            path=".".join(["args", *map(str, found.path)]),
            problem=found.text,
            declared=self.toolbox.sorted_names,
            finish=finish,
        )


def _whole(call: Call) -> bool:
    """A call of which all arguments are there, as an object."""
    return (call.args is None or type(call.args) is dict) and not is_piece(call)
