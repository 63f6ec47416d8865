"""How Live sessions end: what a close code and its reason mean, and which message of the client they blame.

There is no error message in a Live session: the close is all a server says. The codes are coarse, so the text decides.
It is cut at 123 bytes, and compared by its beginning.
"""

from typing import NamedTuple

CLEAN = (None, 1000, 1001, 1005, 1006)  # 1006: no close was seen
QUIET = frozenset(("limit",))  # time is up: nobody is refused, whatever the code is
CUT = 110  # bytes from which a reason may have been cut, characters of several bytes allowed for
SURE = 16  # of a text that is cut, so much must be there


class KnownClose(NamedTuple):
    """A close that is known. `…` in its text stands for anything. `blames` is a message, where the text tells it."""

    code: int
    text: str
    meaning: str
    blames: str = ""


NOT_FOUND = "Requested entity was not found"  # of a handle or a model
# The first row whose text fits wins; the code is what it was seen with, and decides nothing.
CLOSES = (
    KnownClose(1011, "keepalive ping timeout", "keepalive"),
    KnownClose(1007, "API key not valid", "auth"),
    KnownClose(1007, "API key not found", "auth"),
    KnownClose(1007, "API key expired", "auth"),
    KnownClose(1007, "User location is not supported", "auth"),
    KnownClose(1008, "Method doesn't allow unregistered callers", "auth"),
    KnownClose(1008, "Generative Language API has not been used in project", "auth"),
    KnownClose(1008, "models/… is not found for API version", "model", "setup"),
    KnownClose(1008, "Publisher Model … was not found", "model", "setup"),
    KnownClose(1008, "BidiGenerateContent session not found", "handle", "setup"),
    KnownClose(1008, NOT_FOUND, "handle", "setup"),
    KnownClose(1007, "Invalid session handle", "handle", "setup"),
    KnownClose(1007, "setup must be the first message", "order"),
    KnownClose(1007, "Explicit activity control is not supported", "activity", "realtimeInput"),
    KnownClose(1007, "realtime_input.media_chunks is deprecated", "input", "realtimeInput"),
    KnownClose(1007, "Cannot extract voices from a non-audio request", "setup", "setup"),
    KnownClose(1007, "The requested combination of response modalities", "setup", "setup"),
    KnownClose(1007, "No matching speaker voice found for name", "speech", "setup"),
    KnownClose(1007, "Unsupported language code", "speech", "setup"),
    KnownClose(1007, "Code Execution tool is not supported for this model", "setup", "setup"),
    KnownClose(1007, "Invalid JSON payload received", "schema"),
    KnownClose(1007, "Unknown name", "schema"),
    KnownClose(1007, "Invalid value at", "schema"),
    KnownClose(1008, "Operation is not implemented, or supported, or enabled", "operation"),
    KnownClose(1007, "Request contains an invalid argument", "argument"),
    KnownClose(1011, "You exceeded your current quota", "quota"),
    KnownClose(1011, "Insufficient model resources", "quota"),
    KnownClose(1011, "The service is currently unavailable", "unavailable"),
    KnownClose(1011, "Deadline expired before operation could complete", "limit"),
    KnownClose(1008, "The operation was aborted", "aborted"),
    KnownClose(1000, "The operation was cancelled", "limit"),
    KnownClose(1011, "Internal error", "internal"),
)
# What a code says by itself.
CODES = {
    1000: "The session was closed in peace: by the client when it had done, or by Vertex AI when the time of "
    "the connection was over. After `goAway` a client closes with it and sets up again with its latest "
    "handle.",
    1001: "By the protocol of websockets one side goes away, as a page that is left. It is taken for a close in "
    "peace; with which reasons a Gemini server would send it is not known.",
    1005: "The close had no code. It is taken for a close in peace.",
    1006: "No close was seen: the connection broke off, or was never made. No server sends this code. Libraries "
    "and browsers put it there, and browsers hide behind it why a websocket was refused: the URL, the key "
    "or the token. A client that reads only text frames never sees `setupComplete`, which comes in a "
    "binary one, and waits until the connection breaks off (WC714 live-setup-complete-missing).",
    1007: "The server refuses what it was sent (INVALID_ARGUMENT, FAILED_PRECONDITION), or the key. The reason "
    "says more, the commonest first:",
    1008: "The server does not know the model or the handle, does not have the operation, does not let the "
    "client in, or gives up (NOT_FOUND, UNIMPLEMENTED, PERMISSION_DENIED, ABORTED). The reason says "
    "which:",
    1011: "The server fails, is down, is out of time or out of quota (INTERNAL, UNAVAILABLE, DEADLINE_EXCEEDED, "
    "RESOURCE_EXHAUSTED): the frames are seldom to blame. `keepalive ping timeout` is none of it, a "
    "library of the client says so.",
}
UNKNOWN = KnownClose(0, "", "unknown")
BY_CLIENT = frozenset(("keepalive",))  # a library of the client says this, never the server
# How a path in a reason begins, and the message it leads into.
PATHS = {
    "setup": "setup",
    "client_content": "clientContent",
    "realtime_input": "realtimeInput",
    "tool_response": "toolResponse",
    "context_update": "contextUpdate",
}


def read(reason: str) -> KnownClose:
    """The row a reason belongs to."""
    return next((row for row in CLOSES if says(reason, row.text)), UNKNOWN) if reason else UNKNOWN


def refuses(code: int | None, reason: str) -> bool:
    """Whether a close of the server says that something was wrong."""
    return code not in CLEAN and read(reason).meaning not in QUIET


def says(reason: str, text: str) -> bool:
    """Whether a reason holds a text, or as much of it as was left when it was cut."""
    heard, start = " ".join(reason.lower().split()), 0
    for piece in text.lower().split("…"):
        found = heard.find(piece, start)
        if found < 0:
            return len(reason.encode(errors="replace")) >= CUT and _cut(heard[start:], piece)
        start = found + len(piece)
    return True


def _cut(heard: str, piece: str) -> bool:
    """Whether what was heard ends within the piece."""
    return any(heard.endswith(piece[:length]) for length in range(SURE, min(len(piece), len(heard)) + 1))


def blamed(row: KnownClose, reason: str) -> str:
    """The message a reason speaks of, "" where it does not tell."""
    paths = (message for path, message in PATHS.items() if f"'{path}" in reason)
    return next(paths, row.blames)
