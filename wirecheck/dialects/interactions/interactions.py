"""The Interactions API: `POST …/interactions` and what comes back, whole or as a stream of events.

Knows one exchange. Its history may be kept by the server alone; `previous` is the id of the interaction before. A
request without `input` (GET, cancel, delete, or one that only continues) yields no message, but its reply may.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Raw

from wirecheck.dialects.address import Address
from wirecheck.dialects.broken_events import BrokenEvents
from wirecheck.dialects.generate import REJECTED, error_text
from wirecheck.dialects.interactions.step_deltas import PendingStep, begun
from wirecheck.dialects.interactions.steps import read_replies, read_reply, read_step
from wirecheck.dialects.messages import Candidate, Chunk, Content, Message, Recited, Seen, Spot, Status, Unreadable
from wirecheck.dialects.provenance import hangup, seen_of
from wirecheck.dialects.raw_json import OK, Slices, Undecodable, begins, decode, members, replied, sliced, why_not
from wirecheck.dialects.vocabulary.field_names import keys_of, text_or_none
from wirecheck.wire.records import Closed, Frame, Opened, Record, Replied, Site

NO_STEPS = Raw(b"[]")
OPEN = frozenset((None, "in_progress", "queued"))  # statuses before the end


class Interactions:
    """One exchange."""

    protocol = "interactions"

    def __init__(self, where: Address, whole: bool) -> None:
        self._where = where
        self._whole = whole
        self._id: str | None = None
        self._model: str | None = None
        self._steps: dict[Any, PendingStep] = {}
        self._told = self._streams = False
        self._status = OK
        self._broken = BrokenEvents()
        self._unasked: Recited | None = None  # a request without input; passed on only if it is rejected

    def read(self, record: Record) -> Iterator[Message]:
        if isinstance(record, Frame):
            yield from self._frame(record)
        elif isinstance(record, Opened):
            yield from self._request(record)
        elif isinstance(record, Replied):
            self._status = record.status
            if record.status == REJECTED and self._unasked is not None:
                yield self._unasked
            yield Status(seen=seen_of(record), code=record.status)
        elif isinstance(record, Closed):
            over = hangup(record)
            yield from self._flush(over.seen)
            if self._streams and not self._told:  # nothing was said before the stream broke off
                yield self._chunk(over.seen, {}, over.spot)
            yield over

    def _request(self, record: Opened) -> Iterator[Message]:
        seen, spot = seen_of(record), Spot(record.body.site if record.body is not None else Site(record.origin))
        try:
            body = members(record.body.payload) if record.body is not None else {}
        except Undecodable as error:
            why = f"the body of the request is {why_not(error)}"
            yield Unreadable(seen=seen, kind="unreadable", why=why, spot=spot)
            return
        if "input" in body:
            yield self._recited(seen, body, spot)
        elif record.method == "POST" and record.url.partition("?")[0].endswith("/interactions"):
            self._unasked = self._recited(seen, body, spot)

    def _recited(self, seen: Seen, body: dict[str, Raw], spot: Spot) -> Recited:
        raw, at = body.pop("input", NO_STEPS), spot.to("input")
        listed = begins(raw) == b"["
        slices = sliced(raw) if listed else Slices([raw])

        def place(n: int) -> Spot:
            return at.to(n) if listed else at

        def read(n: int) -> Content:
            return read_step(decode(slices[n]), place(n))

        return Recited(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            version=self._where.version,
            model=_text(body, "model"),
            whole=self._whole,
            container="steps",
            around={key: bytes(value) for key, value in body.items()},
            slices=slices,
            at=place,
            read=read,
            previous=_text(body, "previous_interaction_id") or None,
            spot=spot,
        )

    def _frame(self, record: Frame) -> Iterator[Message]:
        seen, spot = seen_of(record), Spot(record.body.site)
        value, why = replied(record.body, self._status)
        if type(value) is list and value:
            value, spot = value[0], spot.to(0)  # [{"error": …}]
        yield from self._broken.followed()
        if why is not None:
            yield from self._broken.unread(record, why)
        elif type(value) is not dict:
            yield Unreadable(seen=seen, kind="unreadable", why="the reply is no object", spot=spot)
        elif type(event := value.get("event_type")) is str:
            self._streams = True
            yield from EVENTS.get(event, Interactions._other)(self, seen, value, spot)
        else:
            yield self._interaction(seen, value, spot)

    def _interaction(self, seen: Seen, value: dict[str, Any], spot: Spot) -> Chunk:
        """Reads a complete interaction. Before June 2026 its steps were called `outputs`."""
        self._about(value)
        name = "steps" if "steps" in value else "outputs"
        steps = value.get(name)
        said = read_replies(steps, spot.to(name)) if type(steps) is list else []
        return self._chunk(seen, value, spot, said, text_or_none(value.get("status")))

    def _created(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        self._about(event.get("interaction"))
        yield from ()

    def _start(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        name = "step" if "step" in event else "content"
        self._steps[_index(event)] = begun(event.get(name), spot.to(name))
        yield from ()

    def _delta(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        self._steps.setdefault(_index(event), begun(None, spot)).add(event.get("delta"))
        yield from ()

    def _stop(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        gathered = self._steps.pop(_index(event), None)
        if gathered is not None:
            yield self._chunk(seen, event, gathered.spot, [read_reply(gathered.whole(), gathered.spot)])

    def _completed(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        yield from self._flush(seen)
        held = event.get("interaction")
        value = held if type(held) is dict else event
        self._about(value)
        yield self._chunk(seen, value, spot, [], text_or_none(value.get("status")) or "completed")

    def _other(self, seen: Seen, event: dict[str, Any], spot: Spot) -> Iterator[Message]:
        """Reads errors, and ignores events that are not about the conversation."""
        if error_text(event) is not None:
            yield self._chunk(seen, event, spot)

    def _flush(self, seen: Seen) -> Iterator[Message]:
        for index in list(self._steps):
            yield from self._stop(seen, {"index": index}, self._steps[index].spot)

    def _about(self, value: Any) -> None:
        if type(value) is dict:
            self._id = text_or_none(value.get("id")) or self._id  # "" where the server stores nothing
            self._model = text_or_none(value.get("model")) or self._model

    def _chunk(
        self, seen: Seen, value: Any, spot: Spot, said: Sequence[Content] = (), status: str | None = None
    ) -> Chunk:
        self._told = True
        finish = None if status in OPEN else status
        contents = (*said, None) if finish is not None else said
        return Chunk(
            seen=seen,
            protocol=self.protocol,
            surface=self._where.surface,
            candidates=tuple([_candidate(content, None if content else finish, value, spot) for content in contents]),
            model_version=self._model,
            error=error_text(value),
            streamed=self._streams,
            keys=keys_of(value),
            interaction=self._id,
            value=value,
            spot=spot,
        )


def _candidate(content: Content | None, finish: str | None, value: dict[str, Any], spot: Spot) -> Candidate:
    """A candidate for one step, or for the end of all of them."""
    spot = content.spot if content is not None else spot
    return Candidate(index=0, finish=finish, content=content, keys=keys_of(value), value=value, spot=spot)


def _index(event: dict[str, Any]) -> Any:
    index = event.get("index")
    return index if type(index) is int else None


def _text(body: dict[str, Raw], key: str) -> str | None:
    try:
        return text_or_none(decode(body[key])) if key in body else None
    except Undecodable:
        return None


EventReader = Callable[[Interactions, Seen, dict[str, Any], Spot], Iterator[Message]]
# By event type; the second names are those from before June 2026.
EVENTS: dict[str, EventReader] = {
    "interaction.created": Interactions._created,
    "interaction.start": Interactions._created,
    "step.start": Interactions._start,
    "content.start": Interactions._start,
    "step.delta": Interactions._delta,
    "content.delta": Interactions._delta,
    "step.stop": Interactions._stop,
    "content.stop": Interactions._stop,
    "interaction.completed": Interactions._completed,
    "interaction.complete": Interactions._completed,
}
