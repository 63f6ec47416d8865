"""Makes text safe to show: `scrub` removes secrets, `plain` escapes what a terminal must not get. All output uses both.

Both work on untrusted text, in linear time.
"""

import re
import unicodedata
from functools import partial

from wirecheck.secrets.redaction_marks import Mark, is_cut, unnamed
from wirecheck.secrets.secret_forms import SECRETS, compiled

SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
# Printable by Unicode's definition, but invisible.
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def scrub(text: str, mark: Mark = unnamed) -> str:
    """Returns the text with `[redacted]`, or what `mark` says, in place of keys, tokens and other credentials."""
    folded = text.lower()
    for sign, forms in SECRETS.items():
        if sign in folded:
            for hint, pattern, kind in forms:
                if hint in folded:
                    text = compiled(pattern).sub(partial(_marked, kind, mark), text)
    return text


def _marked(kind: str, mark: Mark, found: re.Match[str]) -> str:
    kept = found[found.lastindex] if found.lastindex else ""
    secret = found[0][len(kept) :]
    return found[0] if is_cut(secret) else kept + mark(kind, secret)


def plain(text: str, width: int | None = None) -> str:
    """Returns the text on one line, safe for a terminal: invisible characters are written as escapes.

    With a width it is cut to so many columns, the last of them `…`.
    """
    if width is not None:
        text = text[: 4 * width + 1]  # enough for the cut below, combining accents included
    if not text.isprintable() or not BLANKS.isdisjoint(text):
        text = "".join(map(_visible, text))
    return text if width is None else _cut(text, width)


def _visible(char: str) -> str:
    if char.isprintable() and char not in BLANKS:
        return char
    if char in SHORT:
        return SHORT[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cut(text: str, width: int) -> str:
    if (len(text) if text.isascii() else sum(map(_columns, text))) <= width:
        return text
    room, kept = width - 1, 0
    for char in text:
        room -= _columns(char)
        if room < 0:
            break
        kept += 1
    return text[:kept] + "…" * (width > 0)


def _columns(char: str) -> int:
    """How many columns a terminal gives a character."""
    if char.isascii():
        return 1
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
