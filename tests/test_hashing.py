"""What is known again is known by hashes that nobody can work out beforehand."""

import re
import subprocess
import sys
from pathlib import Path

from msgspec import Raw

from wirecheck.hashing import chained, digest, new_hasher, text_digest

PACKAGE = Path(__file__).parent.parent / "wirecheck"
# Hashes that are the same in every run: fingerprints, which baselines hold, and the name of a file in the cache.
UNKEYED = {"rules/engine/findings.py", "data/parsed_cache.py"}


def test_equal_bytes_have_one_hash_and_others_another() -> None:
    assert digest(b"one") == digest(Raw(b"one")) == text_digest("one") != digest(b"two")
    assert new_hasher(b"one").intdigest() == digest(b"one")
    assert text_digest("\ud800") != text_digest("?")


def test_the_hash_of_a_sequence_tells_its_members_and_their_order() -> None:
    one, two = digest(b"one"), digest(b"two")
    assert len({chained(chained(0, one), two), chained(chained(0, two), one), chained(0, one), one}) == 4


def test_hashes_have_128_bits_under_a_key_of_this_run_alone() -> None:
    assert max(digest(bytes([n])).bit_length() for n in range(64)) > 120
    command = [sys.executable, "-c", "from wirecheck.hashing import digest; print(digest(b'the same bytes'))"]
    told = {subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert len(told) == 2


def test_nothing_is_known_again_by_a_hash_without_the_key() -> None:
    plain = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        if re.search(r"import xxhash|from xxhash", file.read_text())
    }
    assert plain == {"hashing.py", *UNKEYED}
