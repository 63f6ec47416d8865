"""A request while it is heard: what it recites, where its turns stand, and how far the hearing has come.

Of what a server keeps itself (`past`) the request holds nothing; its own contents are counted on from there.
"""

from array import array

import msgspec
from msgspec import Struct

from wirecheck.dialects.messages import Content, Recited, Spot, number_of
from wirecheck.talk.conversation import Conversation, History, Kind
from wirecheck.talk.echo import Echo
from wirecheck.talk.facts import Context
from wirecheck.talk.hearing import hear
from wirecheck.talk.kept import Past
from wirecheck.talk.memory import Node
from wirecheck.talk.pieces import Piece, Quiet
from wirecheck.talk.retelling import Retelling, Signatures
from wirecheck.talk.scene import Recital as Scene
from wirecheck.talk.signing import SIGNERS
from wirecheck.talk.standing import NO_ECHO, Ear, Standing, Where

_AGAIN = 4  # contents of a request that are at hand again while it is heard


class Mark(Struct, frozen=True):
    """The contents of a request were heard so far, and what was noted of them belongs to `node`."""

    node: Node


class Request:
    """Known of it at first is what it recites; whose it is comes with `join`, how it stands with each content.

    `node` remembers what was noted of the part that was heard before, if it was. `skips` is false where that part is
    read again all the same. `first` is the turn of its first content.
    """

    conversation: Conversation
    context: Context
    ear: Ear
    retelling: Retelling

    def __init__(self, message: Recited, past: Past, kind: Kind) -> None:
        read, first, previous, slices = message.read, past.length, message.previous, message.slices
        self.message, self.past, self.kind, self.spot = message, past, kind, message.spot
        self._read, self._again = read, dict[int, Content]()
        self.first, self.length = first, first + len(slices)
        self.scene = Scene(self.length, lambda n: read(n - first), first, past.told)
        self.hashes, self.chain = slices.hashes, slices.chain
        if previous is not None:  # the same words after another interaction are other words
            salt = number_of(previous)
            self.hashes = array("Q", [one ^ salt for one in self.hashes])
            self.chain = array("Q", [one ^ salt for one in self.chain])
        self.node: Node | None = None
        self.skips = True
        self.standing = past.standing()
        self.last: Content | None = None  # that was heard
        self.start = self.heard = 0
        self.waiting = 0  # how long the contents are whose calls wait
        self._signs = SIGNERS.get(message.protocol, _as_it_is)

    @property
    def history(self) -> History:
        return History(self.kind.thread, self.hashes, self.chain, self.message.slices, self._once_read)

    def join(
        self,
        conversation: Conversation,
        start: int,
        heard: int,
        node: Node | None,
        context: Context,
        signatures: Signatures,
        quiet: Quiet,
    ) -> None:
        """It belongs to this conversation: what is new to it begins at `start`, and so much anybody has `heard`."""
        self.conversation, self.context, self.start, self.heard, self.node = conversation, context, start, heard, node
        echo = Echo(conversation, self.hashes, start, heard) if self.message.previous is None else NO_ECHO
        self.ear = Ear(context, _places(self.message, self.past), echo, quiet.kin(context), quiet)
        self.retelling = Retelling(conversation.reply, start, heard, context, signatures)

    def hear(self, standing: Standing, n: int, content: Content) -> tuple[Standing, list[Piece]]:
        """The standing after content n, and what that settled."""
        turn = self.first + n
        standing, facts = hear(standing, content, turn, self.ear)
        return self._signs(standing, content, turn), facts

    def goes_on(self, n: int, content: Content) -> list[Piece]:
        """Content n is new, and all before it was heard."""
        self.standing, facts = self.hear(self.standing, n, content)
        self.last = content
        self.retelling.hear(n, content)
        self.waiting = self.waiting + len(self.message.slices[n]) if self.standing.calls else 0
        return facts

    def _once_read(self, n: int) -> Content:
        """What is asked for again soon is read once: who looks for its conversation has read it, and who hears it."""
        known = self._again
        if n not in known:
            if len(known) == _AGAIN:
                known.clear()
            known[n] = self._read(n)
        return known[n]

    def read(self, n: int) -> Content:
        """Content n; one that is not even JSON says nothing."""
        try:
            return self._once_read(n)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            at = self.message.at(n)
            return Content(role=None, speaker="", container=self.message.container, shape="none", spot=at)


def _as_it_is(standing: Standing, content: Content, turn: int) -> Standing:
    """Where signatures stand with the parts, hearing told of them."""
    return standing


def _places(message: Recited, past: Past) -> Where:
    """The place of each turn; those the server keeps have theirs with them."""

    def place(turn: int) -> Spot:
        return message.at(turn - past.length)

    return message.at if past.length == 0 else place

