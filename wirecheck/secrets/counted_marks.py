"""What is put in the place of a secret, and how many there were of each kind.

Under a key equal secrets have equal marks, `[redacted:3fa9c1]`: who has not the key cannot look them up.
"""

import re
from collections import Counter
from hashlib import blake2b
from urllib.parse import unquote

from wirecheck.secrets.secret_forms import REDACTED

HASH = 3  # bytes
SCHEME = re.compile(r"\s*(?:bearer|basic|token)\s+", re.IGNORECASE)


class SecretMarks:
    """The marks of a run, counted by kind."""

    def __init__(self, key: bytes = b"") -> None:
        """Without a key all are alike."""
        self._key = key
        self.counts = Counter[str]()

    def __call__(self, kind: str, secret: str) -> str:
        self.counts[kind] += 1
        if not self._key:
            return REDACTED
        # The same key is the same with the word before it in a header, and in a URL.
        plain = unquote(SCHEME.sub("", secret, count=1)).strip()
        digest = blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=HASH, key=self._key)
        return f"[redacted:{digest.hexdigest()}]"
