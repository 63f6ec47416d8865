"""Gemini Live: one JSON object a frame, told apart by its top-level key.

Knows one websocket and the order of nothing: whether a frame may come when it comes is for talk and rules.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.json import Decoder

from wirecheck.dialects.address import Address, query_names
from wirecheck.dialects.content import read_answer, read_call, read_content
from wirecheck.dialects.live.live_regular import LiveFrames, RegularFrame
from wirecheck.dialects.messages import (
    Answer,
    Answered,
    Call,
    Called,
    Cancelled,
    Connected,
    Framed,
    Message,
    Resumable,
    Retooled,
    Said,
    Seen,
    Setup,
    Spot,
    Unreadable,
)
from wirecheck.dialects.provenance import hangup, seen_of
from wirecheck.dialects.raw_json import decoded
from wirecheck.dialects.vocabulary.field_names import get, keys_of, text_or_none, written
from wirecheck.wire.nesting import TOO_DEEP
from wirecheck.wire.records import Closed, Frame, FrameData, Frames, Opened, Peer, Record

FrameReader = Callable[[Seen, Any, Spot, Address], Iterator[Message]]
_data = Decoder(FrameData).decode


class Live:
    """One connection."""

    protocol = "live"

    def __init__(self, where: Address, whole: bool, *, typed: bool = False) -> None:
        """`typed`: frames are decoded strictly first (live_regular.py)."""
        self._where, self._whole, self._typed = where, whole, typed
        self._opened: Opened | None = None
        self._told = False

    @property
    def begun(self) -> bool:
        """Whether its first frame is read: from then on frames may be read many at a time."""
        return self._typed and self._told

    def read(self, record: Record) -> Iterator[Message | LiveFrames]:
        if isinstance(record, Frame):
            yield from self._single(record)
        elif isinstance(record, Closed):
            yield hangup(record)
        elif isinstance(record, Opened):
            self._opened = record
            if record.body is not None and record.body.payload:
                yield from self._frame(_first_frame(record))

    def _single(self, record: Frame) -> Iterator[Message | LiveFrames]:
        if self.begun and record.body.form == "json":
            try:
                data = _data(record.body.raw)
            except (ValueError, RecursionError):
                pass
            else:
                yield LiveFrames(_alone(record, data), self.regular)
                return
        yield from self._frame(record)

    def regular(self, record: Frame, outline: str | None) -> Iterable[Message]:
        """What a frame says, with its outline where it is regular."""
        if outline is None:
            return self._frame(record)
        return (RegularFrame(seen=seen_of(record), outline=outline, read=partial(self._frame, record)),)

    def _frame(self, record: Frame) -> Iterator[Message]:
        seen, spot = seen_of(record), Spot(record.body.site)
        value, why = decoded(record.body)
        form = record.body.form if why is not None or type(value) is not dict else "object"
        if why == TOO_DEEP or (form != "object" and record.sender == "server"):
            why = why or "it is no JSON object"
            self._whole = self._whole and self._told  # what it begins with is not known
            yield Unreadable(seen=seen, kind="unreadable", why=f"the frame cannot be read: {why}", spot=spot)
            return
        keys = keys_of(value) if form == "object" else ()
        if not self._told:
            yield self._connected(seen, value if form == "object" else {}, spot)
        if "setup" in keys and record.sender == "client":
            yield from self._read("setup", seen, value, spot, _setup)
        yield Framed(seen=seen, form=form, keys=keys, value=value, spot=spot)
        for key in keys:
            if reader := READERS.get((record.sender, key)):
                yield from self._read(key, seen, value, spot, reader)

    def _read(self, key: str, seen: Seen, value: Any, spot: Spot, reader: FrameReader) -> Iterator[Message]:
        name = written(value, key)
        return reader(seen, value[name], spot.to(name), self._where)

    def _connected(self, seen: Seen, value: Any, spot: Spot) -> Connected:
        self._told = True
        where, url = self._where, self._opened.url if self._opened is not None else ""
        return Connected(
            seen=seen,
            surface=where.surface,
            version=where.version,
            method=where.verb if where.verb.startswith("BidiGenerateContent") else None,
            query=query_names(url),
            token="auth_tokens/" in url or "auth_tokens%2f" in url.lower(),
            whole=self._whole,
            handle=_handle(get(value, "setup")) if seen.sender == "client" else None,
            spot=spot,
        )


def _alone(record: Frame, data: FrameData) -> Frames:
    return Frames(
        channel=record.channel,
        origin=record.origin,
        at=record.at,
        channels=(record.channel,),
        senders=(record.sender,),
        times=(record.at,),
        data=(data,),
        site=lambda _: record.body.site,
        read=lambda _: record,
    )


def _first_frame(record: Opened) -> Frame:
    assert record.body is not None
    return Frame(channel=record.channel, origin=record.origin, at=record.at, sender="client", body=record.body)


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [] if value is None else [value]


def _items(value: Any, key: str, spot: Spot) -> Iterator[tuple[Any, Spot]]:
    """The members of a list field; a bare object stands for a list of one, as in protobuf JSON."""
    if type(value) is not dict:
        return
    name, items = written(value, key), get(value, key)
    for n, item in enumerate(_listed(items)):
        yield item, spot.to(name, n) if type(items) is list else spot.to(name)


def _setup(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    model = text_or_none(get(value, "model")) if type(value) is dict else None
    surface = where.surface
    if surface == "unknown" and model:  # the two surfaces name their models differently
        surface = "vertex" if "publishers/" in model else "gemini-api" if model.startswith("models/") else surface
    bare = model.rpartition("models/")[2] if model else where.model  # as a URL names it
    handle = _handle(value)
    yield Setup(seen=seen, surface=surface, version=where.version, model=bare, handle=handle, value=value, spot=spot)


def _handle(setup: Any) -> str | None:
    """The handle of the connection that a setup goes on with."""
    resumption = get(setup, "sessionResumption") if type(setup) is dict else None
    return text_or_none(get(resumption, "handle")) or None if type(resumption) is dict else None


def _client_content(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    turns = tuple(read_content(turn, "turns", at) for turn, at in _items(value, "turns", spot))
    yield Said(seen=seen, contents=turns, spot=spot)


def _context_update(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    """It may hold new tools; how they are wrapped is not settled."""
    tools = get(value, "tools") if type(value) is dict else None
    if tools is not None:
        if type(tools) is dict and get(tools, "tools") is not None:
            value, spot = tools, spot.to(written(value, "tools"))
        yield Retooled(seen=seen, value=value, spot=spot)


def _resumption(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    """A handle to go on with later; while the model speaks there is none."""
    handle = text_or_none(get(value, "newHandle")) if type(value) is dict else None
    if handle and get(value, "resumable") is not False:
        yield Resumable(seen=seen, handle=handle, spot=spot)


def _tool_response(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    items = list(_items(value, "functionResponses", spot))
    answers: list[Answer] = [read_answer(item, at) for item, at in items if type(item) is dict]
    if answers:
        yield Answered(seen=seen, loose=False, answers=tuple(answers), spot=spot)
    else:
        yield from _loose_answers(seen, value, spot, where)


def _loose_answers(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    """Answers that somebody meant to give: a list of them, one alone, or what would be right under another key."""
    answers = tuple(read_answer(item, spot) for item in _meant(value, 2))
    yield Answered(seen=seen, loose=True, answers=answers, spot=spot)


def _meant(value: Any, levels: int) -> Iterator[dict[str, Any]]:
    """What looks like an answer; else what stands so many levels within."""
    for item in _listed(value):
        if type(item) is dict and (not levels or not ANSWER.isdisjoint(item)):
            yield item
        elif type(item) is dict:
            yield from (one for inner in item.values() for one in _meant(inner, levels - 1))


def _tool_call(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    calls: list[Call] = [read_call(item, at) for item, at in _items(value, "functionCalls", spot)]
    yield Called(seen=seen, calls=tuple(calls), spot=spot)


def _cancellation(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    ids = tuple(item for item, _ in _items(value, "ids", spot) if type(item) is str)
    yield Cancelled(seen=seen, ids=ids, spot=spot)


def _server_content(seen: Seen, value: Any, spot: Spot, where: Address) -> Iterator[Message]:
    if type(value) is not dict:
        return
    name, turn = written(value, "modelTurn"), get(value, "modelTurn")
    if turn is not None:
        yield Said(seen=seen, contents=(read_content(turn, "turns", spot.to(name)),), spot=spot)


# What people write instead of toolResponse.functionResponses.
LOOSE_ANSWERS = (
    "functionResponses",
    "functionResponse",
    "BidiGenerateContentToolResponse",
    "bidiGenerateContentToolResponse",
)
ANSWER = frozenset(("id", "name", "response"))
# Who reads what a frame says, but for the setup: that is told before its frame.
READERS: dict[tuple[Peer, str], FrameReader] = {
    ("client", "clientContent"): _client_content,
    ("client", "contextUpdate"): _context_update,
    ("client", "toolResponse"): _tool_response,
    **{("client", key): _loose_answers for key in LOOSE_ANSWERS},
    ("server", "toolCall"): _tool_call,
    ("server", "toolCallCancellation"): _cancellation,
    ("server", "serverContent"): _server_content,
    ("server", "sessionResumptionUpdate"): _resumption,
}
