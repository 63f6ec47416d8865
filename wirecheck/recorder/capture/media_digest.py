"""Replaces media in JSON by type, length and hash.

Only base64 under a key for media counts as media, never a signature. The rest of the JSON stays byte for byte.
"""

import binascii
import re
from hashlib import sha256

LIMIT = 1024  # bytes; smaller media are kept
# A key for media with its base64, and data URIs anywhere. Slashes and `=` may be escaped.
BASE64 = rb"((?:[A-Za-z0-9+/=_-]|\\/|\\u003[dD]|\\n){%d,}+)\"" % LIMIT
MEDIA = re.compile(
    rb'"(?:data|bytes|(?:image|video|audio)_?[Bb]ytes|bytes(?:_base64_encoded|Base64Encoded)|b64_json)"\s*+:\s*+"'
    + BASE64
)
DATA_URI = re.compile(rb'"data:([\w.+/\\-]{0,80})[\w;=.-]{0,80};base64,' + BASE64)
TYPE = re.compile(rb'"(?:mime_?[tT]ype|media_type|format)"\s*+:\s*+"([\w.+/\\-]{1,80})')
NEAR = 200  # bytes around the data in which its type is searched
UNESCAPED = ((rb"\/", b"/"), (rb"\u003d", b"="), (rb"\u003D", b"="), (rb"\n", b""), (b"-", b"+"), (b"_", b"/"))


def slimmed(raw: bytes) -> bytes:
    """JSON without its media."""
    if len(raw) < LIMIT:
        return raw
    raw = MEDIA.sub(_data, raw)
    return DATA_URI.sub(_uri, raw) if b";base64," in raw else raw


def described(data: bytes, kind: str) -> str:
    """The text that replaces media or unreadable bytes. `kind` is untrusted."""
    kind = kind[:80].encode("ascii", "backslashreplace").decode()
    return f"[{kind}, {len(data)} bytes, sha256 {sha256(data).hexdigest()}]"


def _data(found: re.Match[bytes]) -> bytes:
    return _replaced(found, 1, _type_near(found))


def _uri(found: re.Match[bytes]) -> bytes:
    return _replaced(found, 2, found[1])


def _replaced(found: re.Match[bytes], group: int, kind: bytes) -> bytes:
    """The match with a description in place of the base64 in this group."""
    text = found[group]
    for written, meant in UNESCAPED:
        text = text.replace(written, meant)
    try:
        data = binascii.a2b_base64(text + b"=" * (-len(text) % 4), strict_mode=True)
    except binascii.Error:
        return found[0]
    before = found[0][: found.start(group) - found.start()]
    return before + described(data, kind.replace(b"\\", b"").decode() or "media").encode() + b'"'


def _type_near(found: re.Match[bytes]) -> bytes:
    """The type next to the data, in the same object."""
    raw, start, end = found.string, found.start(), found.end()
    before = raw[max(0, start - NEAR) : start].rpartition(b"{")[2]
    after = raw[end : end + NEAR].partition(b"}")[0]
    kind = TYPE.search(before) or TYPE.search(after)
    return kind[1] if kind else b""
