"""Gemini over HTTP: generateContent, streamGenerateContent, countTokens, on every surface that speaks them.

Knows one exchange: its request, and its reply, whole or in chunks. Contents stay undecoded until they are read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Raw

from wirecheck.dialects.address import Address
from wirecheck.dialects.broken_events import BrokenEvents
from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import (
    Candidate,
    Chunk,
    Content,
    Message,
    Recited,
    Seen,
    Spot,
    Status,
    Unreadable,
)
from wirecheck.dialects.provenance import hangup, seen_of
from wirecheck.dialects.raw_json import (
    NO_SLICES,
    OK,
    Slices,
    Undecodable,
    begins,
    decode,
    deep,
    members,
    replied,
    sliced,
    sliced_short,
    why_not,
)
from wirecheck.dialects.regular_content import AnyMessage, ContentReader, RegularChunk
from wirecheck.dialects.strict_types import chunk
from wirecheck.dialects.vocabulary.field_names import get, keys_of, text_or_none
from wirecheck.dialects.vocabulary.finish_reasons import finish_reason
from wirecheck.wire.recited_prefix import Elided
from wirecheck.wire.records import Body, Closed, Frame, Opened, Record, Replied, Site

# Bodies that carry the real request one level down: Code Assist, and countTokens of the Gemini API.
_WRAPPERS = ("request", "generateContentRequest", "generate_content_request")
CODES = {"invalid_request": 400, "too_many_requests": 429}  # the Interactions API has words for codes
REJECTED = 400
LARGE = 1 << 20  # bytes of a chunk that is not kept until its reply is over
CALLS = frozenset(("generateContent", "streamGenerateContent"))
EMPTY = (Raw(b""), Raw(b"null"))
_ABSENT = b"null"  # some clients write absent members as null
_CACHED = frozenset(("cachedContent",))  # the cache holds the beginning of the history


class GenerateContent:
    """One exchange."""

    protocol = "generate-content"

    def __init__(self, where: Address, whole: bool, contents: ContentReader) -> None:
        self._where, self._contents = where, contents
        self._whole = whole and where.verb != "countTokens"  # countTokens accepts any piece of a history
        self._counts = where.verb == "countTokens"
        self._streams = where.verb == "streamGenerateContent"
        self._called = where.verb in CALLS
        self._unasked: Recited | None = None  # a request without a logged body; passed on only if it is rejected
        self._status = OK
        self._broken = BrokenEvents()

    def read(self, record: Record) -> Iterable[AnyMessage]:
        return READERS[type(record)](self, record)

    def _request(self, record: Opened) -> Iterable[Message]:
        if record.body is None:
            if self._called and record.method == "POST":
                spot = Spot(Site(record.origin))
                self._unasked = self._history(seen_of(record), NO_SLICES, {}, spot, spot, whole=False)
            return ()
        return self.asked(seen_of(record), record.body, Spot(record.body.site))

    def asked(self, seen: Seen, body: Body, spot: Spot) -> Iterable[Message]:
        """The request in this body."""
        try:
            found = self._recited(seen, body.short, spot, body.elided) if self._contents.typed else None
            if found is None:  # without memo, or where the elided bytes are not the contents: all of it
                found = self._recited(seen, body.payload, spot)
            return () if found is None else (found,)
        except Undecodable as error:
            why = f"the body of the request is {why_not(error)}"
            return (Unreadable(seen=seen, kind="unreadable", why=why, spot=spot),)

    def _replied(self, record: Replied) -> Iterable[Message]:
        self._status = record.status
        if self._counts and record.status < 400:
            return ()  # counting tokens does not validate the request
        status = Status(seen=seen_of(record), code=record.status)
        return (self._unasked, status) if self._unasked is not None and record.status == REJECTED else (status,)

    def _closed(self, record: Closed) -> Iterable[Message]:
        return (hangup(record),)

    def _recited(self, seen: Seen, raw: bytes | Raw, spot: Spot, elided: Elided | None = None) -> Recited | None:
        """Reads a request. None where the elided bytes are not these contents; then it is read again without
        eliding."""
        if begins(raw) == b"[":
            listed = sliced(raw)  # raises for text such as [redacted]
            if elided is not None and elided.prefix is not None:
                return None
            if self._whole and self._called and self._where.surface != "unknown":  # Google accepts no list as a request
                return self._history(seen, NO_SLICES, {}, spot, spot, whole=True)
            return self._history(seen, listed, {}, spot, spot, whole=False)
        keys, model = members(raw), self._where.model
        for wrapper in _WRAPPERS:
            if wrapper in keys and "contents" not in keys and keys[wrapper] is not None:
                model = model or _model(keys)
                keys, spot = members(keys[wrapper]), spot.to(wrapper)
                break
        contents = keys.pop("contents", Raw(b""))
        around = {key: told for key, value in keys.items() if (told := bytes(value)) != _ABSENT}
        several = begins(contents) == b"["
        if several:
            found = sliced(contents) if elided is None else sliced_short(contents, elided)
            if found is None:
                return None
            slices = found
        elif elided is not None and elided.prefix is not None:
            return None
        else:
            slices = Slices([contents]) if contents not in EMPTY else NO_SLICES
        at, whole = spot.to("contents"), self._whole and _CACHED.isdisjoint(keys_of(around))
        return self._history(seen, slices, around, spot, at, whole=whole, listed=several, model=model or _model(keys))

    def _history(
        self,
        seen: Seen,
        slices: Slices,
        around: Mapping[str, bytes],
        spot: Spot,
        at: Spot,
        *,
        whole: bool,
        listed: bool = True,
        model: str | None = None,
    ) -> Recited:
        def place(n: int) -> Spot:
            return at.to(n) if listed else at

        def read(n: int) -> Content:
            return self._contents.read(slices[n], slices.hashes[n], place(n), self._where)

        return Recited(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            version=self._where.version,
            model=model or self._where.model,
            whole=whole,
            container="contents",
            around=around,
            slices=slices,
            at=place,
            read=read,
            spot=spot,
            streams=self._streams,
            broken=self._where.broken,
        )

    def _reply(self, record: Frame) -> Iterator[AnyMessage]:
        spot = Spot(record.body.site)
        if self._status in (OK, 0) and (said := self._regular(record, spot)) is not None:
            yield from self._broken.followed()
            yield said
            return
        value, why = replied(record.body, self._status)
        yield from self._broken.followed()
        if why is not None:
            yield from self._broken.unread(record, why)
        elif self._counts and error_text(value) is None:
            return  # the reply is a number of tokens
        elif type(value) is list:  # an unsplit array: a stream without alt=sse
            for n, item in enumerate(value):
                yield self._chunk(seen_of(record), item, spot.to(n))
        else:
            yield self._chunk(seen_of(record), value, spot)

    def _regular(self, record: Frame, spot: Spot) -> RegularChunk | None:
        """The chunk, if it decodes strictly."""
        body, where = record.body, self._where
        if self._counts or body.form != "json" or not self._contents.typed or len(body.raw) > LARGE:
            return None
        try:
            said, steps = chunk(body.raw)
            if deep(body.raw):
                return None
            seen, streamed = seen_of(record), self._streams or spot.site.event is not None
            read = partial(self._again, body.raw, seen, spot)
            return RegularChunk(said, len(body.raw), seen, where.surface, streamed, spot.to(*steps), read)
        except (ValueError, RecursionError):
            return None

    def _again(self, raw: bytes, seen: Seen, spot: Spot) -> Chunk:
        return self._chunk(seen, decode(raw), spot)

    def _chunk(self, seen: Seen, value: Any, spot: Spot) -> Chunk:
        if type(value) is dict and type(value.get("response")) is dict:  # Code Assist wraps its replies
            value, spot = value["response"], spot.to("response")
        keys = keys_of(value) if type(value) is dict else ()
        return Chunk(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            candidates=tuple(_candidates(value, spot, self._where.surface)) if "candidates" in keys else (),
            model_version=text_or_none(get(value, "modelVersion")) if keys else None,
            error=error_text(value),
            streamed=self._streams or spot.site.event is not None,
            keys=keys,
            value=value,
            spot=spot,
        )


READERS: dict[type[Record], Callable[[GenerateContent, Any], Iterable[AnyMessage]]] = {
    Opened: GenerateContent._request,
    Replied: GenerateContent._replied,
    Frame: GenerateContent._reply,
    Closed: GenerateContent._closed,
}


def _candidates(value: dict[str, Any], spot: Spot, surface: str) -> Iterator[Candidate]:
    candidates = value["candidates"]
    if type(candidates) is not list:
        return
    for n, candidate in enumerate(candidates):
        if type(candidate) is dict:
            yield _candidate(candidate, n, spot.to("candidates", n), surface)


def _candidate(value: dict[str, Any], n: int, spot: Spot, surface: str) -> Candidate:
    content, index = value.get("content"), value.get("index")
    return Candidate(
        index=index if type(index) is int else n,
        finish=finish_reason(get(value, "finishReason"), surface),
        content=None if content is None else read_content(content, "candidates", spot.to("content")),
        keys=keys_of(value),
        value=value,
        spot=spot,
    )


def error_text(value: Any) -> str | None:
    """The message of an error, in any of its shapes."""
    error = value.get("error") if type(value) is dict else None
    if type(error) is str:
        return error
    return str(error.get("message") or "") if type(error) is dict else None


def error_code(value: Any) -> int | None:
    """The code of an error: a stream has it after status 200, and the Interactions API as a word."""
    error = value.get("error") if type(value) is dict else None
    code = error.get("code") if type(error) is dict else None
    return code if type(code) is int else CODES.get(code) if type(code) is str else None


def _model(keys: Mapping[str, Raw]) -> str | None:
    return text_or_none(decode(keys["model"])) if "model" in keys else None
