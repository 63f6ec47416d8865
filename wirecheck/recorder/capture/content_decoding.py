"""Bodies as they were before they were packed, as the bytes come: nothing waits for the end.

A stream reaches us packed as it is on the wire. The decoders of brotli and zstd are those mitmproxy brings along.
"""

import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Protocol

ZSTD = ("zstandard", "backports.zstd", "compression.zstd")  # until mitmproxy 12.2, from 12.3, and from Python 3.14
GZIP, ZLIB, BARE = 31, 15, -15  # as zlib counts them


class Undecodable(Exception):
    """These bytes are not packed as the headers say, or in a way nobody here knows."""


class Decoder(Protocol):
    def feed(self, data: bytes) -> bytes:
        """What these bytes hold. Raises Undecodable."""


class MemberStream:
    """One packed stream after the other, as gzip and zstd allow."""

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
    """With the header the standard asks for, or without, as some servers send it: two bytes tell."""

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


class Brotli:
    def __init__(self) -> None:
        import brotli

        self._stream = brotli.Decompressor()

    def feed(self, data: bytes) -> bytes:
        unpacked: bytes = self._stream.process(data)
        return unpacked


class Unpacked:
    def feed(self, data: bytes) -> bytes:
        return data


class DecoderChain:
    """Packed several times, the last way first; every fault as Undecodable."""

    def __init__(self, decoders: list[Decoder]) -> None:
        self._decoders = decoders

    def feed(self, data: bytes) -> bytes:
        try:
            for decoder in self._decoders if data else ():
                data = decoder.feed(data)
        except Exception as error:  # each library has its own
            raise Undecodable(f"{type(error).__name__}: {error}") from error
        return data


def _gzip() -> Decoder:
    return MemberStream(partial(zlib.decompressobj, GZIP))


def _zstd() -> Decoder:
    for name in ZSTD:
        with suppress(ImportError):
            return MemberStream(partial(_zstd_frame, import_module(name).ZstdDecompressor))
    raise Undecodable("packed as zstd")


def _zstd_frame(begin: Callable[[], Any]) -> Any:
    decompressor = begin()
    return decompressor.decompressobj() if hasattr(decompressor, "decompressobj") else decompressor


DECODERS: dict[str, Callable[[], Decoder]] = {
    "": Unpacked,
    "none": Unpacked,
    "identity": Unpacked,
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": _zstd,
}


def decoder(encoding: str) -> Decoder:
    """For a content-encoding header, `gzip` or `gzip, br`. Raises Undecodable where one is unknown."""
    names = [name.strip().lower() for name in encoding.split(",")]
    if unknown := [name for name in names if name not in DECODERS]:
        raise Undecodable(f"packed as {', '.join(unknown)}")
    return DecoderChain([DECODERS[name]() for name in reversed(names)])
