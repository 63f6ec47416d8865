"""Decompresses bodies as the bytes arrive, without waiting for the end.

Streamed bodies are compressed as on the wire, and so are those in some files. The decoders for brotli and zstd are
those that mitmproxy depends on.
"""

import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

ZSTD = ("zstandard", "backports.zstd", "compression.zstd")  # until mitmproxy 12.2, from 12.3, and from Python 3.14
GZIP, ZLIB, BARE = 31, 15, -15  # zlib's wbits
UNPACKED = ("", "none", "identity")  # encodings that change nothing
Decoder = Callable[[bytes], bytes]


class Undecodable(Exception):
    """The bytes are not compressed as the headers say, or in an unknown way."""


class MemberStream:
    """Several compressed streams in a row, as gzip and zstd allow."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin = begin
        self._member = begin()

    def feed(self, data: bytes) -> bytes:
        unpacked = []
        while data:
            if self._member.eof:
                self._member = self._begin()
            unpacked.append(self._member.decompress(data))
            data = self._member.unused_data if self._member.eof else b""
        return b"".join(unpacked)


class Deflate:
    """Deflate with the zlib header of the standard, or without, as some servers send it. The first two bytes show
    it."""

    def __init__(self) -> None:
        self._first = b""
        self._stream: Any = None

    def feed(self, data: bytes) -> bytes:
        if self._stream is None:
            data = self._first = self._first + data
            if len(data) < 2:
                return b""
            has_header = data[0] & 15 == zlib.DEFLATED and (data[0] << 8 | data[1]) % 31 == 0
            self._stream = zlib.decompressobj(ZLIB if has_header else BARE)
        unpacked: bytes = self._stream.decompress(data)
        return unpacked


class DecoderChain:
    """Several decoders, for bodies compressed more than once. Every error is raised as Undecodable."""

    def __init__(self, decoders: list[Decoder]) -> None:
        self._decoders = decoders

    def feed(self, data: bytes) -> bytes:
        try:
            for decode in self._decoders if data else ():
                data = decode(data)
        except Exception as error:  # each library has its own exceptions
            raise Undecodable(f"{type(error).__name__}: {error}") from error
        return data


def _gzip() -> Decoder:
    return MemberStream(partial(zlib.decompressobj, GZIP)).feed


def _brotli() -> Decoder:
    try:
        import brotli
    except ImportError:
        raise Undecodable("packed as br: install brotli to read it") from None
    process: Decoder = brotli.Decompressor().process
    return process


def _zstd() -> Decoder:
    for name in ZSTD:
        with suppress(ImportError):
            return MemberStream(partial(_zstd_frame, import_module(name).ZstdDecompressor)).feed
    raise Undecodable("packed as zstd: install zstandard to read it")


def _zstd_frame(begin: Callable[[], Any]) -> Any:
    decompressor = begin()
    return decompressor.decompressobj() if hasattr(decompressor, "decompressobj") else decompressor


DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": lambda: Deflate().feed,
    "br": _brotli,
    "zstd": _zstd,
}


def decoder(encoding: str) -> DecoderChain:
    """The decoder for a content-encoding header, `gzip` or `gzip, br`. Raises Undecodable where one is unknown."""
    names = [name.strip().lower() for name in encoding.split(",")]
    names = [name for name in names if name not in UNPACKED]
    if unknown := [name for name in names if name not in DECODERS]:
        raise Undecodable(f"packed as {', '.join(unknown)}")
    return DecoderChain([DECODERS[name]() for name in reversed(names)])
