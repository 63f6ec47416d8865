"""What usually crosses the wire, as tables: which keys there are, and what of each is its shape.

What does not fit is not usual, and be it one key more; it is read the long way. So nothing is overlooked here. What
the words of a row mean is said in read.h; read.c reads by these tables.
"""

from typing import Any

from wirecheck.dialects.application import MARK
from wirecheck.lane.native import Reader

Row = tuple[Any, ...]
Values = tuple[Any, ...]
Form = tuple[Any, Values]  # a shape, or a number for it, and what is said in it
Group = tuple[bytes, Values, int]  # lines of one shape: what is said in the last, and where they end


WORD, TEXT, BYTES, ID, BASE64, DATA = ("word",), ("text",), ("bytes",), ("id",), ("base64",), ("data",)
FLAG, NUMBER, FIGURE, ANY, MEMBERS, FIXED, STAMP = [
    (name,) for name in ("flag", "number", "figure", "any", "members", "fixed", "stamp")
]
PLUS, MINUS = ("count", 1), ("count", -1)
SPELT, THERE, SOME, ZERO, DIGITS = ("spelt",), ("there",), ("some",), ("zero",), ("digits",)


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


def quiet(row: Row) -> Row:
    """Only its shape is of interest."""
    return "quiet", row


def events(row: Row) -> Row:
    """Such things as a stream, or one of them, in a string."""
    return "events", row


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
    "finishMessage": THERE,
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
    "trafficType": THERE,
    "serviceTier": THERE,
}
CHUNK = thing(
    {
        "candidates": several(thing(CANDIDATE)),
        "usageMetadata": thing(USAGE),
        "modelVersion": TEXT,
        "responseId": TEXT,
        "createTime": THERE,
    }
)
CONTENTS = several(form(thing(CONTENT, kept=True)), heard=True)
BODY = thing(
    {
        "contents": form(CONTENTS),
        "systemInstruction": quiet(thing(CONTENT)),
        "tools": STAMP,
        "toolConfig": FIXED,
        "generationConfig": FIXED,
        "safetySettings": FIXED,
    }
)
REQUEST = {"method": WORD, "url": FIXED, "headers": members(MARK[0], strings=True)}
RESPONSE = {"status": NUMBER, "headers": ANY, "body": either(form(CHUNK), events(CHUNK))}
EXCHANGE = thing({"request": thing({**REQUEST, "body": either(BODY, BYTES)}), "response": thing(RESPONSE)})
# Lines of wirecheck's own log.
ENTRY = {"v": NUMBER, "kind": WORD, "channel": TEXT, "at": FIGURE}
OPENED = thing({**ENTRY, **REQUEST, "body": BODY})
ANSWERED = thing({**ENTRY, "status": NUMBER, "headers": members(strings=True), "from": WORD, "data": form(CHUNK)})
# Frames of a Live session, in our own log or as other programs write them. Only the time is a value, so lines of one
# shape are alike in all that matters. Who may send what is told by the shape, in runs.py. In kinds of media there are
# clients that escape the slash, or the sign of equality.
BLOB = thing({"mimeType": SPELT, "data": SOME})
TURN = {"parts": several(thing({"text": SOME, "inlineData": BLOB, "thought": FLAG})), "role": WORD}
TRANSCRIPTION = thing({"text": SOME, "finished": FLAG, "languageCode": WORD})
HEARD = {
    "audio": BLOB,
    "video": BLOB,
    "mediaChunks": several(BLOB),
    "text": SOME,
    "audioStreamEnd": FLAG,
    "activityStart": thing({}),
    "activityEnd": thing({}),
}
SPOKEN = {
    "modelTurn": thing(TURN),
    "inputTranscription": TRANSCRIPTION,
    "outputTranscription": TRANSCRIPTION,
    "interrupted": FLAG,
    "generationComplete": FLAG,
    "turnComplete": FLAG,
    "waitingForInput": FLAG,
    "turnCompleteReason": WORD,
}
TOKENS = ("prompt", "response", "candidates", "toolUsePrompt")
COUNTED = {
    **{f"{what}TokenCount": ZERO for what in (*TOKENS, "total", "thoughts", "cachedContent")},
    **{f"{what}TokensDetails": several(thing({"modality": WORD, "tokenCount": ZERO})) for what in (*TOKENS, "cache")},
    "trafficType": WORD,
}
MESSAGE = {
    "realtimeInput": thing(HEARD),
    "realtime_input": thing(HEARD),  # Python's library writes this key, and none within it, with an underscore
    "serverContent": thing(SPOKEN),
    "usageMetadata": thing(COUNTED),
}
TOLD = {"channel": SPELT, "at": DIGITS, "from": WORD, "data": thing(MESSAGE)}
FRAME = thing({"v": NUMBER, "kind": WORD, "opcode": NUMBER, "url": SOME, **TOLD})


def shape(reader: Reader, data: bytes) -> bytes:
    """Of what is known to have one."""
    read = reader.read(data)
    assert read is not None
    return read[0]


# Of these a number may be asked for in place of the shape.
exchange, body, opened, answered, content = map(Reader, (EXCHANGE, BODY, OPENED, ANSWERED, thing(CONTENT)))
frame, frames = Reader(FRAME).read, Reader(FRAME).read_lines
