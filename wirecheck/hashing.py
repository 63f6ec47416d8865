"""The hashes by which things are known again within one run: 128 bits, under a key made anew for each run.

Who writes a log does not know the key, so they cannot write two contents that are taken for one. Fingerprints, which
outlive a run, are made elsewhere (rules/engine/findings.py).
"""

from os import urandom

from msgspec import Raw
from xxhash import xxh3_128, xxh3_128_intdigest

Hasher = xxh3_128
KEY = int.from_bytes(urandom(8), "little")
_BYTES = 16  # of one hash


def digest(data: bytes | Raw) -> int:
    return xxh3_128_intdigest(data, KEY)


def text_digest(text: str) -> int:
    return xxh3_128_intdigest(text.encode("utf-8", "surrogatepass"), KEY)


def chained(before: int, last: int) -> int:
    """The hash of a sequence: of the hash of all before its last member, and of that."""
    return xxh3_128_intdigest(before.to_bytes(_BYTES, "little") + last.to_bytes(_BYTES, "little"), KEY)


def new_hasher(data: bytes | memoryview = b"") -> Hasher:
    """For what comes in pieces."""
    return xxh3_128(data, KEY)
