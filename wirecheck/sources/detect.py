"""Detects what a JSON value is (an exchange, a body, a frame, …) by its keys, with the table KINDS. Decodes only keys.

Keys match in either spelling, `promptFeedback` and `prompt_feedback`. `request.url` is a key of the object under
`request`, or of the first that is listed there, `contents.nothing` an empty list; `just error` is an object with no
other key.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from wirecheck.wire.records import Site

object_of = msgspec.json.Decoder(dict[str, Raw]).decode
list_of = msgspec.json.Decoder(list[Raw]).decode

CLIENT = (
    "setup | clientContent | realtimeInput | toolResponse | contextUpdate | just functionResponses"
    " | BidiGenerateContentSetup | BidiGenerateContentClientContent | BidiGenerateContentRealtimeInput"
    " | BidiGenerateContentToolResponse | bidiGenerateContentToolResponse"
)
SERVER = (
    "setupComplete | serverContent | toolCall | toolCallCancellation | goAway | sessionResumptionUpdate"
    " | voiceActivity | voiceActivityDetectionSignal"
)
ASKED = (
    "contents.role | contents.parts | contents.nothing"
    " | model | generationConfig | systemInstruction | tools | toolConfig | safetySettings | cachedContent"
)
REPLIED = (
    "candidates.content | candidates.finishReason | candidates.safetyRatings | candidates.nothing"
    " | usageMetadata | modelVersion | responseId"
)


class DetectionRow(NamedTuple):
    """A kind, and groups of keys: a value of this kind has at least one key of each group."""

    kind: str
    needs: tuple[frozenset[str], ...]


def _row(kind: str, *groups: str) -> DetectionRow:
    return DetectionRow(kind, tuple(frozenset(group.split(" | ")) for group in groups))


# The first row that fits wins. "" is no kind, but values inside may be looked at. `a.b` is only seen if `a` is in
# LOOK_INTO. sources/frames.py refuses the keys of rows above "frame".
KINDS = (
    _row("log", "v", "kind", "channel"),
    _row("exchange", "request.body"),
    _row("", "request.postData | request.bodySegments | request.bodyPatterns"),  # recorders with other forms of bodies
    _row("exchange", "request.url | request.uri | request.method"),
    _row("", "request.contents", "response"),  # two bodies side by side, not the one body of Code Assist
    # Other programs list contents and candidates as well. That these are Gemini's is said by the first, or beside.
    _row("body", "request.contents"),
    _row("body", "contents", ASKED),
    # Other APIs have an `input` as well; the second group are keys only interactions have.
    _row("body", "input", "previousInteractionId | generationConfig | systemInstruction"),
    _row("session", "frames"),
    _row("messages", "messages"),
    _row("", "from | dir | direction", "data.contents | data.candidates"),  # a logged HTTP body, not a frame
    _row("frame", "from | dir | direction", "data"),
    _row("reply", "promptFeedback | response.candidates | response.promptFeedback"),
    _row("reply", "candidates", REPLIED),
    _row("reply", "object", "status", "steps | outputs"),
    _row("reply", "eventType", "interaction | interactionId | index | error"),
    _row("reply", "choices.message | choices.delta"),
    _row("message", "role", "content | parts | toolCalls | text | functionCall | functionResponse"),
    _row("message", "just functionResponse"),
    _row("message", "parts.text | parts.functionCall | parts.functionResponse | parts.inlineData | parts.fileData"),
    _row("client", CLIENT),
    _row("server", SERVER),
    _row("reply", "just error"),
    _row("usage", "usageMetadata"),
)
# The last keys of each group.
NAMES = [[{key.removeprefix("just ").rpartition(".")[2] for key in group} for group in row.needs] for row in KINDS]
# How the value of a key begins in a kind: a list, or a role as somebody may write it. A schema has an object there.
BEGINS = {"session": ("frames", b"["), "messages": ("messages", b"["), "message": ("role", b'"-0123456789nft')}
LOOK_INTO = ("request", "response", "data", "parts", "choices", "contents", "candidates")  # of a list, the first item
NOTHING = {"nothing": Raw(b"null")}
LARGE = 1 << 16  # bytes
LONG = 2000  # characters: longer sets of keys are not cached
KEY = re.compile(rb'"([A-Za-z_]{2,40})\\{0,7}"\s{0,9}:')  # of a value, or of one in a text
CONTENT = frozenset(("parts", "functionResponse", "function_response"))


class DetectedValue(Struct, gc=False):
    """A JSON value with its kind ("" where no row fits), its place, and its keys or items, undecoded."""

    kind: str
    raw: bytes | Raw
    site: Site
    keys: dict[str, Raw] = {}
    items: list[Raw] = []

    @property
    def body(self) -> bytes:
        """The whole value as bytes. Copies it, also where it is large."""
        return bytes(self.raw)


def look(raw: bytes | Raw, site: Site) -> DetectedValue:
    """Detects one value. Raises DecodeError where it is not JSON."""
    if head(raw) == b"{":
        keys = object_of(raw)
        return DetectedValue(kind_of(keys), raw, site, keys)
    if head(raw) == b"[":
        items = list_of(raw)
        return DetectedValue(_kind_of_list(items), raw, site, {}, items)
    msgspec.json.decode(raw, type=Raw)
    return DetectedValue("", raw, site)


def keys_of(raw: Raw | None) -> dict[str, Raw]:
    """The members of an object, undecoded; empty for anything else."""
    return object_of(raw) if raw is not None and head(raw) == b"{" else {}


def items_of(raw: Raw) -> list[Raw]:
    """The items of a list, undecoded; empty for anything else."""
    return list_of(raw) if head(raw) == b"[" else []


def stripped(raw: bytes) -> bytes | Raw:
    """The line without whitespace around it. A large line is not copied."""
    begin, end = 0, len(raw)
    if end < LARGE:
        return raw.strip()
    while raw[end - 1 : end].isspace():
        end -= 1
    while raw[begin : begin + 1].isspace():
        begin += 1
    return Raw(memoryview(raw)[begin:end])


def head(raw: bytes | Raw) -> bytes:
    """The first byte of a value."""
    return bytes(memoryview(raw)[:1])


def kind_of(keys: dict[str, Raw]) -> str:
    names = tuple(keys)
    inner = tuple([f"{key}.{_camel(each)}" for key in LOOK_INTO if key in keys for each in _first(keys[key])])
    find = _kind if sum(map(len, names + inner)) < LONG else _kind.__wrapped__
    kind = find(names, inner)
    key, begins = BEGINS.get(kind, ("", b""))
    return "" if key in keys and head(keys[key]) not in begins else kind


def may_hold(text: bytes) -> bool:
    """Whether the keys of some row stand anywhere in a piece of JSON: only then a value in it may be of a kind."""
    named = {_camel(name.decode()) for name in KEY.findall(text)}
    return any(not any(map(named.isdisjoint, groups)) for groups in NAMES)


def _first(raw: Raw) -> dict[str, Raw]:
    """The members of an object, or of the first object of a list."""
    if head(raw) != b"[":
        return keys_of(raw)
    items = items_of(raw)
    return keys_of(items[0]) if items else NOTHING


@lru_cache(maxsize=128)
def _kind(names: tuple[str, ...], inner: tuple[str, ...]) -> str:
    signs = {_camel(name) for name in names if "." not in name}.union(inner)
    if len(names) == 1:
        signs.add(f"just {_camel(names[0])}")
    return next((row.kind for row in KINDS if not any(map(signs.isdisjoint, row.needs))), "")


@lru_cache(maxsize=1024)
def _camel(key: str) -> str:
    head, *words = key.split("_")
    return head + "".join(map(str.title, words)) if head and all(words) else key


def _kind_of_list(items: list[Raw]) -> str:
    """The kind of a list: "body" for contents (or bare parts of one), "messages-list", or ""."""
    first = keys_of(items[0]) if items else {}
    if kind_of(first) != "message":
        return ""
    return "messages-list" if any(CONTENT.isdisjoint(keys_of(item)) for item in items) else "body"
