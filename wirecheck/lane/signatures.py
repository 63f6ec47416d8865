"""Thought signatures as they are written, in base64."""

from binascii import a2b_base64
from collections.abc import Iterable

from wirecheck.lane.blank import Content
from wirecheck.talk.piece import BYPASSES, digest_of

LONG = 64  # what stands in for a signature is shorter


def signatures(content: Content, signed: Iterable[int]) -> list[int]:
    """The places among the values of those of these parts."""
    return [place for m in signed if isinstance(place := content.parts[m].thought_signature, int)]


def bypassed(written: Iterable[bytes]) -> bool:
    """Whether one of them is a text that stands in for a signature."""
    return any([len(one) < LONG and a2b_base64(one) in BYPASSES for one in written])


def digest(written: bytes) -> int:
    return digest_of(written.rstrip(b"="))
