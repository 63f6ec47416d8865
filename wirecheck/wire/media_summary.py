"""Media by type and size: what stands in pictures and messages in place of their bytes.

Knows base64 by its look and by the key it stands under, and decodes none.
"""

import re
from typing import Any

LEFT_OUT = re.compile(r"\[[^,\]]{0,80}, (\d{1,15}) bytes, sha256 ")
RATE = re.compile(r"^audio/pcm;\s{0,4}rate=([1-9][0-9]{2,5})$")  # of 16 bits and one channel, as Live has it
# Padded, or longer than any id or digest.
BASE64 = re.compile(r"[A-Za-z0-9+/]{22,}={1,2}|[A-Za-z0-9+/_-]{130,}={0,2}")
SHORT = re.compile(r"[A-Za-z0-9+/_-]{22,129}")  # may be media, an id, or words
MEDIA = ("data", "bytes", "base64", "b64", "b64_json")  # how the keys of media end
NAMES = ("id", "name", "key", "hash", "digest", "sha256", "handle")  # and those of what only looks like it
WORDY = 0.6  # of a name in camelCase, and more, is in lower case
ENOUGH = 2000  # of a text tells what it is
LONG = 1 << 12  # of what is shorter nothing is left out
UNTOLD = "base64"  # the type of what has none
DEEP = 50  # levels; what lies deeper is left as it is


def light(value: Any, mime: str = UNTOLD, levels: int = DEEP, key: str = "") -> Any:
    """The value with type and size in place of what is base64. The key it stands under tells short texts apart."""
    if isinstance(value, str):
        return weighed(mime, bytes_in(value)) if is_bulk(value, key) else value
    if isinstance(value, dict) and levels:
        return {name: light(item, mime_of(value), levels - 1, str(name)) for name, item in value.items()}
    return [light(item, mime, levels - 1, key) for item in value] if isinstance(value, list) and levels else value


def is_bulk(text: str, key: str) -> bool:
    """Whether a text is base64. A short one is where its key says so; else if it is a mixture that no words are."""
    if BASE64.fullmatch(text[:ENOUGH]):
        return True
    if not SHORT.fullmatch(text):
        return False
    end = key[-ENOUGH:].lower()
    return end.endswith(MEDIA) or (not end.endswith(NAMES) and "_" not in text and "-" not in text and _mixed(text))


def _mixed(text: str) -> bool:
    """Whether there are letters of both cases and digits, in other shares than names in camelCase have them."""
    small = sum("a" <= char <= "z" for char in text)
    return 0 < small <= len(text) * WORDY and text != text.lower() and any(char.isdigit() for char in text)


def mime_of(value: dict[str, Any]) -> str:
    found = value.get("mimeType") or value.get("mime_type")
    return found[:80] if isinstance(found, str) else UNTOLD


def weighed(mime: str, count: int) -> str:
    """Media by type and size; audio whose rate is known by its time, too."""
    rate = RATE.search(mime[:100])
    lasts = f", {count / 2 / int(rate[1]):.1f} s" if rate and count >= int(rate[1]) else ""
    return f"<{mime} {_size(count)}{lasts}>"


def bytes_in(data: str) -> int:
    """Of base64, or of what a recorder wrote in its place."""
    left_out = LEFT_OUT.match(data)
    return int(left_out[1]) if left_out else _length(data) * 3 // 4


def _length(data: str) -> int:
    if len(data) < LONG:
        return len(data)
    from wirecheck.wire.truncation import length  # few logs hold anything so long

    return length(data)


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count // 1000} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
