"""Replaces strings of JSON text, each with what is known of it by its name. All else stays as it is written.

The text may be broken off, and anything may stand before and after the JSON in it.
"""

import re
from collections.abc import Callable

import msgspec

from wirecheck.secrets.secret_fields import FieldNames
from wirecheck.secrets.secret_forms import PASSWORD_KIND

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*+)(?:"|\Z)(\s*+:)?|[\[\]{}]', re.S)
NUMBER = re.compile(r"(\s*+)(-?\d[\d.eE+-]{3,30})(?=\s*+[,}\]])")
ESCAPE = re.compile(rb"\\u00([2-7][0-9a-fA-F])")
# What a string becomes: told its text, what kind of secret it is by its name, and whether it is a key.
Replace = Callable[[str, str, bool], str]
_text = msgspec.json.Decoder(str).decode
_json = msgspec.json.Encoder().encode


def walk(text: str, fields: FieldNames, replace: Replace) -> str:
    pieces, at = list[str](), 0
    for found in TOKEN.finditer(text):
        sign = found[0]
        if sign in "[{":
            fields.begin(sign == "[")
        elif sign in "]}":
            fields.end()
        else:
            inside, is_key = found[1], found[2] is not None
            value = unescaped(inside)
            if is_key:
                fields.key(value)
            # Each string has a place, in which it may be replaced later: by its name that stands behind it.
            kind = "" if is_key else fields.value(value, (pieces, len(pieces) + 1, value))
            after = replace(value, kind, is_key)
            pieces += text[at : found.start()], sign if after == value else _like(found, after)
            at = found.end()
            if is_key and fields.hides_numbers() and (number := NUMBER.match(text, at)):
                pieces += number[1], _json(replace(number[2], PASSWORD_KIND, False)).decode()
                at = number.end()
    for (where, place, value), kind in fields.late:
        if where is pieces:  # else it stands in a text before, of which this one is the rest
            pieces[place] = _json(replace(value, kind, False)).decode()
    fields.late.clear()
    pieces.append(text[at:])
    return "".join(pieces)


def _like(found: re.Match[str], value: str) -> str:
    """A value in place of a string. One that breaks off still does."""
    written = _json(value).decode()
    is_whole = len(found[0]) > len(found[1]) + 1
    return f"{written}{found[2] or ''}" if is_whole else written[:-1]


def unescaped(inside: str) -> str:
    """A JSON string, decoded; if it is invalid, with its escaped letters decoded."""
    if "\\" not in inside:
        return inside
    try:
        return _text(f'"{inside}"')
    except (msgspec.DecodeError, UnicodeEncodeError):
        return letters(inside.encode("utf-8", "surrogatepass"))


def letters(raw: bytes) -> str:
    """JSON with escaped letters decoded: a key may be written `\\u0041Iza`."""
    if b"\\" in raw:
        raw = ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), raw).replace(b"\\/", b"/")
    return raw.decode("utf-8", "surrogatepass")
