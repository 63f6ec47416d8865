"""Lines that hold frames, decoded many at a time, as runs of one form: all of them but the wording and the time.

Two frames of one form have the same keys, kinds of media and flags; texts and media are there, or are empty.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from wirecheck.lane.live import (
    Content,
    FromServer,
    Kept,
    KeptOfClient,
    KeptOfServer,
    Line,
    Realtime,
    ToldOfClient,
    ToldOfServer,
    Usage,
)
from wirecheck.lane.usual import UNUSUAL
from wirecheck.wire.log import PREFIX

SOME = "~"  # stands where something is written
URL = ":"  # stands where a data URL is: base64 has no colon
# How a line begins that may be a frame, and what decodes such lines.
READERS: dict[bytes, Callable[[bytes], list[Line | None]]] = {
    PREFIX: msgspec.json.Decoder(KeptOfClient | KeptOfServer | None).decode_lines,
    b'{"from":': msgspec.json.Decoder(ToldOfClient | ToldOfServer | None).decode_lines,
}
BETWEEN = b"null\n"  # stands between two lines, so that neither two values in a line nor one in two lines are taken

_key = msgspec.json.Encoder().encode


class Group(Struct, gc=False):
    """Lines of one form that follow one another, and where they end."""

    line: Line
    key: bytes
    client: bool
    end: int


class Run:
    """Lines that were decoded at once; `begin` and `end` are places among all that were read."""

    def __init__(self, lines: Sequence[bytes], begin: int, frames: list[Line]) -> None:
        self.lines, self.begin, self.end = lines, begin, begin
        self.kept = isinstance(frames[0], Kept)
        self._times, self._groups, self._at = [frame.at for frame in frames], list[Group](), 0
        blank(frames)
        for line, alike in groupby(frames):
            self.end += len(list(alike))
            self._groups.append(Group(line, _key(line.data), not isinstance(line.data, FromServer), self.end))

    def group(self, at: int) -> Group:
        """The group of this line. They are asked for in order."""
        while self._groups[self._at].end <= at:
            self._at += 1
        return self._groups[self._at]

    def time(self, begin: int, end: int) -> float | None:
        """The last time that these lines tell."""
        times = self._times[begin - self.begin : end - self.begin]
        return next((at for at in reversed(times) if at is not None), None)


def read(lines: Sequence[bytes], begin: int, most: int) -> Run | None:
    """So many of these lines, from one on, where each is a usual frame."""
    found = frames(lines[begin : begin + most])
    return Run(lines, begin, found) if found else None


def frames(lines: Sequence[bytes]) -> list[Line] | None:
    """The frames of these lines, where each is one."""
    decode = next((decode for begins, decode in READERS.items() if lines[0].startswith(begins)), None)
    if decode is None:
        return None
    try:
        found = decode(BETWEEN.join(lines))
    except UNUSUAL:
        return None
    frames, between = found[::2], found[1::2]
    whole = len(frames) == len(lines) and all(frames) and between == [None] * len(between)
    return frames if whole else None  # type: ignore[return-value]


def blank(frames: Sequence[Line]) -> None:
    """Takes out wording and times. All frames go through this loop, so it calls nothing for the most usual ones."""
    for line in frames:
        line.at, data = None, line.data
        if isinstance(data, FromServer):
            if (content := data.server_content) and content.model_turn:
                for part in content.model_turn.parts:
                    if part.inline_data:
                        part.inline_data.data = SOME if part.inline_data.data else ""
                    if part.text:
                        part.text = SOME
            if content and (content.input_transcription or content.output_transcription):
                _transcribed(content)
            if isinstance(data.usage_metadata, Usage):
                data.usage_metadata = tuple(map(bool, astuple(data.usage_metadata)))
        elif given := data.realtime_input or data.realtime_input_:
            if blob := given.audio:
                blob.data = (URL if blob.data[4:5] == URL else SOME) if blob.data else ""
            if given.video or given.media_chunks or given.text:
                _given(given)


def _transcribed(content: Content) -> None:
    for said in (content.input_transcription, content.output_transcription):
        if said and said.text:
            said.text = SOME


def _given(given: Realtime) -> None:
    for blob in (given.video, *(given.media_chunks or ())):
        if blob:
            blob.data = (URL if blob.data[4:5] == URL else SOME) if blob.data else ""
    if given.text:
        given.text = SOME
