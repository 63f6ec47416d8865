"""A request while it is heard: what it recites, where its turns stand, and how far the hearing has come.

Of what a server keeps itself (`past`) the request holds nothing; its own contents are counted on from there.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from wirecheck.dialects.messages import Content, Recited, Spot
from wirecheck.talk.conversation import Conversation, History, Kind
from wirecheck.talk.echo import Echo
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.hearing import hear
from wirecheck.talk.kept import Past
from wirecheck.talk.memory import Node, chained, digests
from wirecheck.talk.retelling import Retelling, Signatures
from wirecheck.talk.scene import Recital as Scene
from wirecheck.talk.signing import SIGNERS
from wirecheck.talk.standing import Ear, Standing, Where

_AGAIN = 4  # contents of a request that are at hand again while it is heard: who looks for its conversation read them


class Recital(Fact, frozen=True, kw_only=True):
    """A request begins. `node` remembers what was noted of the part that was heard before, if it was.

    `skips` is false where that part is read again all the same. `first` is the turn of its first content.
    """

    kind: ClassVar[str] = "recital"

    conversation: Conversation
    node: Node | None
    skips: bool
    hashes: Sequence[int]
    first: int


class Mark(Fact, frozen=True, kw_only=True):
    """The contents of a request were heard so far, and what was noted of them belongs to `node`."""

    kind: ClassVar[str] = "mark"

    node: Node


class Request:
    """Known of it at first is what it recites; whose it is comes with `join`, how it stands with each content."""

    conversation: Conversation
    context: Context
    ear: Ear
    retelling: Retelling

    def __init__(self, message: Recited, past: Past, kind: Kind) -> None:
        read, first, previous = message.read, past.length, message.previous
        self.message, self.past, self.kind = replace(message, read=_remembering(read)), past, kind
        self.first, self.length = first, first + len(message.slices)
        self.scene = Scene(self.length, lambda n: read(n - first), first, past.told)
        self.hashes = digests(message.slices if previous is None else _after(previous, message.slices))
        self.chain = chained(self.hashes, kind.thread)
        self.standing = past.standing()
        self.last: Content | None = None  # that was heard
        self.start = self.heard = 0
        self.waiting = 0  # how long the contents are whose calls wait
        self._signs = SIGNERS.get(message.protocol, _as_it_is)

    @property
    def history(self) -> History:
        return History(self.kind.thread, self.hashes, self.chain, self.message.slices, self.message.read)

    def join(
        self, conversation: Conversation, start: int, heard: int, context: Context, signatures: Signatures
    ) -> None:
        """It belongs to this conversation: what is new to it begins at `start`, and so much anybody has `heard`."""
        self.conversation, self.context, self.start, self.heard = conversation, context, start, heard
        self.ear = Ear(context, _places(self.message, self.past))
        if self.message.previous is None:  # else nothing is recited
            self.ear = replace(self.ear, echo=Echo(conversation, self.hashes, start, heard))
        self.retelling = Retelling(conversation.reply, start, heard, context, signatures)

    def recital(self, node: Node | None, *, skips: bool) -> Recital:
        return Recital(
            context=self.context,
            spot=self.message.spot,
            conversation=self.conversation,
            node=node,
            skips=skips,
            hashes=self.hashes,
            first=self.first,
        )

    def hear(self, standing: Standing, n: int, content: Content) -> tuple[Standing, list[Fact]]:
        """The standing after content n, and what that settled."""
        turn = self.first + n
        standing, facts = hear(standing, content, turn, self.ear)
        return self._signs(standing, content, turn), facts

    def goes_on(self, n: int, content: Content) -> list[Fact]:
        """Content n is new, and all before it was heard."""
        self.standing, facts = self.hear(self.standing, n, content)
        self.last = content
        self.retelling.hear(n, content)
        self.waiting = self.waiting + len(self.message.slices[n]) if self.standing.calls else 0
        return facts

    def read(self, n: int) -> Content:
        """Content n; one that is not even JSON says nothing."""
        try:
            return self.message.read(n)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            at = self.message.at(n)
            return Content(role=None, speaker="", container=self.message.container, shape="none", spot=at)


def _as_it_is(standing: Standing, content: Content, turn: int) -> Standing:
    """Where signatures stand with the parts, hearing told of them."""
    return standing


def _after(previous: str, slices: Sequence[bytes]) -> Iterator[bytes]:
    """The same words after another interaction are other words."""
    named = previous.encode(errors="replace")
    return (named + one for one in slices)


def _places(message: Recited, past: Past) -> Where:
    """The place of each turn; those the server keeps have theirs with them."""

    def place(turn: int) -> Spot:
        return message.at(turn - past.length)

    return message.at if past.length == 0 else place


def _remembering(read: Callable[[int], Content]) -> Callable[[int], Content]:
    """What is asked for again soon is read once."""
    known: dict[int, Content] = {}

    def again(n: int) -> Content:
        if n not in known:
            if len(known) == _AGAIN:
                known.clear()
            known[n] = read(n)
        return known[n]

    return again
