"""Replaces lone surrogates. They are valid in JSON's grammar, and programs that cut texts anywhere write
them, but msgspec refuses them: they are no characters."""

import io
import re

HIGH, LOW, ANY = (rb"\\u[dD][%b][0-9a-fA-F]{2}" % digits for digits in (b"89abAB", b"c-fC-F", b"89a-fA-F"))
# Any text and other escapes, then a pair of surrogates or one alone. Possessive: each byte is matched once.
SURROGATE = rb"(?s:(?:[^\\]++|(?!%b)\\.?)*+(%b%b|%b)?)" % (ANY, HIGH, LOW, ANY)
LONE = 6  # bytes of one escape


def mend(raw: bytes) -> bytes:
    """The JSON with U+FFFD in place of each lone surrogate. Its length does not change."""
    if b"\\u" not in raw or (b"\\ud" not in raw and b"\\uD" not in raw):
        return raw
    mended: io.BytesIO | None = None
    for each in re.finditer(SURROGATE, raw):
        if each.end(1) - each.start(1) == LONE:
            mended = mended or io.BytesIO(raw)
            mended.seek(each.start(1))
            mended.write(rb"\ufffd")
    return raw if mended is None else mended.getvalue()
