"""Reads the frames of Live sessions many at a time, one typed decoding each. What they hold stays undecoded.

A line that does not decode here falls back to live_sessions.py or wire/log.py, which read it alone, into the same
record.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import filterfalse, islice
from typing import Any, Literal, Protocol

from msgspec import Raw, defstruct, field
from msgspec.json import Decoder

from wirecheck.sources.detect import KINDS
from wirecheck.sources.lenient import SENDERS
from wirecheck.wire import log
from wirecheck.wire.records import Frame, FrameData, Frames, Origin, Site
from wirecheck.wire.utf8 import utf8

DIRECTIONS = ("from", "dir", "direction")  # keys that name the sender
ABSENT: Any = None  # the default of a key that must not be there


class LoggedFrame(Protocol):
    """A frame with its keys in the log."""

    @property
    def sender(self) -> str: ...
    @property
    def channel(self) -> Any: ...
    @property
    def at(self) -> float | None: ...
    @property
    def data(self) -> FrameData: ...


Decode = Callable[[bytes | Raw], LoggedFrame]


def _other_kinds() -> set[str]:
    """Keys that a value of a kind above "frame" in KINDS must have: each such row needs one of its first group."""
    before = [row.needs[0] for row in KINDS[: [row.kind for row in KINDS].index("frame")]]
    return {sign.partition(".")[0] for group in before for sign in group}


def _framed(direction: str) -> Any:
    """The type of a frame whose sender is under this key. Other keys are ignored."""
    refused = _other_kinds().union(DIRECTIONS) - {direction}
    return defstruct(
        "Framed",
        [
            ("sender", Literal[tuple(SENDERS)], field(name=direction)),
            ("data", FrameData),
            ("channel", str | int | None, None),
            ("url", str | None, None),
            ("at", float | None, None),
            *[(f"no_{key}", Literal[""], field(default=ABSENT, name=key)) for key in sorted(refused)],
        ],
        gc=False,
    )


DECODERS: dict[str, Decode] = {direction: Decoder(_framed(direction)).decode for direction in DIRECTIONS}
OF_OUR_LOG: Decode = log.frame


def decoder(keys: Iterable[str]) -> Decode | None:
    """The decoder for frames that name their sender like one with these keys."""
    return next((DECODERS[key] for key in DIRECTIONS if key in keys), None)


def beginning(values: Iterable[bytes | Raw], decode: Decode) -> list[LoggedFrame]:
    """Decodes values up to the first that is no such frame."""
    found = list[LoggedFrame]()
    with suppress(ValueError, RecursionError):
        found.extend(map(decode, values))  # those before one that is none are in it
    return found


def site_of(first: Origin, n: int) -> Site:
    """The site of the data of the n-th frame, if each has a line of its own."""
    return Site(Origin(first.path, first.line + n), "/data")


def of_lines(lines: list[bytes], begin: int, decode: Decode) -> list[LoggedFrame]:
    """Decodes lines from this one on, up to the first that is no such frame."""
    found = beginning(islice(lines, begin, None), decode)
    for line in filterfalse(bytes.isascii, islice(lines, begin, begin + len(found))):
        try:
            utf8(line)
        except UnicodeDecodeError:  # in data that nobody has looked at yet
            return found[: lines.index(line, begin) - begin]
    return found


def together(
    some: list[LoggedFrame],
    channels: list[str],
    first: Origin,
    site: Callable[[int], Site],
    read: Callable[[int], Frame],
) -> Frames:
    """Makes one record of them."""
    return Frames(
        channel=channels[0],
        origin=first,
        at=some[0].at,
        channels=channels,
        senders=[SENDERS[each.sender] for each in some],
        times=[each.at for each in some],
        data=[each.data for each in some],
        site=site,
        read=read,
    )
