"""What a test asks of the stand-in, in the prompt itself: `Weather? [[call=get_weather; encoding=br; break=2]]`.

A prompt reaches the server through any client in any process, so no second channel is needed. Only what was
said last counts: a history that is recited asks for nothing again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

WISH = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True)
class Wishes:
    """One field a wish, named as in the prompt."""

    # What the model says.
    call: str = ""  # names of functions, with commas between: all called in one turn
    same: int = 0  # 1: they all have one id
    say: str = "It is sunny in Paris, and it will stay so all day."
    chunks: int = 4
    finish: str = "STOP"
    # What the server says instead.
    status: int = 200
    message: str = "Request contains an invalid argument."
    location: str = ""  # of a redirect
    body: str = ""  # sent as it stands
    hex: str = ""  # the same, where it is no text
    type: str = ""  # a content type that is not the body's
    # How it says it.
    encoding: str = ""  # gzip, deflate, br, zstd
    claims: str = ""  # an encoding that the body is not in
    newline: str = "crlf"  # between the lines of events, as Google sends them; lf, cr
    cut: int = 0  # bytes a piece; 0: one event a piece
    wait: float = 0.0  # seconds before the head
    slow: float = 0.0  # seconds before each piece
    breaks: int = -1  # pieces after which the connection is cut off
    # Live only.
    frames: int = 1  # how many frames the model speaks
    size: int = 0  # bytes of audio in each
    text: int = 0  # 1: text frames. Google sends JSON in binary ones
    fragments: int = 1  # websocket fragments a message
    cancel: int = 0  # 1: a call is cancelled as soon as it is made
    close: int = 0  # the code to close with
    reason: str = ""


KINDS: dict[str, Any] = {field.name: type(field.default) for field in fields(Wishes)}


def wishes(text: str) -> Wishes:
    """What a prompt asks for. One that is mistyped is answered so: a test that asks for nothing proves nothing."""
    asked: dict[str, Any] = {}
    for name, _, value in (wish.partition("=") for group in WISH.findall(text) for wish in group.split(";")):
        try:
            asked[name.strip()] = KINDS[name.strip()](value.strip())
        except (KeyError, ValueError):
            message = f"no such wish: {name.strip()}={value.strip()}"
            return Wishes(status=501, message=message, close=1011, reason=message)
    return Wishes(**asked)


def texts(value: Any) -> Iterator[str]:
    """Every text in a content, a turn, or a list of them."""
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from texts(each)
