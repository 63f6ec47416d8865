"""Whether calls that end a conversation are what the program wanted: then nobody answers them."""

import re
from collections.abc import Iterable

from wirecheck.sources.formats.node import JsonNode, text
from wirecheck.sources.telemetry.typed_messages import ToldMessage

# Settings that make the model call a function, also within a text. As Python prints an enumeration, its name is before.
FORCED = re.compile(
    rb'function_?calling_?config\\{0,3}"\s{0,3}:\s{0,3}\{[^{}]{0,400}?"mode\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"(?:\w{1,40}\.)?any\b'
    rb'|tool_?choice\\{0,3}"\s{0,3}:\s{0,3}(?:\\{0,3}"){0,2}(?:\w{1,40}\.)?(?:required|any)\b'
    rb'|tool_?choice\\{0,3}"\s{0,3}:\s{0,3}(?:\\{0,3}")?\{\s{0,3}\\{0,3}"type\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"'
    rb"(?:required|any|function|tool)\b"
    rb'|\A\s{0,3}\{\s{0,3}"type"\s{0,3}:\s{0,3}"(?:required|tool)"',  # the choice itself
    re.IGNORECASE,
)


def are_wanted(said: Iterable[ToldMessage], parameters: JsonNode, settings: Iterable[JsonNode]) -> bool:
    """Whether the model had to call, or the framework declared what is called as its result: `parameters` of a request
    are as pydantic-ai keeps them."""
    called = {name for message in said for name in message.names}
    if not called:
        return False
    declared = parameters.inner()["output_tools"]
    return not called.isdisjoint(text(tool["name"]) for tool in declared) or any(
        FORCED.search(each.inner().raw) is not None for each in settings
    )
