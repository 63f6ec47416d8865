"""Removes keys, tokens and other credentials from records.

A secret is recognised by its name (a header, a query parameter, a key of JSON), by its form (scrub.py), or because it
was in a header or URL before: then it is removed wherever it appears again. JSON stays JSON, and text without
secrets stays byte for byte.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

import jsonschema_rs
import msgspec
from msgspec.structs import replace

from wirecheck.secrets import credentials
from wirecheck.secrets.scrub import scrub
from wirecheck.secrets.secret_forms import FORMS, REDACTED
from wirecheck.wire.payload import is_json
from wirecheck.wire.records import Body, Closed, Frame, Opened, Replied

Written = Opened | Replied | Frame | Closed

# How keys of credentials in JSON end; `_` matches `_`, `-` and nothing.
NAMES = tuple(
    name.replace("_", sign)
    for sign in ("_", "-", "")
    for name in (
        *("authorization", "cookie", "password", "passwd", "passphrase", "client_secret"),
        *("api_key", "private_key", "secret_key", "access_key"),
        *("access_token", "refresh_token", "id_token", "auth_token", "bearer_token", "session_token"),
    )
)
IS_SECRET = re.compile(rf"(?:{'|'.join(NAMES)})(?:s|[-_]?string|[-_]?value)?$")
SHORT = 8  # characters: a shorter credential may be any word, and is not searched for
MOST = 60  # known credentials
STRING = re.compile(r'"((?:[^"\\]|\\.)*+)(?:"|\Z)(\s*+:)?', re.S)
BETWEEN = re.compile(r"[\s,\[]*+")  # between a key and its text, and between the texts of its list
PERCENT = re.compile(r"%[2-7][0-9a-fA-F]")
WORD = re.compile(r"\S++")
ESCAPE = re.compile(rb"\\u00([2-7][0-9a-fA-F])")
# Long base64 is a signature or media: what looks like a key in it is coincidence.
BASE64 = re.compile(r"[\w+/=-]{256,}+")
_text = msgspec.json.Decoder(str).decode
_json = msgspec.json.Encoder().encode


class Redaction:
    """Redacts the records of one log, and remembers its secrets."""

    def __init__(self) -> None:
        self._recent: list[str] = []  # known secrets, most recent first
        self._known: list[str] = []  # the same, longest first
        self._knows = NOTHING

    def scrubbed(self, record: Written) -> Written:
        if isinstance(record, Opened):
            self.learn(record.headers)
            self._learn(credentials.of_url(record.url))
            return replace(
                record,
                method=self.text(record.method),
                url=self.text(credentials.url(record.url)),
                headers=self._headers(record.headers),
                body=record.body and self._body(record.body),
            )
        if isinstance(record, Replied):
            self.learn(record.headers)
            return replace(record, headers=self._headers(record.headers))
        if isinstance(record, Frame):
            return replace(record, body=self._body(record.body))
        return replace(record, reason=self.text(record.reason))

    def learn(self, headers: Mapping[str, str]) -> None:
        """Learns the credentials in headers that are not logged themselves."""
        self._learn(credentials.of_headers(headers))

    def text(self, text: str) -> str:
        """The text without known secrets and without what looks like one."""
        if self._clean(_unquoted(text)):
            return text
        if PERCENT.search(text):
            text = WORD.sub(self._word, text)
        return self._bare(text)

    def _bare(self, text: str) -> str:
        for known in self._known:
            text = text.replace(known, REDACTED)
        return text if BASE64.fullmatch(text) else scrub(text)

    def _word(self, found: re.Match[str]) -> str:
        """A word of a URL, which may be a percent-encoded secret."""
        plain = _unquoted(found[0])
        bare = self._bare(plain)
        return found[0] if bare == plain else bare

    def _learn(self, found: Iterable[str]) -> None:
        written = [value for one in found for value in (one, _unquoted(one)) if len(value) >= SHORT]
        recent = list(dict.fromkeys((*written, *self._recent)))[:MOST]
        if set(recent) != set(self._recent):
            self._known = sorted(recent, key=len, reverse=True)  # one may contain another
            self._knows = _scanner(self._known)
        self._recent = recent

    def _clean(self, text: str) -> bool:
        text = text.lower()
        return not (LOOKS.is_valid(text) or self._knows.is_valid(text))

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        kept = credentials.headers(headers)
        if self._clean(_unquoted("\n".join((*kept, *kept.values())))):
            return kept
        return {self.text(name): self.text(value) for name, value in kept.items()}

    def _body(self, body: Body) -> Body:
        if body.form == "bytes":  # ASCII is found in bytes of any kind
            return replace(body, raw=self.text(body.raw.decode("latin-1")).encode("latin-1"))
        if self._clean(_unquoted(_unescaped(body.raw))):
            return body
        text = self._in_json(body.raw.decode())  # also for text, which may be truncated JSON
        return replace(body, raw=(text if body.form == "json" else self.text(text)).encode())

    def _in_json(self, text: str) -> str:
        return STRING.sub(_Strings(self), text)


class _Strings:
    """The strings of a JSON text, in order, each with its key."""

    def __init__(self, secrets: Redaction) -> None:
        self._secrets = secrets
        self._key, self._end = "", 0

    def __call__(self, found: re.Match[str]) -> str:
        inside, is_key = found[1], found[2] is not None
        if not BETWEEN.fullmatch(found.string, self._end, found.start()):
            self._key = ""
        self._end = found.end()
        value = _read(inside) if "\\" in inside else inside
        scrubbed = self._value(value, is_key)
        if is_key:
            self._key = value.lower()
        return found[0] if scrubbed == value else f"{_json(scrubbed).decode()}{found[2] or ''}"

    def _value(self, value: str, is_key: bool) -> str:
        if not is_key and value and _is_secret(self._key[-40:]):
            return REDACTED
        if value[:1] in ("{", "[") and is_json(value.encode()):
            return self._secrets._in_json(value)
        return self._secrets.text(value)


@lru_cache(maxsize=1024)
def _is_secret(key: str) -> bool:
    return IS_SECRET.search(key) is not None


def _read(inside: str) -> str:
    """A JSON string, decoded; if it is invalid, with its escaped letters decoded."""
    try:
        return _text(f'"{inside}"')
    except msgspec.DecodeError:
        return _unescaped(inside.encode())


def _unescaped(raw: bytes) -> str:
    """JSON with escaped letters decoded: a key may be written `\\u0041Iza`."""
    if b"\\" in raw:
        raw = ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), raw).replace(b"\\/", b"/")
    return raw.decode()


def _unquoted(text: str) -> str:
    return unquote(text) if "%" in text and PERCENT.search(text) else text


def _scanner(words: Iterable[str], *patterns: str) -> jsonschema_rs.Validator:
    """Returns a search for any of many words that takes less time than copying the text."""
    escaped = (re.escape(word.lower()) for word in words)
    return jsonschema_rs.validator_for({"pattern": "|".join((*escaped, *patterns))})


NOTHING = jsonschema_rs.validator_for(False)
# Every reply has token counts, and many texts have URLs and keys, so these hints need what makes a secret of them.
# No word boundaries and no character class before a word: the engine would be over twenty times slower.
COMMON = {
    "token": r"(?:access|auth|bearer|id|refresh|security|session)[_-]?token|token[^a-z]",
    "key": r"(?:access|api|private)[_-]?key",
    "://": r"://[^\s/?#@:]*:[^\s/?#]*@",
    "basic ": r"basic [a-z0-9+/]{8}",
}
LOOKS = _scanner(dict.fromkeys((*(hint for hint, *_ in FORMS if hint not in COMMON), *NAMES)), *COMMON.values())
