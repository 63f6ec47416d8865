"""Checks that bytes are UTF-8: msgspec does not validate text that it leaves undecoded."""

from codecs import utf_8_decode

PIECE = 1 << 16  # bytes decoded at a time: as one string they could take four times the memory


def utf8(raw: bytes) -> bytes:
    """Returns the bytes unchanged. Raises UnicodeDecodeError."""
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
