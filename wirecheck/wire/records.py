"""Records: what crossed the wire, in order, whoever captured it.

A channel is one HTTP exchange or one websocket. Its life is always the same:
Opened, then Replied, then Frames from either peer, then Closed. A log that holds
only a part of that gives only those records: a bare `{"contents": …}` is an Opened
without method, a list of frames is an Opened and its Frames.

Bodies stay undecoded: whoever needs one decodes it, and what was decoded before need
not be decoded again. This module knows no protocol and opens no file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Raw, Struct

from wirecheck.wire.recited_prefix import Elided

Peer = Literal["client", "server"]
OWN_REFUSAL = "[wirecheck "  # how an error or the reason of a close begins that came from the recorder (--enforce)
# The keys of a Live session's frames, but for the setup, with which another session may begin.
FrameKey = Literal[
    "realtimeInput",
    "serverContent",
    "usageMetadata",
    "clientContent",
    "toolResponse",
    "setupComplete",
    "toolCall",
    "toolCallCancellation",
    "sessionResumptionUpdate",
    "goAway",
]
FrameData = dict[FrameKey, Raw]


class Origin(Struct, frozen=True, gc=False):
    """Where a record was read: a file and a line of it, counted from 1.

    Files are independent of each other. Where several were converted into one log, `world` tells them apart.
    """

    path: str
    line: int
    world: str = ""


class Site(Struct, frozen=True, gc=False):
    """Where a payload stands in its log.

    `pointer` (RFC 6901) leads to it in the JSON value of its line. Where that place holds a
    string which in turn holds the payload (JSON as text, an event of an SSE text), `inner` is
    true, and `event` counts the events of that string from 0; `inner_pointer` leads on within it.

    A payload that a reader put together has `places`: for the beginnings of paths in it, where in the log what is there
    came from. What lies further down has no place of its own, but where that pointer ends in `/`: then it stands there
    as it does here.
    """

    origin: Origin
    pointer: str = ""
    inner: bool = False
    event: int | None = None
    inner_pointer: str = ""
    places: Mapping[tuple[str | int, ...], str] | None = None

    def to(self, pointer: str) -> "Site":
        """The site of a value further down, where `pointer` leads from here."""
        if self.inner:
            return Site(self.origin, self.pointer, True, self.event, self.inner_pointer + pointer)
        return Site(self.origin, self.pointer + pointer)


class Body(Struct, frozen=True, gc=False):
    """One payload as it was sent, undecoded, and where it stands.

    `form` says what the bytes are: a JSON value, other text, or bytes that are neither. A large body may be left as a
    `part` of its line; then `raw` is empty and `payload` has it. `elided` names the contents that were recognised
    before the line was decoded (wire/recited_prefix.py); `short` is the body without them.
    """

    raw: bytes
    site: Site
    form: Literal["json", "text", "bytes"] = "json"
    part: Raw | None = None
    elided: Elided | None = None

    @property
    def short(self) -> bytes | Raw:
        return self.raw if self.part is None else self.part

    @property
    def payload(self) -> bytes | Raw:
        if self.elided is None or self.elided.prefix is None:
            return self.short
        return self.elided.restored(bytes(self.short))


class Record(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that crossed the wire."""

    channel: str
    origin: Origin
    at: float | None = None


class Opened(Record, frozen=True, gc=False, kw_only=True):
    """A request was sent, or a websocket asked for. Without `method` the log holds a bare body only."""

    method: str = ""
    url: str = ""
    headers: Mapping[str, str] = {}
    body: Body | None = None


class Replied(Record, frozen=True, gc=False, kw_only=True):
    """The reply began: its status and headers. `pointer` leads to the status in its line."""

    status: int
    headers: Mapping[str, str] = {}
    pointer: str = ""


class Frame(Record, frozen=True, gc=False, kw_only=True):
    """One message: a reply, an event of a stream, a websocket frame, a message of a transcript."""

    sender: Peer
    body: Body
    binary: bool = False


class Frames(Record, frozen=True, gc=False, kw_only=True):
    """Frames of Live sessions that follow one another in a log, in one record.

    For each frame: channel, sender, time, undecoded data by key, and site. `read(n)` makes a Frame of the n-th.
    """

    channels: Sequence[str]
    senders: Sequence[Peer]
    times: Sequence[float | None]
    data: Sequence[FrameData]
    site: Callable[[int], Site]
    read: Callable[[int], Frame]

    def __len__(self) -> int:
        return len(self.data)

    def rest(self, begin: int) -> "Frames":
        """The same without the frames before this one."""
        if begin == 0:
            return self
        return Frames(
            channel=self.channels[begin],
            origin=self.origin,
            at=self.times[begin],
            channels=self.channels[begin:],
            senders=self.senders[begin:],
            times=self.times[begin:],
            data=self.data[begin:],
            site=lambda n: self.site(begin + n),
            read=lambda n: self.read(begin + n),
        )


class Closed(Record, frozen=True, gc=False, kw_only=True):
    """The channel ended. For a websocket with code, reason and the peer who closed it, where known.

    `recorded` is false where no end was seen: the log just has no more of this channel.
    """

    code: int | None = None
    reason: str = ""
    by: Peer | None = None
    recorded: bool = True
    pointer: str = ""


class Unread(Record, frozen=True, gc=False, kw_only=True):
    """A line that could not be read, or was read and is no traffic.

    `kind`: "unreadable" (not JSON), "unterminated" (the file ends within it), "skipped" (JSON, but no traffic), or
    "fault" (reading it failed, and that is no fault of the line; `trace` tells where).
    """

    kind: Literal["unreadable", "unterminated", "skipped", "fault"]
    why: str
    trace: tuple[str, ...] = ()
