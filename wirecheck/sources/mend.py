"""Half a surrogate pair: JSON as its grammar goes, and what programs write that cut text anywhere, but no character."""

import re

# A pair of surrogates, one alone, any other escape: in this order, so that each escape is read once.
ESCAPE = rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
LONE = 6  # bytes


def mend(raw: bytes) -> bytes:
    """JSON with U+FFFD where half a character was, as long as it was."""
    return re.sub(ESCAPE, _mended, raw) if b"\\u" in raw else raw


def _mended(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(escape[0]) == LONE else escape[0]
