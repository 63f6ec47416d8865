"""What is legal in a request, and refused by some server all the same: where to look when nothing is wrong."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import DecodeError, json

from wirecheck.dialects.messages import Contents
from wirecheck.dialects.vocabulary.field_names import get, keys_of, told_keys

MANY = 128  # declarations; what Vertex AI's documentation allows
# Of the request around its contents: what is known to be refused by some models, and hard on servers.
UNUSUAL = (
    ("toolConfig.functionCallingConfig.allowedFunctionNames", "allowedFunctionNames"),
    ("toolConfig.functionCallingConfig.streamFunctionCallArguments", "streamFunctionCallArguments"),
    ("toolConfig.includeServerSideToolInvocations", "includeServerSideToolInvocations"),
    ("generationConfig.responseSchema", "a responseSchema"),
    ("generationConfig.responseJsonSchema", "a responseJsonSchema"),
    ("generationConfig.responseMimeType", "a responseMimeType"),
    ("generationConfig.responseModalities", "responseModalities"),
    ("generationConfig.thinkingConfig", "a thinkingConfig"),
    ("generationConfig.speechConfig", "a speechConfig"),
    ("generationConfig.candidateCount", "candidateCount"),
    ("generationConfig.frequencyPenalty", "frequencyPenalty"),
    ("generationConfig.presencePenalty", "presencePenalty"),
    ("generationConfig.responseLogprobs", "responseLogprobs"),
    ("cachedContent", "cachedContent"),
)
CONSTRAINED = ("ANY", "VALIDATED")  # modes in which the schemas of all declarations become one constraint
_TOOL = re.compile(rb'"tool"')
_CALL, _RESPONSE = re.compile(rb'"function_?[cC]all"'), re.compile(rb'"function_?[rR]esponse"')


def unusual(around: Mapping[str, bytes]) -> Iterator[str]:
    """What few requests have around their contents."""
    body = {key: value_of(raw) for key, raw in around.items()}
    tools = get(body, "tools")
    entries = [each for each in (tools if type(tools) is list else [tools]) if type(each) is dict]
    lists = [get(entry, "functionDeclarations") for entry in entries]
    declared = sum(len(each) for each in lists if type(each) is list)
    if declared > MANY:
        yield f"{declared} function declarations"
    if declared and any(set(told_keys(entry)) - {"functionDeclarations"} for entry in entries):
        yield "Google's own tools beside functions"
    mode = str(_at(body, "toolConfig.functionCallingConfig.mode")).upper()
    if mode in CONSTRAINED:
        yield f"mode {mode}: the schemas constrain the answer"
    yield from (what for path, what in UNUSUAL if _at(body, path) is not None)


class Suspect(NamedTuple):
    """A content, by its number, and what it may have done."""

    n: int
    what: str


def suspected(contents: Contents, said: str) -> Iterator[Suspect]:
    """What stands in a history where the server, in words made even, says that calls and responses do not fit."""
    for words, find in SUSPECTS:
        if words in said:
            yield from find(contents)


def _interleaved(contents: Contents) -> Iterator[Suspect]:
    """Calls and responses in turns within a content: sound where the server executed the calls, else put together."""
    for n, raw in enumerate(contents):
        told = _parts(raw) if _CALL.search(raw) and _RESPONSE.search(raw) else []
        first = next((m for m, keys in enumerate(told) if "functionResponse" in keys), len(told))
        if any("functionCall" in keys for keys in told[first:]):
            yield Suspect(n, "interleaved-call-and-response")


def _open(contents: Contents) -> Iterator[Suspect]:
    """Calls at the very end, where nobody can have answered them."""
    for n, raw in enumerate(contents[-1:], len(contents) - 1):
        if any("functionCall" in keys for keys in (_parts(raw) if _CALL.search(raw) else [])):
            yield Suspect(n, "unanswered-function-call")


def _nameless(contents: Contents) -> Iterator[Suspect]:
    """Messages of tools that do not name their function: most servers take them, some reject them and say nothing."""
    for n, raw in enumerate(contents):
        message = value_of(raw) if _TOOL.search(raw) else None
        if type(message) is dict and message.get("role") == "tool" and not message.get("name"):
            yield Suspect(n, "oai-tool-name-missing")


def _parts(raw: bytes) -> list[tuple[str, ...]]:
    """The keys of the parts of a content."""
    content = value_of(raw)
    parts = get(content, "parts") if type(content) is dict else None
    return [keys_of(part) for part in parts if type(part) is dict] if type(parts) is list else []


# By words that the text has: what to look for. The first row comes first.
SUSPECTS: tuple[tuple[str, Callable[[Contents], Iterator[Suspect]]], ...] = (
    ("number of function response parts", _interleaved),
    ("number of function response parts", _open),
    ("request contains an invalid argument", _nameless),
)


def _at(body: Any, path: str) -> Any:
    for key in path.split("."):
        body = get(body, key) if type(body) is dict else None
    return body


def value_of(raw: bytes) -> Any:
    """What is written there; None where it cannot be read."""
    try:
        return json.decode(raw)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        return None
