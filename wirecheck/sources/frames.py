"""The frames of Live sessions, read many at a time: what they hold stays undecoded.

What does not decode here is read one by one (live_sessions.py, wire/log.py), to the same records.
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
    """A frame with what stands around it."""

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
    """Keys without which no value is of a kind that comes before frames: such a kind needs one of its first group."""
    before = [row.needs[0] for row in KINDS[: [row.kind for row in KINDS].index("frame")]]
    return {sign.partition(".")[0] for group in before for sign in group}


def _framed(direction: str) -> Any:
    """A frame whose sender stands under this key. Keys that it does not name mean nothing."""
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
    """What decodes frames that name their sender as one with these keys does."""
    return next((DECODERS[key] for key in DIRECTIONS if key in keys), None)


def beginning(values: Iterable[bytes | Raw], decode: Decode) -> list[LoggedFrame]:
    """The frames that values begin with."""
    found = list[LoggedFrame]()
    with suppress(ValueError, RecursionError):
        found.extend(map(decode, values))  # those before one that is none are in it
    return found


def site_of(first: Origin, n: int) -> Site:
    """Of what a frame holds that is alone in its line."""
    return Site(Origin(first.path, first.line + n), "/data")


def of_lines(lines: list[bytes], begin: int, decode: Decode) -> list[LoggedFrame]:
    """The frames that lines go on with from here."""
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
    """As one record."""
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
