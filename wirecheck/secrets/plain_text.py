"""Removes secrets from text that has no form, or that of JSON.

A secret is recognised by its name (a key of JSON, a header), by its form (scrub.py), or because it was learned from a
header or URL before: then it is removed wherever it appears again. JSON stays JSON, and text without secrets stays as
it is.
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from wirecheck.secrets.json_walk import walk
from wirecheck.secrets.known_secrets import KnownSecrets, scanner
from wirecheck.secrets.redaction_marks import Mark, is_cut, unnamed
from wirecheck.secrets.scrub import scrub
from wirecheck.secrets.secret_fields import NAMES, FieldNames
from wirecheck.secrets.secret_forms import FORMS, SECRET_KIND
from wirecheck.wire.payload import is_json

PERCENT = re.compile(r"%[2-7][0-9a-fA-F]")
WORD = re.compile(r"\S++")
# Long base64 is a signature or media: what looks like a key in it is coincidence.
BASE64 = re.compile(r"[\w+/=-]{256,}+")


class PlainText:
    """Removes secrets from text that has no form, or that of JSON, and remembers those it was told of."""

    def __init__(self, most: int, mark: Mark = unnamed) -> None:
        """`most` is how many learned secrets are remembered."""
        self.mark = mark
        self.known = KnownSecrets(most)

    def learn(self, found: Iterable[str], kind: str = SECRET_KIND) -> None:
        self.known.learn((value for one in found for value in (one, unquoted(one))), kind)

    def text(self, text: str) -> str:
        """The text without known secrets and without what looks like one."""
        if self.is_clean(unquoted(text)):
            return text
        if PERCENT.search(text):
            text = WORD.sub(self._word, text)
        return self._bare(text, self.mark)

    def is_clean(self, text: str) -> bool:
        """Whether nothing in a text is worth a search."""
        text = text.lower()
        return not (LOOKS.is_valid(text) or self.known.in_text(text))

    def in_json(self, text: str) -> str:
        return walk(text, FieldNames(), self.string)

    def string(self, value: str, kind: str, is_key: bool) -> str:
        """A string of JSON, of which a kind of secret is known by its name."""
        if kind and not is_key:
            return value if is_cut(value) else self.mark(kind, value)
        if value[:1] in ("{", "[") and is_json(value.encode(errors="replace")):
            return self.in_json(value)
        return self.text(value)

    def _bare(self, text: str, mark: Mark) -> str:
        text = self.known.cut(text, mark)
        return text if BASE64.fullmatch(text) else scrub(text, mark)

    def _word(self, found: re.Match[str]) -> str:
        """A word of a URL, which may be a percent-encoded secret. Where that is one without its escapes, all stay."""
        word = found[0]
        if (plain := unquoted(word)) == word or self.is_clean(plain):
            return word
        left = unquoted(self._bare(word, unnamed))
        if self._bare(left, unnamed) == left:
            return word
        return self._bare(plain, self.mark)


def unquoted(text: str) -> str:
    return unquote(text) if "%" in text and PERCENT.search(text) else text


# Every reply has token counts, and many texts have URLs and keys, so these hints need what makes a secret of them.
# No word boundaries and no character class before a word: the engine would be over twenty times slower.
COMMON = {
    "sg.": r"sg\.[a-z0-9_-]{16}",
    "--": r"--(?:api-?key|token|password|secret) ",
    ":aa": r":aa[a-z0-9_-]{32}",
    "shp": r"shp(?:at|ca|pa|ss)_",
    "dapi": r"dapi[a-f0-9]{32}",
    "discord": r"/api/webhooks/",
    "machine ": r"machine \S+ login ",
    "curl ": r"curl .* (?:-u|--user)[ =]",
    "token": r"(?:access|auth|bearer|id|refresh|security|session)[_-]?token|token[^a-z]",
    "key": r"(?:access|api|private)[_-]?key",
    "://": r"://[^\s/?#@:]*:[^\s/?#]*@",
    "basic ": r"basic [a-z0-9+/]{8}",
}
LOOKS = scanner(dict.fromkeys((*(hint for hint, *_ in FORMS if hint not in COMMON), *NAMES)), *COMMON.values())
