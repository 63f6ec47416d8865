"""What has been heard, remembered by the prefix itself.

Over HTTP every request recites the whole history. Each content of a history is hashed, each prefix by chaining the
hashes of its contents; a prefix that was heard before leads to a Node: where the conversation stood after it. Its
`notes` (of findings) and `memory` (of checks) belong to those who write there.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Raw, Struct
from xxhash import xxh3_64_intdigest

from wirecheck.talk.conversation import LEFT_OUT, Conversation
from wirecheck.talk.room import Room
from wirecheck.talk.standing import NAME, Standing

Prefix = int  # the chained hash, and what must be the same besides the contents (band, surface, …)
ROOM, LIGHT = 6 << 20, 1 << 10  # of all standings; a light one calls next to nothing


class Node(Struct, eq=False):
    """Where a conversation stood after a prefix; without `standing` that is to be heard again."""

    standing: Standing | None
    owner: Conversation
    notes: Any = None
    memory: Any = None


class Left(Struct, frozen=True, gc=False):
    """What an exchange that was taken in at once has left, until somebody asks: whose it is, and its notes. Where there
    are none, the conversation itself stands for it."""

    owner: Conversation
    notes: Any


Kept = Node | Left | Conversation


class Memory:
    """The `most` prefixes heard last, and those before that which were heard while there were as many; what is older is
    let go, and sooner the standings that hold much.

    Where an exchange was taken in at once, what it left stands in place of the nodes until somebody asks for them.
    """

    __slots__ = ("_before", "_lately", "_light", "_most", "_standings")

    def __init__(self, most: int = 8192) -> None:
        self._lately: dict[Prefix, Kept] = {}
        self._before: dict[Prefix, Kept] = {}
        self._most = most
        self._light = LIGHT
        self._standings: Room[Prefix, Node] = Room(ROOM, LIGHT)

    def longest(self, kind: int, chain: list[int]) -> tuple[int, Node | None]:
        """How many of the contents were heard before in this order, and the node after them."""
        lately, before = self._lately, self._before
        for length in range(len(chain), 0, -1):
            key = kind ^ chain[length - 1]
            if (key in lately or key in before) and self.again(key):
                return length, self._node(key, self._lately[key])
        return 0, None

    def again(self, key: Prefix) -> bool:
        """Whether this prefix was heard before. It is not idle now."""
        if key in self._lately:
            return True
        if (found := self._before.get(key)) is not None:
            self._put(key, found)
        return found is not None

    def add(self, kind: int, link: int, standing: Standing | None, owner: Conversation, size: int = 0) -> Node:
        """`size` is how long the contents are of which the standing holds calls and answers."""
        node = Node(standing, owner)
        self._put(kind ^ link, node)
        self._weigh(kind ^ link, node, size)
        return node

    def leave(self, kind: int, links: list[int], owner: Conversation) -> None:
        """The conversation stands after the last of these now."""
        left = Left(owner, owner.path) if owner.path else owner
        for link in links:
            self._put(kind ^ link, left)
        if NAME * len(owner.called) > self._light:
            for link in links:
                self._node(kind ^ link, left)

    def noted(self, kind: int, links: list[int], notes: Iterable[Any], owner: Conversation) -> None:
        """What is wrong up to each of these prefixes, which were left just now; some may be let go already."""
        for link, several in zip(links, notes, strict=True):
            key = kind ^ link
            kept = self._lately if key in self._lately else self._before
            if isinstance(node := kept.get(key), Node):
                node.notes = several or None
            elif node is not None:
                kept[key] = Left(owner, several) if several else owner

    def kept(self, keys: set[Prefix] | None = None) -> Iterator[tuple[Prefix, Kept]]:
        """What was left at these prefixes, or at all; the latest comes last."""
        for prefixes in (self._before, self._lately):
            for key in prefixes if keys is None else keys.intersection(prefixes):
                yield key, prefixes[key]

    def _node(self, key: Prefix, found: Kept) -> Node:
        if isinstance(found, Node):
            return found
        owner, notes = (found.owner, found.notes) if isinstance(found, Left) else (found, None)
        node = Node(_standing(owner, key), owner, notes)
        nodes = self._lately if key in self._lately else self._before
        if key in nodes:
            nodes[key] = node
            self._weigh(key, node)
        return node

    def _weigh(self, key: Prefix, node: Node, size: int = 0) -> None:
        standing = node.standing
        if standing is not None and (standing.called or standing.calls or standing.answers):
            for idle in self._standings.keep(key, node, standing.weight + size):
                _forget(idle)

    def _put(self, key: Prefix, node: Kept) -> None:
        if len(self._lately) >= self._most:
            self._turn()
        self._lately[key] = node

    def _turn(self) -> None:
        """Another generation begins."""
        self._before, self._lately = self._lately, {}


def _standing(owner: Conversation, key: Prefix) -> Standing | None:
    """How an exchange left its history, if nothing has come after it; not known where functions were called in what is
    left out of it."""
    if owner.sound is None or owner.sound.exact ^ owner.chain != key:
        return None
    if any([one.turn == LEFT_OUT for one in owner.called]):
        return None
    return Standing(last=owner.state, words=owner.words, thin=True, called=owner.called)


def _forget(node: Node) -> None:
    """What goes on from there is heard again from its start."""
    standing, node.standing = node.standing, None
    if standing is not None and standing.called and node.owner.called is standing.called:
        node.owner.called, node.owner.sound = (), None


def digests(slices: Iterable[Raw | bytes]) -> "array[int]":
    return array("Q", [xxh3_64_intdigest(one) for one in slices])


def chained(hashes: Iterable[int], before: int) -> list[int]:
    """For each prefix one number: the hash of what came before and of the content that ends it."""
    chain = []
    for one in hashes:
        before = xxh3_64_intdigest(one.to_bytes(8, "little"), before)
        chain.append(before)
    return chain
