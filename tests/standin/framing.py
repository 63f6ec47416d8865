"""How a reply becomes bytes: one body, server-sent events or a JSON array, in an encoding, in pieces.

Every piece is flushed through its encoder, so that a client can read it before the next one is sent.
"""

import importlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tests.standin.mind import Json, dump, whole
from tests.standin.wishes import Wishes

NEWLINES = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}
TYPES = {"sse": "text/event-stream"}  # everything else is JSON


class Encoder(NamedTuple):
    """One encoding: how a piece goes in, how it is pushed out, and how the whole ends."""

    feed: Callable[[bytes], bytes]
    push: Callable[[], bytes]
    end: Callable[[], bytes]


def _deflating(bits: int) -> Encoder:
    maker = zlib.compressobj(wbits=bits)
    return Encoder(maker.compress, lambda: maker.flush(zlib.Z_SYNC_FLUSH), maker.flush)


def _brotli() -> Encoder:
    maker: Any = importlib.import_module("brotli").Compressor()
    return Encoder(maker.process, maker.flush, maker.finish)


def _zstd() -> Encoder:
    library: Any = importlib.import_module("zstandard")
    maker = library.ZstdCompressor().compressobj()
    return Encoder(maker.compress, lambda: maker.flush(library.COMPRESSOBJ_FLUSH_BLOCK), maker.flush)


ENCODERS: dict[str, Callable[[], Encoder]] = {
    "": lambda: Encoder(bytes, bytes, bytes),
    "gzip": lambda: _deflating(31),
    "deflate": lambda: _deflating(15),
    "br": _brotli,
    "zstd": _zstd,
}


def pieces(said: Sequence[Json], framing: str, asked: Wishes) -> Iterator[bytes]:
    """The body in the pieces it is sent in."""
    sent = bytes.fromhex(asked.hex) or asked.body.encode()
    plain = [sent] if sent else FRAMINGS[framing](said, NEWLINES[asked.newline])
    encoder = ENCODERS[asked.encoding]()
    for piece in _cut(plain, asked.cut):
        yield encoder.feed(piece) + encoder.push()
    if rest := encoder.end():
        yield rest


def _events(said: Sequence[Json], newline: bytes) -> Iterator[bytes]:
    for chunk in said:  # on one line: @google/genai reads no event of several
        yield b"data: " + json.dumps(chunk).encode() + newline * 2


def _array(said: Sequence[Json], _: bytes) -> Iterator[bytes]:
    for number, chunk in enumerate(said):
        yield (b",\r\n" if number else b"[") + dump(chunk)
    yield b"]"


def _body(said: Sequence[Json], _: bytes) -> Iterator[bytes]:
    yield dump(whole(said))


def _one(said: Sequence[Json], _: bytes) -> Iterator[bytes]:
    yield dump(said[0])


def _cut(plain: Iterable[bytes], size: int) -> Iterator[bytes]:
    if not size:
        yield from plain
        return
    text = b"".join(plain)
    for start in range(0, len(text), size):
        yield text[start : start + size]


FRAMINGS: dict[str, Callable[[Sequence[Json], bytes], Iterable[bytes]]] = {
    "sse": _events,
    "array": _array,
    "body": _body,  # all chunks in one
    "one": _one,
}
