"""What is put in the place of a secret, and how many there were of each kind.

Under a key equal secrets have equal marks, `[redacted:3fa9c1]`: who has not the key cannot look them up.
"""

import re
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from urllib.parse import unquote

from wirecheck.secrets.secret_forms import REDACTED

Mark = Callable[[str, str], str]  # the mark for a secret of a kind
IS_MARK = re.compile(r"\[redacted(?::[0-9a-f]{6})?\]")
HASH = 3  # bytes
# What other programs put in the place of a secret: it is none any more.
ROUND = r"[\s\[\]<>{}()*\"'\\_.,:;$%-]*+"  # what may stand around such a word
PLACEHOLDER = re.compile(
    rf"{ROUND}(?:(?:redacted|filtered|scrubbed|removed|masked|hidden|omitted|placeholder|dummy)(?:_\w{{1,40}}+)?|x{{3,}}+)?{ROUND}",
    re.IGNORECASE,
)
SCHEME = re.compile(r"\s*(?:bearer|basic|token)\s+", re.IGNORECASE)


def unnamed(kind: str, secret: str) -> str:
    return REDACTED


class Marks:
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


def is_cut(text: str) -> bool:
    """Whether nothing is left in a text that could be a secret: marks, and what others put in such a place."""
    rest = IS_MARK.sub("", text) if "[redacted" in text else text
    return PLACEHOLDER.fullmatch(rest) is not None
