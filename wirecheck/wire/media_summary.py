"""Summarises media by type and size, for excerpts and messages: `<audio/pcm 32 kB>` in place of the bytes.

Recognises base64 by its characters and by its key, and decodes none.
"""

import re
from typing import Any

LEFT_OUT = re.compile(r"\[[^,\]]{0,80}, (\d{1,15}) bytes, sha256 ")
RATE = re.compile(r"^audio/pcm;\s{0,4}rate=([1-9][0-9]{2,5})$")  # Live's audio: 16 bits, one channel
# Base64 that is padded, or longer than any id or digest.
BASE64 = re.compile(r"[A-Za-z0-9+/]{22,}={1,2}|[A-Za-z0-9+/_-]{130,}={0,2}")
SHORT = re.compile(r"[A-Za-z0-9+/_-]{22,129}")  # may be media, an id, or words
MEDIA = ("data", "bytes", "base64", "b64", "b64_json")  # how keys of media end
NAMES = ("id", "name", "key", "hash", "digest", "sha256", "handle")  # keys of what only looks like base64
WORDY = 0.6  # a name in camelCase has at least this share of lower-case letters
ENOUGH = 2000  # characters of a text that are looked at
LONG = 1 << 12  # characters: shorter texts are never truncated
UNTOLD = "base64"  # the type where none is given
DEEP = 50  # levels; deeper values are left as they are


def light(value: Any, mime: str = UNTOLD, levels: int = DEEP, key: str = "") -> Any:
    """Returns the value with type and size in place of base64. `key` is the key it has in its parent."""
    if isinstance(value, str):
        return weighed(mime, bytes_in(value)) if is_bulk(value, key) else value
    if isinstance(value, dict) and levels:
        return {name: light(item, mime_of(value), levels - 1, str(name)) for name, item in value.items()}
    return [light(item, mime, levels - 1, key) for item in value] if isinstance(value, list) and levels else value


def is_bulk(text: str, key: str) -> bool:
    """Whether a text is base64. A short one is if its key says so, or if its mix of characters is unlike any name."""
    if BASE64.fullmatch(text[:ENOUGH]):
        return True
    if not SHORT.fullmatch(text):
        return False
    end = key[-ENOUGH:].lower()
    return end.endswith(MEDIA) or (not end.endswith(NAMES) and "_" not in text and "-" not in text and _mixed(text))


def _mixed(text: str) -> bool:
    """Whether letters of both cases and digits are mixed more evenly than in a camelCase name."""
    small = sum("a" <= char <= "z" for char in text)
    return 0 < small <= len(text) * WORDY and text != text.lower() and any(char.isdigit() for char in text)


def mime_of(value: dict[str, Any]) -> str:
    found = value.get("mimeType") or value.get("mime_type")
    return found[:80] if isinstance(found, str) else UNTOLD


def weighed(mime: str, count: int) -> str:
    """Describes media by type and size, and audio of a known rate by its length in seconds."""
    rate = RATE.search(mime[:100])
    lasts = f", {count / 2 / int(rate[1]):.1f} s" if rate and count >= int(rate[1]) else ""
    return f"<{mime} {_size(count)}{lasts}>"


def bytes_in(data: str) -> int:
    """How many bytes of media a text stands for: base64, or what a recorder wrote in its place."""
    left_out = LEFT_OUT.match(data)
    return int(left_out[1]) if left_out else _length(data) * 3 // 4


def _length(data: str) -> int:
    if len(data) < LONG:
        return len(data)
    from wirecheck.wire.truncation import length  # imported late: few logs have anything that long

    return length(data)


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count // 1000} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
