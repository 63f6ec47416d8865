"""What usually crosses the wire, as tables: which keys there are, and what of each is its shape.

What does not fit is not usual, and be it one key more; it is read the long way. So nothing is overlooked here. What
the words of a row mean is said in shape.c, which reads by these tables. Where that could not be compiled nothing is
usual: all is read the long way, with the same findings, and slower.
"""

from collections.abc import Callable, Sequence
from typing import Any

from wirecheck.dialects.application import MARK

try:
    from wirecheck.lane.shape import Reader
except ImportError:
    Reader = None  # type: ignore[assignment,misc]

Row = tuple[Any, ...]
Values = tuple[Any, ...]
Form = tuple[bytes, Values]  # a shape, and what is said in it
Read = Callable[..., tuple[bytes, Values, Sequence[bytes], int] | None]  # also each content, and where the last ends

WORD, TEXT, BYTES, ID, BASE64, DATA = ("word",), ("text",), ("bytes",), ("id",), ("base64",), ("data",)
FLAG, NUMBER, FIGURE, ANY, RAW, MEMBERS = ("flag",), ("number",), ("figure",), ("any",), ("raw",), ("members",)
PLUS, MINUS = ("count", 1), ("count", -1)


def thing(keys: dict[str, Row], *, kept: bool = False) -> Row:
    """An object with these keys and no others; whether its own bytes are kept."""
    return "object", keys, kept


def several(row: Row, *, heard: bool = False) -> Row:
    """A list; whether it may begin with what was heard before."""
    return "list", row, heard


def members(*watched: str, strings: bool = False) -> Row:
    """An object of which only these keys are of interest."""
    return "open", dict.fromkeys(watched), strings


def form(row: Row) -> Row:
    return "form", row


def either(thing: Row, text: Row) -> Row:
    return "either", thing, text


CALL = thing({"name": ID, "args": MEMBERS, "id": ID})
ANSWER = thing({"name": ID, "response": members("output", "error"), "id": ID})
PART = {
    "text": TEXT,
    "functionCall": CALL,
    "functionResponse": ANSWER,
    "inlineData": thing({"mimeType": WORD, "data": DATA}),
    "thought": FLAG,
    "thoughtSignature": BASE64,
}
SAID = {**PART, "inlineData": thing({"mimeType": WORD, "data": BASE64})}  # by the model: it is kept
CONTENT = {"parts": several(thing(PART)), "role": WORD}
CANDIDATE = {
    "content": thing({**CONTENT, "parts": several(thing(SAID))}),
    "finishReason": WORD,
    "index": NUMBER,
    "finishMessage": TEXT,
    "safetyRatings": several(members()),
    "avgLogprobs": FIGURE,
}
USAGE = {
    "promptTokenCount": PLUS,
    "candidatesTokenCount": PLUS,
    "thoughtsTokenCount": PLUS,
    "toolUsePromptTokenCount": PLUS,
    "totalTokenCount": MINUS,
    "cachedContentTokenCount": FIGURE,
    "promptTokensDetails": several(members()),
    "candidatesTokensDetails": several(members()),
    "cacheTokensDetails": several(members()),
    "trafficType": TEXT,
    "serviceTier": TEXT,
}
CHUNK = thing(
    {
        "candidates": several(thing(CANDIDATE)),
        "usageMetadata": thing(USAGE),
        "modelVersion": TEXT,
        "responseId": TEXT,
        "createTime": TEXT,
    }
)
CONTENTS = several(thing(CONTENT, kept=True), heard=True)
BODY = thing(
    {
        "contents": form(CONTENTS),
        "systemInstruction": form(thing(CONTENT)),
        "tools": RAW,
        "toolConfig": RAW,
        "generationConfig": RAW,
        "safetySettings": RAW,
    }
)
REQUEST = {"method": WORD, "url": TEXT, "headers": members(MARK[0], strings=True)}
RESPONSE = {"status": NUMBER, "headers": ANY, "body": either(form(CHUNK), BYTES)}
EXCHANGE = thing({"request": thing({**REQUEST, "body": either(BODY, BYTES)}), "response": thing(RESPONSE)})
# Lines of wirecheck's own log.
ENTRY = {"v": NUMBER, "kind": WORD, "channel": TEXT, "at": FIGURE}
OPENED = thing({**ENTRY, **REQUEST, "body": BODY})
ANSWERED = thing({**ENTRY, "status": NUMBER, "headers": members(strings=True), "from": WORD, "data": form(CHUNK)})


def _unread(data: bytes, begin: int = 0, at: int = 0, past: int = 0) -> None:
    """Nothing is usual."""


def _reader(row: Row, made: type[Reader] | None = Reader) -> Read:
    return _unread if made is None else made(row).read


exchange, body, opened, answered = map(_reader, (EXCHANGE, BODY, OPENED, ANSWERED))
contents, chunk = map(_reader, (CONTENTS, CHUNK))
