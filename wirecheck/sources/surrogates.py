"""Half a surrogate pair: JSON as its grammar goes, and what programs write that cut text anywhere, but no character."""

import io
import re

HIGH, LOW, ANY = (rb"\\u[dD][%b][0-9a-fA-F]{2}" % digits for digits in (b"89abAB", b"c-fC-F", b"89a-fA-F"))
# A pair of surrogates or one alone, after what is none: other text and other escapes, each read once.
SURROGATE = rb"(?s:(?:[^\\]++|(?!%b)\\.?)*+(%b%b|%b)?)" % (ANY, HIGH, LOW, ANY)
LONE = 6  # bytes


def mend(raw: bytes) -> bytes:
    """JSON with U+FFFD where half a character was, as long as it was."""
    if b"\\u" not in raw:
        return raw
    mended: io.BytesIO | None = None
    for each in re.finditer(SURROGATE, raw):
        if each.end(1) - each.start(1) == LONE:
            mended = mended or io.BytesIO(raw)
            mended.seek(each.start(1))
            mended.write(rb"\ufffd")
    return raw if mended is None else mended.getvalue()
