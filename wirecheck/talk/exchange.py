"""One exchange: what a reply says, put together from its chunks."""

from collections.abc import Iterator, Mapping
from typing import Any

from wirecheck.dialects.messages import Candidate, Chunk, Content, Hangup, Spot
from wirecheck.dialects.names import camel, get, text_or_none
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.facts import CandidateFact, Context, Fact, ReplyFact
from wirecheck.talk.kept import Past
from wirecheck.talk.offer import Offer
from wirecheck.talk.partial import Partial
from wirecheck.talk.reply import Reply
from wirecheck.talk.retelling import Signatures
from wirecheck.talk.scene import Recital, Shown, shown
from wirecheck.talk.shapes import shapes
from wirecheck.talk.standing import Asked

# What makes up totalTokenCount, as every recorded reply adds it up.
_COUNTS = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
_FIELDS = ("promptFeedback", "usageMetadata")
_CANDIDATE_FIELDS = ("index", "safetyRatings")
_OWN, _MUTE = frozenset(("role", "parts")), ("thoughtSignature", "thought")  # keys that say nothing themselves
_TOLD = 8  # calls that wait are kept for the pictures of requests that go on from here


class Exchange:
    """A request that waits for its reply, or a reply of which the log holds no request."""

    def __init__(
        self,
        conversation: Conversation,
        context: Context,
        turn: int,
        spot: Spot,
        scene: Recital,
        reply: Reply,
        signatures: Signatures,
        offer: Offer,
    ) -> None:
        self.conversation = conversation
        self.scene = scene
        self.interaction: str | None = None
        self._offer = offer
        self._context = context
        self._turn = turn
        self._spot = spot
        self._reply = reply
        self._signatures = signatures
        self._chunks = 0
        self._streamed = False
        self._keys: set[str] = set()
        self._candidate_keys: set[str] = set()
        self._finished: dict[int, str] = {}
        self._candidates: set[int] = set()
        self._parts = 0
        self._says = False
        self._error: str | None = None
        self._blocked: str | None = None
        self._usage: Mapping[str, Any] = {}
        self._snake: dict[str, None] = {}
        self._partial = Partial()
        self._calls = self._call_chunks = 0
        self._finish_message: str | None = None
        self._name: str | None = None
        self._odd: dict[str, None] = {}
        self._steps = 0
        self._waiting: list[Asked] = []

    def hear(self, chunk: Chunk) -> Iterator[Fact]:
        self._chunks += 1
        self._streamed = self._streamed or chunk.streamed or self._chunks > 1
        for first in [one.content for one in chunk.candidates if one.index == 0]:
            self.scene.reply = _shown(first, self.scene.reply)
        self.interaction = chunk.interaction or self.interaction
        if self._chunks == 1 or chunk.error is not None:
            self._spot = chunk.spot
        self._keys.update(chunk.keys)
        self._error = self._error if chunk.error is None else chunk.error
        self._reply.failed = self._error is not None
        if chunk.keys:
            self._note(chunk)
            self._spell(chunk.value)
        for candidate in chunk.candidates:
            yield from self._candidate(candidate)
        self.conversation.model = chunk.model_version or self.conversation.model
        self.conversation.reply = self._reply

    def _note(self, chunk: Chunk) -> None:
        feedback, usage = get(chunk.value, "promptFeedback"), get(chunk.value, "usageMetadata")
        if type(feedback) is dict:
            self._blocked = text_or_none(get(feedback, "blockReason")) or self._blocked
        if type(usage) is dict:
            self._usage = usage
        name = text_or_none(get(chunk.value, "responseId"))
        if name and self._streamed and self._name not in (None, name):
            self._odd["another responseId"] = None
        self._name = name or self._name

    def _candidate(self, candidate: Candidate) -> Iterator[Fact]:
        content, late = candidate.content, candidate.index in self._finished
        yield CandidateFact(
            context=self._context,
            spot=candidate.spot,
            turn=self._turn,
            shape="missing" if content is None else "object" if content.shape != "none" else "other",
            finish=candidate.finish,
            late=late and content is not None and says(content),
            keys=candidate.keys,
            value=candidate.value,
        )
        self._candidates.add(candidate.index)
        self._candidate_keys.update(candidate.keys)
        self._spell(candidate.value)
        if candidate.finish is not None:
            self._finished.setdefault(candidate.index, candidate.finish)
            self._reply.finish = self._reply.finish or candidate.finish
            self._finish_message = text_or_none(get(candidate.value, "finishMessage")) or self._finish_message
        if content is not None:
            yield from shapes(content, "server", self._turn + self._steps, self._context)
            self._hear_content(content, candidate.index)

    def _hear_content(self, content: Content, index: int) -> None:
        if index != 0:
            self._reply.doubtful = True
            return
        self._parts += len(content.parts)
        for part in content.parts:
            if part.call is None or "arguments" not in part.call.keys:  # that is a call of another protocol
                self._spell(part.value)
        self._says = self._says or says(content)
        if self._streamed and content.role is None and content.parts:
            self._odd["no role"] = None
        whole = self._partial.whole(content)
        self._calls += len(whole.calls)
        self._call_chunks += bool(whole.calls)
        self._signatures.add([piece.real.digest for piece in self._reply.add(whole) if piece.real is not None])
        if content.container == "steps":  # each is a content of its own, as when a client recites them
            turn = self._turn + self._steps
            self._waiting += [Asked(call, turn, (), spot=call.spot) for call in content.calls]
            self._steps += 1

    def _spell(self, value: Any) -> None:
        if type(value) is dict and "_" in "".join(value):
            self._snake.update(dict.fromkeys([key for key in value if "_" in key]))

    def end(self, hangup: Hangup | None) -> Iterator[Fact]:
        """The reply is over; nothing is said of a reply that never came."""
        self.conversation.open_calls = len(self._reply.calls) or self.conversation.open_calls
        if not self._chunks:
            return
        finish = next(iter(self._finished.values()), None)
        yield from self._offer.misfits(self._reply.calls, self._turn, finish)
        yield ReplyFact(
            context=self._context,
            spot=self._spot,
            turn=self._turn,
            streamed=self._streamed,
            chunks=self._chunks,
            candidates=len(self._candidates),
            blocked=self._blocked,
            error=self._error,
            finish=finish,
            finish_message=self._finish_message,
            parts=self._parts,
            calls=self._calls,
            call_chunks=self._call_chunks,
            waiting=self._partial.waiting,
            empty=bool(self._candidates) and not self._says,
            complete=finish is not None or (hangup is not None and hangup.recorded),
            keys=tuple(sorted(self._keys)),
            missing=self._missing(),
            snake=tuple(self._snake),
            odd=tuple(self._odd),
            usage=self._usage,
            counted=_counted(self._usage),
            total=_whole_number(get(self._usage, "totalTokenCount")),
        )

    @property
    def asked(self) -> bool:
        """Whether the log has the request."""
        return self._turn > 0

    @property
    def over(self) -> bool:
        """Whether the reply gave a reason to end."""
        return bool(self._finished)

    def past(self) -> Past:
        """Where a request stands that goes on from this reply. One that did not end may have called more."""
        length = self._turn + self._steps
        if not self.over:
            return Past(self.conversation, whole=False, length=length)
        return Past(self.conversation, self._context.whole, length, tuple(self._waiting), tuple(self._told()))

    def _told(self) -> Iterator[Shown]:
        """What pictures of a later request show of this one: its last words, and the calls that wait."""
        yield from self.scene.last()
        for asked in self._waiting[:_TOLD]:
            yield from shown(asked.turn, "model", asked.call.value)

    def _missing(self) -> tuple[str, ...]:
        lacks = [key for key in _FIELDS if key not in self._keys]
        lacks += [key for key in _CANDIDATE_FIELDS if self._candidates and key not in self._candidate_keys]
        return tuple(lacks)


def _shown(content: Content | None, before: Any) -> Any:
    """What a picture shows of a reply: what was said last, of an interaction all steps."""
    if content is None:
        return before or {}
    return content.value if content.container != "steps" else [*(before or []), content.value]


def says(content: Content) -> bool:
    """Whether a content says anything to anybody, be it in the wrong place."""
    beside = content.shape in ("string", "other", "none", "response") or not _OWN.issuperset(content.keys)
    return beside or any([_says(part.value) for part in content.parts])


def _says(part: Any) -> bool:
    """A text that is not empty, or data of any other kind."""
    if type(part) is not dict:
        return part is not None
    return any([value for key, value in part.items() if camel(key) not in _MUTE])


def _counted(usage: Mapping[str, Any]) -> int | None:
    """The sum of the counts; None where the prompt's is left out, as some recorded replies do."""
    if _whole_number(get(usage, "promptTokenCount")) is None:
        return None
    return sum([_whole_number(get(usage, key)) or 0 for key in _COUNTS])


def _whole_number(value: Any) -> int | None:
    return value if type(value) is int else None
