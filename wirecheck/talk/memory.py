"""What has been heard, remembered by the prefix itself.

Over HTTP every request recites the whole history. Each content of a history is hashed, each prefix by chaining the
hashes of its contents; a prefix that was heard before leads to a Node: where the conversation stood after it. Its
`notes` (of findings) and `memory` (of checks) belong to those who write there.
"""

from collections import OrderedDict
from typing import Any

from xxhash import xxh3_64_intdigest, xxh3_128_intdigest

from wirecheck.talk.standing import Standing
from wirecheck.talk.threads import Conversation

Prefix = tuple[object, int]  # what must be the same besides the contents (band, surface, …), and the chained hash


class Node:
    """Where a conversation stood after a prefix."""

    __slots__ = ("memory", "notes", "owner", "standing")

    def __init__(self, standing: Standing, owner: Conversation) -> None:
        self.standing = standing
        self.owner = owner
        self.notes: Any = None
        self.memory: Any = None


class Memory:
    """The prefixes heard last; the oldest are let go."""

    def __init__(self, most: int = 65_536) -> None:
        self._nodes: OrderedDict[Prefix, Node] = OrderedDict()
        self._most = most

    def longest(self, kind: object, chain: list[int]) -> tuple[int, Node | None]:
        """How many of the contents were heard before in this order, and the node after them."""
        for length in range(len(chain), 0, -1):
            if node := self._nodes.get((kind, chain[length - 1])):
                self._nodes.move_to_end((kind, chain[length - 1]))
                return length, node
        return 0, None

    def last(self, kind: object, link: int) -> str:
        """What the content was that ends a prefix, as its Standing says; empty where that is forgotten."""
        node = self._nodes.get((kind, link))
        return node.standing.last if node is not None else ""

    def add(self, kind: object, link: int, standing: Standing, owner: Conversation) -> Node:
        self._nodes[kind, link] = node = Node(standing, owner)
        if len(self._nodes) > self._most:
            self._nodes.popitem(last=False)
        return node


def digests(slices: tuple[bytes, ...]) -> list[int]:
    return [xxh3_64_intdigest(one) for one in slices]


def chained(hashes: list[int]) -> list[int]:
    """For each prefix one number: the hash of what came before and of the content that ends it."""
    chain, before = [], 0
    for one in hashes:
        before = xxh3_128_intdigest(b"%x %x" % (before, one))
        chain.append(before)
    return chain
