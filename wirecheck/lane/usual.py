"""What is usual, and what is not: see shapes.py. And what of it is fixed, as it is written."""

import msgspec
from msgspec import Raw, Struct


class Tool(Struct, forbid_unknown_fields=True, gc=False):
    """One that declares functions, and is nothing else."""

    functions: list[Raw] = msgspec.field(name="functionDeclarations")


tools = msgspec.json.Decoder(list[Tool]).decode


class Fixed(Struct, rename="camel", gc=False):
    """Of the body of a request."""

    tools: Raw = Raw()
    tool_config: Raw = Raw()
    generation_config: Raw = Raw()
    safety_settings: Raw = Raw()

    def written(self) -> tuple[bytes, ...]:
        """The tools, and the rest; a null is as good as none."""
        several = self.tools, self.tool_config, self.generation_config, self.safety_settings
        return tuple([b"" if one == b"null" else bytes(one) for one in several])


class Request(Struct, gc=False):
    url: str
    body: Raw


class Exchange(Struct, gc=False):
    request: Request


fixed = msgspec.json.Decoder(Fixed).decode
request = msgspec.json.Decoder(Request).decode
exchange = msgspec.json.Decoder(Exchange).decode


class Odd(Exception):
    """It is not as usual after all."""


UNUSUAL = (msgspec.DecodeError, RecursionError, UnicodeError, Odd)
