"""Whether bytes are UTF-8. msgspec does not look at the text it does not decode."""

from codecs import utf_8_decode

PIECE = 1 << 16  # bytes looked at at once: as one string they could take four times their room


def utf8(raw: bytes) -> bytes:
    """The same, where it is. Raises UnicodeDecodeError."""
    if not raw.isascii():
        raw.decode() if len(raw) <= PIECE else _look(raw)
    return raw


def _look(raw: bytes) -> None:
    at = 0
    while at < len(raw):
        piece = raw[at : at + PIECE]
        try:
            at += utf_8_decode(piece, "strict", at + PIECE >= len(raw))[1]
        except UnicodeDecodeError as error:
            raise UnicodeDecodeError("utf-8", raw, at + error.start, at + error.end, error.reason) from None
