"""What is usual, and what is not: see shapes.py."""

import msgspec
from msgspec import Raw, Struct


class Usual(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A JSON object that has these keys and no other."""


class Tool(Usual, gc=False):
    functions: list[Raw] = msgspec.field(name="functionDeclarations")


tools = msgspec.json.Decoder(list[Tool]).decode


class Odd(Exception):
    """It is not as usual after all."""


UNUSUAL = (msgspec.DecodeError, RecursionError, UnicodeError, Odd)
