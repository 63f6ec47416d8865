"""Lines that hold frames, read many at a time, as groups of one shape: all of them but the wording and the time.

Two frames of one form have the same keys, kinds of media and flags; texts and media are there, or are empty.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Raw, Struct, field

from wirecheck.lane import shapes
from wirecheck.lane.blank import Blank, Place
from wirecheck.wire.log import PREFIX
from wirecheck.wire.record import Peer

OURS, TOLD = PREFIX + b'frame"', b'{"from":'  # how a line begins that may be a frame
LONG = 2048  # a longer shape is not usual
BY_CLIENT, BY_SERVER = ({"realtimeInput"}, {"realtime_input"}), {"serverContent", "usageMetadata"}


class Told(Blank, frozen=True, gc=False):
    """A shape of frames in the log of another program."""

    sender: Peer = field(name="from")
    data: Raw
    channel: str | None = None
    at: int | None = None
    url: Place | None = None


class Kept(Blank, frozen=True, gc=False, kw_only=True):
    """One in wirecheck's log."""

    v: Literal[1]
    kind: Literal["frame"]
    channel: str
    sender: Peer = field(name="from")
    data: Raw
    at: int | None = None
    opcode: Literal[1, 2] | None = None


class Alike(Struct, frozen=True, gc=False):
    """What the shape of their lines tells of frames."""

    channel: str | None
    client: bool
    form: bytes


_kept, _told = msgspec.json.Decoder(Kept).decode, msgspec.json.Decoder(Told).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


@lru_cache(maxsize=4096)
def alike(shape: bytes) -> Alike | None:
    """None where they are not usual after all, and be it a null."""
    try:
        line = _kept(shape) if shape.startswith(OURS) else _told(shape)
    except msgspec.ValidationError:
        return None
    form, client = bytes(line.data), line.sender == "client"
    keys = _keys(form).keys()
    usual = keys in BY_CLIENT if client else keys <= BY_SERVER
    return Alike(line.channel, client, form) if usual and b"null" not in form else None


class Run:
    """Lines that were read at once; `begin` and `end` are places among all that there are."""

    def __init__(self, lines: Sequence[bytes], begin: int, groups: Sequence[shapes.Group], *, kept: bool) -> None:
        self.lines, self.begin, self.end = lines, begin, groups[-1][2]
        self.kept = kept
        self._groups, self._at = groups, 0

    def group(self, at: int) -> tuple[Alike | None, int]:
        """What the lines like this one are, and where they end. They are asked for in order."""
        while self._groups[self._at][2] <= at:
            self._at += 1
        shape, _, end = self._groups[self._at]
        return alike(shape) if len(shape) < LONG else None, end

    def time(self, begin: int, end: int) -> float | None:
        """The last time that these lines tell. They are not beyond what was asked for."""
        for at in range(self._at, -1, -1):
            _, values, until = self._groups[at]
            if until <= begin:
                break
            if values and (self._groups[at - 1][2] if at else self.begin) < end:
                return float(values[0] if until <= end else self._values(end - 1)[0])
        return None

    def _values(self, at: int) -> shapes.Values:
        """What is said in a line with others of its shape after it."""
        read = shapes.frame(self.lines[at])
        assert read is not None
        return read[1]


def read(lines: Sequence[bytes], begin: int) -> Run | None:
    """These lines, from one on, as far as each is of a usual shape."""
    kept = lines[begin].startswith(OURS)
    groups = shapes.frames(lines, begin, OURS if kept else TOLD)
    return Run(lines, begin, groups, kept=kept) if groups else None
