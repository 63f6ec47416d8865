"""A content without what clients change in passing: key order, white space, spelling, ids and signatures.

Two contents that say the same have the same digest. It costs a decode, so it is asked only where bytes do not tell.
"""

from typing import Any

import msgspec

from wirecheck.dialects.raw_json import Undecodable, decode
from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.hashing import digest

_PASSING = frozenset(("id", "thoughtSignature"))


def plain_digest(raw: bytes) -> int:
    try:
        return digest(msgspec.json.encode(_plain(decode(raw)), order="sorted"))
    except Undecodable:
        return digest(raw)


def _plain(value: Any) -> Any:
    if type(value) is dict:
        named = ((camel(key), item) for key, item in value.items())
        return {key: _plain(item) for key, item in named if key not in _PASSING}
    return [_plain(item) for item in value] if type(value) is list else value
