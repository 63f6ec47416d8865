"""Flows as mitmproxy saves them, read and written by the mitmproxy that is installed. A flow without secrets stays byte
for byte."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.file_text import FileText
from wirecheck.secrets.secret_fields import FieldNames
from wirecheck.sources.captures.mitm_flows import MISSING
from wirecheck.sources.lines import LIMIT, MEGABYTE

LONGEST = 12  # digits of the length of a flow


def pieces(stream: BinaryIO, secrets: FileText) -> Iterator[bytes]:
    try:
        from mitmproxy.io import tnetstring
    except ImportError:
        raise Unredactable(MISSING) from None
    n = 0
    while header := _header(stream):
        n += 1
        if not header[:-1].isdigit() or header[-1:] != b":" or int(header[:-1]) > LIMIT:
            raise Unredactable(f"flow {n} is broken, or larger than {LIMIT // MEGABYTE} MB")
        length = int(header[:-1]) + 1
        raw = header + stream.read(length)
        if len(raw) < len(header) + length:
            raise Unredactable(f"flow {n} breaks off")
        try:
            state = tnetstring.loads(raw)
            after = _after(state, secrets)
            yield raw if after == state else tnetstring.dumps(after)
        except Exception as error:  # mitmproxy believes what is in the file
            raise Unredactable(f"flow {n} is broken: {type(error).__name__}: {error}"[:200]) from None


def _header(stream: BinaryIO) -> bytes:
    header = b""
    while len(header) <= LONGEST and header[-1:] != b":" and (byte := stream.read(1)):
        header += byte
    return header


def _after(state: Any, secrets: FileText) -> Any:
    return _States(secrets).value(state)


class _States:
    """The values in one flow, each by its name."""

    def __init__(self, secrets: FileText) -> None:
        self._secrets, self._fields = secrets, secrets.fields()

    def value(self, state: Any) -> Any:
        fields: FieldNames = self._fields
        if isinstance(state, dict):
            fields.begin(False)
            made = dict[Any, Any]()
            for key, inner in state.items():
                fields.key(key.decode("latin-1") if isinstance(key, bytes) else str(key))
                is_body = key in ("content", b"content") and isinstance(inner, bytes)
                made[key] = self._body(inner, _encoding(state)) if is_body else self.value(inner)
            fields.end()
            return made
        if isinstance(state, list):
            fields.begin(True)
            items = [self.value(inner) for inner in state]
            fields.end()
            return items
        if isinstance(state, str):
            return self._secrets.string(state, fields.value(state), False)
        return self._bytes(state) if isinstance(state, bytes) else state

    def _bytes(self, data: bytes) -> bytes:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return self._secrets.binary(data)
        after = self._secrets.string(text, self._fields.value(text), False)
        return data if after == text else after.encode()

    def _body(self, data: bytes, encoding: str) -> bytes:
        from mitmproxy.net.encoding import decode, encode

        if encoding:
            try:
                plain = decode(data, encoding)
            except ValueError:
                return self._secrets.binary(data)
            if isinstance(plain, bytes):
                after = self._plain(plain)
                packed = data if after == plain else encode(after, encoding)
                return packed if isinstance(packed, bytes) else data
        return self._plain(data)

    def _plain(self, data: bytes) -> bytes:
        try:
            data.decode()
        except UnicodeDecodeError:
            after = self._secrets.data(data)
            return after if after != data else self._secrets.binary(data)
        return self._secrets.data(data)


def _encoding(state: dict[Any, Any]) -> str:
    headers = state.get("headers", state.get(b"headers"))
    for pair in headers if isinstance(headers, list) else ():
        name, value = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        if isinstance(name, bytes) and isinstance(value, bytes) and name.lower() == b"content-encoding":
            return value.decode("latin-1").strip().lower()
    return ""
