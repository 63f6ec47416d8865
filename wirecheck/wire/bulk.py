"""Media by type and size: what stands in pictures and messages in place of their bytes.

Knows base64 by its look, and decodes none.
"""

import re
from typing import Any

LEFT_OUT = re.compile(r"\[[^,\]]{0,80}, (\d{1,15}) bytes, sha256 ")
RATE = re.compile(r"^audio/pcm;\s{0,4}rate=([1-9][0-9]{2,5})$")  # of 16 bits and one channel, as Live has it
# Padded, or longer than any id or digest.
BASE64 = re.compile(r"[A-Za-z0-9+/]{22,}={1,2}|[A-Za-z0-9+/_-]{130,}={0,2}")
ENOUGH = 2000  # of a text tells what it is
UNTOLD = "base64"  # the type of what has none
DEEP = 50  # levels; what lies deeper is left as it is


def light(value: Any, mime: str = UNTOLD, levels: int = DEEP) -> Any:
    """The value with type and size in place of what is base64."""
    if isinstance(value, str):
        return weighed(mime, bytes_in(value)) if BASE64.fullmatch(value[:ENOUGH]) else value
    if isinstance(value, dict) and levels:
        return {key: light(item, mime_of(value), levels - 1) for key, item in value.items()}
    return [light(item, mime, levels - 1) for item in value] if isinstance(value, list) and levels else value


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
    return int(left_out[1]) if left_out else len(data) * 3 // 4


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count // 1000} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
