"""What has been heard, remembered by the prefix itself.

Over HTTP every request recites the whole history. Each content of a history is hashed, each prefix by chaining the
hashes of its contents; a prefix that was heard before leads to a Node: where the conversation stood after it. Its
`notes` (of findings) and `memory` (of checks) belong to those who write there.
"""

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Raw, Struct
from xxhash import xxh3_64_intdigest

from wirecheck.talk.conversation import Conversation
from wirecheck.talk.room import Room
from wirecheck.talk.standing import Standing

Prefix = int  # the chained hash, and what must be the same besides the contents (band, surface, …)
ROOM, LIGHT = 6 << 20, 1 << 10  # of all standings; a light one calls next to nothing


class Node(Struct, eq=False):
    """Where a conversation stood after a prefix; without `standing` that is to be heard again."""

    standing: Standing | None
    owner: Conversation
    notes: Any = None
    memory: Any = None
    line: int = 0  # where it was heard last, for those who note that


class Memory:
    """The prefixes heard last; the oldest are let go, and sooner the standings after them that hold much."""

    def __init__(self, most: int = 16_384) -> None:
        self._nodes: OrderedDict[Prefix, Node] = OrderedDict()
        self._most = most
        self._standings: Room[Prefix, Node] = Room(ROOM, LIGHT)

    def longest(self, kind: int, chain: list[int]) -> tuple[int, Node | None]:
        """How many of the contents were heard before in this order, and the node after them."""
        for length in range(len(chain), 0, -1):
            if node := self._nodes.get(kind ^ chain[length - 1]):
                self._nodes.move_to_end(kind ^ chain[length - 1])
                return length, node
        return 0, None

    def add(self, kind: int, link: int, standing: Standing | None, owner: Conversation, size: int = 0) -> Node:
        """`size` is how long the contents are of which the standing holds calls and answers."""
        self._nodes[kind ^ link] = node = Node(standing, owner)
        if len(self._nodes) > self._most:
            self._nodes.popitem(last=False)
        if standing is not None and (standing.called or standing.calls or standing.answers):
            for idle in self._standings.keep(kind ^ link, node, standing.weight + size):
                _forget(idle)
        return node


def _forget(node: Node) -> None:
    """What goes on from there is heard again from its start."""
    standing, node.standing = node.standing, None
    if standing is not None and standing.called and node.owner.called is standing.called:
        node.owner.called, node.owner.sound = (), None


def digests(slices: Sequence[Raw | bytes]) -> "array[int]":
    return array("Q", [xxh3_64_intdigest(one) for one in slices])


def chained(hashes: Iterable[int], before: int) -> list[int]:
    """For each prefix one number: the hash of what came before and of the content that ends it."""
    chain = []
    for one in hashes:
        before = xxh3_64_intdigest(one.to_bytes(8, "little"), before)
        chain.append(before)
    return chain
