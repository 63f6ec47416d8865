"""Decodes a JSON string into the bytes of a payload. In pieces, since one `str` could take four times the memory."""

import io
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from wirecheck.sources.detect import head
from wirecheck.wire import payload
from wirecheck.wire.json_strings import JSON, PIECE
from wirecheck.wire.records import Body, Site

_text = msgspec.json.Decoder(str).decode


def of_value(raw: bytes | Raw, site: Site, made: payload.Made = payload.copied) -> Body | None:
    """The payload in a JSON value: the text of a string, None for null, else the value itself (by `made`)."""
    if (begins := head(raw)) == b'"':
        if len(memoryview(raw)) <= PIECE:
            return payload.of_written(_text(raw).encode(), site)
        whole = io.BytesIO()
        whole.writelines(pieces(raw))
        return payload.of_written(whole.getvalue(), site)
    return None if begins == b"n" else made(raw, site)


def pieces(raw: bytes | Raw) -> Iterator[bytes]:
    """Yields the text of a JSON string in pieces."""
    view, at = memoryview(raw), 1
    while len(view) - at > PIECE:
        piece = bytes(view[at : at + PIECE + 1])
        end = JSON.before(piece, 0, PIECE)
        yield _text(b'"%b"' % piece[:end]).encode()
        at += end
    yield _text(b'"%b' % bytes(view[at:])).encode()
