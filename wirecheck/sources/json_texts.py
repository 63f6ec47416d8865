"""What a JSON string says, as the bytes of a payload. As one text it could take four times its room: it is read in
pieces."""

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
    """The payload in a JSON value: a string holds it as text, null holds none; any other is made one."""
    if (begins := head(raw)) == b'"':
        whole = io.BytesIO()
        whole.writelines(pieces(raw))
        return payload.of_written(whole.getvalue(), site)
    return None if begins == b"n" else made(raw, site)


def pieces(raw: bytes | Raw) -> Iterator[bytes]:
    """The text as it goes on."""
    view, at = memoryview(raw), 1
    while len(view) - at > PIECE:
        piece = bytes(view[at : at + PIECE + 1])
        end = JSON.before(piece, 0, PIECE)
        yield _text(b'"%b"' % piece[:end]).encode()
        at += end
    yield _text(b'"%b' % bytes(view[at:])).encode()
