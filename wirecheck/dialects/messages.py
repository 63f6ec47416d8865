"""What one payload says, in terms of no protocol.

Dialects give nothing but these, and talk/ takes nothing else. A Content is one contribution of one speaker, in whatever
form its protocol has it; a Call and an Answer are the two halves of a function call. `keys` are normalised to
camelCase; `value` is the payload as it was written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, overload

from msgspec import Struct

from wirecheck.finding import Inner, Place
from wirecheck.hashing import text_digest
from wirecheck.wire.records import Origin, Peer, Site

Speaker = Literal["user", "model", "system", ""]  # "" is unknown
Container = Literal["contents", "systemInstruction", "candidates", "turns", "messages", "frame", "steps", "choices"]
Step = str | int


class Spot(Struct, frozen=True, gc=False):
    """A place in a payload. Its pointer is built only when a finding needs it."""

    site: Site
    steps: tuple[Step, ...] = ()

    def to(self, *steps: Step) -> "Spot":
        return Spot(self.site, self.steps + steps)

    def place(self) -> Place:
        site = self.site
        inside = _pointer(self.steps) if site.places is None else _came_from(site.places, self.steps)
        if site.inner:
            return Place(
                site.origin.path, site.origin.line, site.pointer, Inner(site.inner_pointer + inside, site.event)
            )
        return Place(site.origin.path, site.origin.line, site.pointer + inside)


def _came_from(places: Mapping[tuple[Step, ...], str], steps: tuple[Step, ...]) -> str:
    """The pointer of the longest beginning of these steps that has a place. One that ends in `/` leads on."""
    for length in range(len(steps), -1, -1):
        if (known := places.get(steps[:length])) is not None:
            return known[:-1] + _pointer(steps[length:]) if known.endswith("/") else known
    return ""


def _pointer(steps: tuple[Step, ...]) -> str:
    return "".join([f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps])


class Call(Struct, frozen=True, kw_only=True):
    """A function call. `args` as written: an object if the call is well formed. `name` and `id` are text or None.

    `spot` is the place of the part that holds the call; `member` are the steps from there to `value`, the call itself.
    """

    id: str | None
    name: str | None
    args: Any = None
    signed: bool = False
    keys: tuple[str, ...] = ()
    value: Any = None
    spot: Spot
    member: tuple[Step, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """The response to a function call. `response` as written: an object if it is well formed."""

    id: str | None
    name: str | None
    response: Any = None
    keys: tuple[str, ...] = ()
    value: Any = None
    spot: Spot
    member: tuple[Step, ...] = ()


class Part(Struct, frozen=True, kw_only=True):
    """One part of a content. `data` names the members of the data oneof that are set."""

    keys: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    value: Any = None
    call: Call | None = None
    answer: Answer | None = None
    strange: tuple[str, ...] = ()  # keys, as written, that belong to a step of another type
    spot: Spot

    @property
    def text(self) -> Any:
        """What it says, None where it is no text, or is one by its type alone."""
        return self.value.get("text") if "text" in self.data else None

    @property
    def speaks(self) -> bool:
        """Whether it is a text, and no thought."""
        return self.text is not None and not self.value.get("thought")


UNREAD = "unread"  # the shape of a content that could not be decoded; its value is why


class Content:
    """One contribution of one speaker.

    `role` as written, None where there is none. `shape` says how its parts are written: "list", "object" (a bare part
    where a list belongs, which servers take), "string", "null", "other", "missing", "response" (a bare function
    response is in its place), "none" where the content itself is no object, or UNREAD. `signed` where it carries a
    thought signature (set for steps and OpenAI-style messages only).

    `outline` describes everything in a regular content that rules may look at, except its wording: equal outlines,
    equal verdicts (dialects/regular_content.py). None for any other content.
    """

    __slots__ = (
        "_keys",
        "_parts",
        "_value",
        "answers",
        "calls",
        "container",
        "role",
        "shape",
        "signed",
        "speaker",
        "spot",
    )

    def __init__(
        self,
        *,
        role: Any,
        speaker: Speaker,
        container: Container,
        shape: str,
        spot: Spot,
        keys: tuple[str, ...] = (),
        parts: tuple[Part, ...] = (),
        calls: tuple[Call, ...] = (),
        answers: tuple[Answer, ...] = (),
        signed: bool = False,
        value: Any = None,
    ) -> None:
        self.role, self.speaker, self.container, self.shape, self.spot = role, speaker, container, shape, spot
        self.calls, self.answers, self.signed = calls, answers, signed
        self._keys, self._parts, self._value = keys, parts, value

    @property
    def outline(self) -> str | None:
        return None

    @property
    def keys(self) -> tuple[str, ...]:
        return self._keys

    @property
    def parts(self) -> tuple[Part, ...]:
        return self._parts

    @property
    def value(self) -> Any:
        return self._value

    @property
    def full(self) -> "Content":
        """The same content with all its values decoded."""
        return self

    @property
    def texts(self) -> Sequence[str]:
        """Its texts that are not empty, long ones possibly shortened to their beginning."""
        return [text for part in self.parts if type(text := part.text) is str and text]

    @property
    def beginning(self) -> str:
        """The beginning of its text, without thoughts."""
        return "".join([str(part.text) for part in self.parts if part.speaks])

    @property
    def words(self) -> int:
        """A hash of its texts, 0 where it has none."""
        return text_digest("\n".join(self.texts)) if self.texts else 0

    @property
    def beside(self) -> int:
        """How many parts are neither calls nor answers."""
        return len(self.parts) - len(self.calls) - len(self.answers)

    def replace(self, **changes: Any) -> "Content":
        """A copy with these attributes replaced."""
        names = (
            *("role", "speaker", "container", "shape", "spot", "keys", "parts", "calls", "answers", "signed"),
            "value",
        )
        return Content(**{name: getattr(self, name) for name in names} | changes)


class Seen(Struct, frozen=True, gc=False):
    """Which record a message was read from."""

    channel: str
    origin: Origin
    at: float | None
    sender: Peer


class Message(Struct, frozen=True, kw_only=True):
    """The base of all messages."""

    seen: Seen


class Contents(Protocol):
    """The contents of a request, undecoded. `hashes[n]` is the hash of content n, `chain[n]` that of contents 0 to
    n."""

    @property
    def hashes(self) -> list[int]: ...
    @property
    def chain(self) -> list[int]: ...
    @property
    def size(self) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[bytes]: ...
    @overload
    def __getitem__(self, n: int) -> bytes: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[bytes]: ...


class Recited(Message, frozen=True, kw_only=True):
    """A request with its history: its contents and the other keys of the body, all still undecoded.

    `at(n)` is the place of content n and `read(n)` decodes it. `around` holds the other keys of the body, as written.
    `whole` is false where the log holds only contents and not a request that was sent. `streams`: the reply was asked
    for in chunks. `broken` names the parameter of the URL in which two ran together. `previous` is the id of the
    interaction it goes on with, whose history the server keeps.
    """

    protocol: str
    surface: str
    version: str | None
    model: str | None
    whole: bool
    container: Container
    around: Mapping[str, bytes]
    slices: Contents
    at: Callable[[int], Spot]
    read: Callable[[int], Content]
    previous: str | None = None
    spot: Spot
    streams: bool = False
    broken: str | None = None


class Status(Message, frozen=True, kw_only=True):
    """The status of the answer to a request."""

    code: int


class Chunk(Message, frozen=True, kw_only=True):
    """One reply, or (`streamed`) one chunk of a reply. `error` is the message of an error in it.

    `interaction` is the id by which a later request may continue this one.
    """

    protocol: str
    surface: str
    candidates: tuple["Candidate", ...]
    model_version: str | None
    error: str | None
    streamed: bool
    keys: tuple[str, ...]
    interaction: str | None = None
    value: Any
    spot: Spot


class Candidate(Struct, frozen=True, kw_only=True):
    """One candidate of a chunk. `content` is None where it has none."""

    index: int
    finish: str | None
    content: Content | None
    keys: tuple[str, ...]
    value: Any
    spot: Spot


class Setup(Message, frozen=True, kw_only=True):
    """A Live session is set up. `handle` is that of the connection it resumes."""

    surface: str
    version: str | None
    model: str | None
    handle: str | None
    value: Any
    spot: Spot


class Retooled(Message, frozen=True, kw_only=True):
    """The tools of a Live session are replaced; `value` holds the new ones."""

    value: Any
    spot: Spot


class Resumable(Message, frozen=True, kw_only=True):
    """The server gives a handle by which another connection can resume the session."""

    handle: str
    spot: Spot


class Said(Message, frozen=True, kw_only=True):
    """Contents in a Live frame, or one message of a transcript."""

    contents: tuple[Content, ...]
    spot: Spot


class Called(Message, frozen=True, kw_only=True):
    """The server of a Live session calls functions."""

    calls: tuple[Call, ...]
    spot: Spot


class Answered(Message, frozen=True, kw_only=True):
    """The client of a Live session answers calls; `loose` where it does so in a place that the server ignores."""

    loose: bool
    answers: tuple[Answer, ...]
    spot: Spot


class Cancelled(Message, frozen=True, kw_only=True):
    """The server of a Live session cancels calls."""

    ids: tuple[str, ...]
    spot: Spot


class Connected(Message, frozen=True, kw_only=True):
    """A Live connection; comes before its first frame. `whole` where the log is known to hold it from its start.

    `query` are the names in the URL's query, `token` says that an ephemeral token is in it, and `handle` is that of an
    older connection that it resumes. Without a URL `method` is None.
    """

    surface: str
    version: str | None
    method: str | None
    query: tuple[str, ...]
    token: bool
    whole: bool
    handle: str | None
    spot: Spot


class Framed(Message, frozen=True, kw_only=True):
    """A Live frame and its keys. Comes before the messages in the frame, but after Setup.

    `form` is "object", or "json" (no object), "text" or "bytes".
    """

    form: str
    keys: tuple[str, ...]
    value: Any
    spot: Spot


class Hangup(Message, frozen=True, kw_only=True):
    """The channel closed; `recorded` is false where the log just has no more of it."""

    code: int | None
    reason: str
    by: Peer | None
    recorded: bool
    spot: Spot


class Unreadable(Message, frozen=True, kw_only=True):
    """A line, body or frame that could not be read, is no traffic (kind "skipped"), or is not judged ("unjudged"). For
    the kind "fault" see Unread."""

    kind: str
    why: str
    spot: Spot
    trace: tuple[str, ...] = ()
