"""Packed bytes are read as they come, whichever way they were packed and wherever they were cut."""

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.wire.content_decoding import Undecodable, decoder


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "not at all": ("", bytes),
    "identity": ("identity", bytes),
    "gzip": ("gzip", gzip.compress),
    "gzip in capitals": ("GZIP", gzip.compress),
    "gzip by its old name": ("x-gzip", gzip.compress),
    "gzip, one after the other": ("gzip", lambda data: gzip.compress(data[:7]) + gzip.compress(data[7:])),
    "deflate": ("deflate", zlib.compress),
    "deflate without its header": ("deflate", bare),
    "brotli": ("br", brotli.compress),
    "zstd": ("zstd", zstandard.compress),
    "zstd, one after the other": ("zstd", lambda data: zstandard.compress(data[:7]) + zstandard.compress(data[7:])),
    "twice": ("gzip, br", lambda data: brotli.compress(gzip.compress(data))),
}


@pytest.mark.parametrize(("encoding", "pack"), PACKERS.values(), ids=PACKERS)
@given(data=st.binary(max_size=200), size=st.integers(1, 40))
def test_what_was_packed_comes_out(encoding: str, pack: Callable[[bytes], bytes], data: bytes, size: int) -> None:
    packed, reader = pack(data), decoder(encoding)
    assert b"".join(reader.feed(packed[n : n + size]) for n in range(0, len(packed), size)) == data
    assert reader.feed(b"") == b""


def _gzip_flushed(data: bytes) -> tuple[bytes, bytes]:
    packer = zlib.compressobj(wbits=31)
    return packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH), packer.flush()


def _brotli_flushed(data: bytes) -> tuple[bytes, bytes]:
    packer = brotli.Compressor()
    return packer.process(data) + packer.flush(), packer.finish()


def _zstd_flushed(data: bytes) -> tuple[bytes, bytes]:
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK), packer.flush()


@pytest.mark.parametrize(
    ("encoding", "flushed"), [("gzip", _gzip_flushed), ("br", _brotli_flushed), ("zstd", _zstd_flushed)]
)
def test_nothing_waits_for_the_end(encoding: str, flushed: Callable[[bytes], tuple[bytes, bytes]]) -> None:
    first, rest = flushed(b"data: {}\n\n")
    reader = decoder(encoding)
    assert reader.feed(first) == b"data: {}\n\n"
    assert reader.feed(rest) == b""


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, br"])
def test_what_was_packed_otherwise_is_said_to_be(encoding: str) -> None:
    reader = decoder(encoding)
    with pytest.raises(Undecodable):
        reader.feed(b'{"error": {"code": 500, "message": "this was never packed"}}')


def test_a_way_nobody_knows_is_named() -> None:
    with pytest.raises(Undecodable, match="packed as compress, dcb"):
        decoder("gzip, compress, dcb")
