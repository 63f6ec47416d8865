"""What of the lane is in C. Where it could not be compiled nothing is usual: all is read the long way, with the same
findings, and slower."""

from collections.abc import Sequence
from typing import Any


class Unread:
    """Reads nothing."""

    def __init__(self, row: tuple[Any, ...]) -> None:
        pass

    def read(self, data: bytes, begin: int = 0, at: int = 0, past: int = 0) -> None:
        return None

    recognise = read

    def read_lines(self, lines: Sequence[bytes], begin: int, prefix: bytes) -> list[tuple[bytes, tuple[Any, ...], int]]:
        return []


class Indirect:
    """Takes in nothing."""

    def given(self, things: dict[str, Any]) -> None:
        pass

    def take(self, cut: Any, heard: Any, path: str, number: int) -> bool:
        return False

    def run(self, lines: Sequence[bytes], begin: int, path: str, number: int, kept: bool) -> tuple[int, int]:
        return 0, 0

    def tell(self, *contents: Any) -> None:
        return None

    seam = words = tell


def never(*args: Any) -> Any:
    raise NotImplementedError("nothing was read")


try:
    from wirecheck.lane.compiled import (
        ENDING,
        PART,
        REPLY,
        Content,
        Direct,
        Outline,
        Reader,
        Reply,
        named,
        number,
        pack,
        piece,
        unpack,
    )
except ImportError:
    ENDING = PART = REPLY = 0
    Reader, Direct = Unread, Indirect  # type: ignore[assignment,misc]
    Content = Outline = Reply = named = number = pack = piece = unpack = never  # type: ignore[misc,assignment]

__all__ = [
    "ENDING",
    "PART",
    "REPLY",
    "Content",
    "Direct",
    "Indirect",
    "Outline",
    "Reader",
    "Reply",
    "Unread",
    "named",
    "number",
    "pack",
    "piece",
    "unpack",
]
