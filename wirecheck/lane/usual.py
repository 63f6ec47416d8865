"""What is usual, and what is not: see shapes.py."""

import msgspec
from msgspec import Raw, Struct


class Tool(Struct, forbid_unknown_fields=True, gc=False):
    """One that declares functions, and is nothing else."""

    functions: list[Raw] = msgspec.field(name="functionDeclarations")


tools = msgspec.json.Decoder(list[Tool]).decode


class Odd(Exception):
    """It is not as usual after all."""


UNUSUAL = (msgspec.DecodeError, RecursionError, UnicodeError, Odd)
