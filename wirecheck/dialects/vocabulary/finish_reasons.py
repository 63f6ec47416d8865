"""Finish reasons written as numbers: each surface has its own numbering.

The numbering is that of Google's published messages. An unknown number stays a number.
"""

_COMMON = {1: "STOP", 2: "MAX_TOKENS", 3: "SAFETY", 4: "RECITATION", 5: "OTHER"}
_VERTEX = {
    **_COMMON,
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
    10: "MODEL_ARMOR",
}
_GEMINI = {
    **_COMMON,
    6: "LANGUAGE",
    7: "BLOCKLIST",
    8: "PROHIBITED_CONTENT",
    9: "SPII",
    10: "MALFORMED_FUNCTION_CALL",
    11: "IMAGE_SAFETY",
    12: "UNEXPECTED_TOOL_CALL",
    13: "TOO_MANY_TOOL_CALLS",
}
FINISHES = {"gemini-api": _GEMINI, "vertex": _VERTEX, "code-assist": _VERTEX}


def finish_reason(value: object, surface: str) -> str | None:
    """The reason as a word; None where the reply is not finished."""
    if value in (None, "", 0, "FINISH_REASON_UNSPECIFIED"):
        return None
    return FINISHES.get(surface, _COMMON).get(value, str(value)) if type(value) is int else str(value)
