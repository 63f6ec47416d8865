"""One exchange: what a reply says, put together from its chunks."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from wirecheck.dialects.messages import Candidate, Chunk, Content, Hangup, Spot
from wirecheck.dialects.regular_content import AnyChunk, RegularChunk
from wirecheck.dialects.strict_types import CandidateSaid, ChunkSaid, Usage
from wirecheck.dialects.vocabulary.field_names import camel, get, text_or_none
from wirecheck.talk.content_facts import shapes
from wirecheck.talk.facts import CandidateFact, Fact, Linked, ReplyFact, UnreadFact
from wirecheck.talk.history_state import OpenCall, TurnContext
from wirecheck.talk.http.conversation import Conversation
from wirecheck.talk.http.previous_interactions import PreviousInteraction
from wirecheck.talk.http.request import Request
from wirecheck.talk.lazy_facts import LazyFacts, small
from wirecheck.talk.recital.reply import Reply
from wirecheck.talk.recital.signature_cache import SignatureCache
from wirecheck.talk.scene import RequestScene, SceneLine, shown
from wirecheck.talk.streamed_arguments import StreamedArguments

# What makes up totalTokenCount, as every recorded reply adds it up.
_COUNTS = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
_FIELDS = ("promptFeedback", "usageMetadata")
_CANDIDATE_FIELDS = ("index", "safetyRatings")
_OWN, _MUTE = frozenset(("role", "parts")), ("thoughtSignature", "thought")  # keys that say nothing themselves
LONG = 1 << 20  # bytes of a reply whose chunks are kept until it is over; of a longer one only the summary is
_TOLD = 8  # calls that wait are kept for the pictures of requests that go on from here
Event = Fact | LazyFacts


def _nothing(n: int) -> Content:
    raise IndexError(n)


NO_REQUEST = RequestScene(0, _nothing)


class ReplySummary:
    """A reply so far, put together from its chunks: what is told of it when it is over."""

    def __init__(self) -> None:
        self.chunks = self.parts = self.calls = self.call_chunks = 0
        self.streamed = self.says = False
        self.candidates: set[int] = set()
        self.finished: dict[int, str] = {}
        self.finish_message: str | None = None
        self.error: str | None = None
        self.blocked: str | None = None
        self.usage: Mapping[str, Any] = {}
        self.keys: set[str] = set()
        self.candidate_keys: set[str] = set()
        self.snake: dict[str, None] = {}
        self.odd: dict[str, None] = {}
        self._name: str | None = None

    def add(self, chunk: Chunk) -> None:
        """One more chunk, but for its candidates."""
        self.chunks += 1
        self.streamed = self.streamed or chunk.streamed or self.chunks > 1
        self.keys.update(chunk.keys)
        self.error = self.error if chunk.error is None else chunk.error
        if chunk.keys:
            self._note(chunk)
            self._spell(chunk.value)

    def _note(self, chunk: Chunk) -> None:
        feedback, usage = get(chunk.value, "promptFeedback"), get(chunk.value, "usageMetadata")
        if type(feedback) is dict:
            self.blocked = text_or_none(get(feedback, "blockReason")) or self.blocked
        if type(usage) is dict:
            self.usage = usage
        name = text_or_none(get(chunk.value, "responseId"))
        if name and self.streamed and self._name not in (None, name):
            self.odd["another responseId"] = None
        self._name = name or self._name

    def candidate(self, candidate: Candidate) -> None:
        self.candidates.add(candidate.index)
        self.candidate_keys.update(candidate.keys)
        self._spell(candidate.value)
        if candidate.finish is not None:
            self.finished.setdefault(candidate.index, candidate.finish)
            self.finish_message = text_or_none(get(candidate.value, "finishMessage")) or self.finish_message

    def content(self, content: Content, calls: int) -> None:
        """What the first candidate says; so many calls are whole with it."""
        self.parts += len(content.parts)
        for part in content.parts:
            if part.call is None or "arguments" not in part.call.keys:  # that is a call of another protocol
                self._spell(part.value)
        self.says = self.says or says(content)
        if self.streamed and content.role is None and content.parts:
            self.odd["no role"] = None
        self.calls += calls
        self.call_chunks += calls > 0

    def _spell(self, value: Any) -> None:
        if type(value) is dict and "_" in "".join(value):
            self.snake.update(dict.fromkeys([key for key in value if "_" in key]))

    @property
    def missing(self) -> tuple[str, ...]:
        lacks = [key for key in _FIELDS if key not in self.keys]
        lacks += [key for key in _CANDIDATE_FIELDS if self.candidates and key not in self.candidate_keys]
        return tuple(lacks)

    @property
    def finish(self) -> str | None:
        return next(iter(self.finished.values()), None)


class Exchange:
    """A request that waits for its reply, or a reply of which the log holds no request.

    As long as all chunks are regular they are kept as they are, and summed up only when somebody asks.
    """

    def __init__(
        self,
        conversation: Conversation,
        turn_context: TurnContext,
        turn: int,
        spot: Spot,
        reply: Reply,
        signatures: SignatureCache,
    ) -> None:
        self.conversation = conversation
        self.interaction: str | None = None
        self._told: str | None = None  # the interaction that others know of
        self._turn_context, self._context, self._turn, self._spot = turn_context, turn_context.context, turn, spot
        self._shown: Any = None  # what pictures show of the reply so far
        self._reply, self._signatures = reply, signatures
        self._regular: list[RegularChunk] = []
        self._size = 0
        self._summary: ReplySummary | None = None
        self._partial = StreamedArguments()
        self._steps = 0
        self._waiting: list[OpenCall] = []

    def around(self, turns: list[int]) -> list[SceneLine]:
        """The turns around these, the reply among them."""
        return self._pictured().around(turns)

    def _pictured(self) -> RequestScene:
        scene = self._turn_context.scene if isinstance(self._turn_context, Request) else NO_REQUEST
        shown = self._shown
        scene.reply = shown.value if isinstance(shown, Content) else shown
        return scene

    def hear(self, chunk: AnyChunk) -> Iterator[Event]:
        if self._summary is None and isinstance(chunk, RegularChunk):
            return self._hear_regular(chunk)
        return self._hear(chunk.full if isinstance(chunk, RegularChunk) else chunk, self._summed_up())

    def _hear_regular(self, chunk: RegularChunk) -> Iterator[Event]:
        content, reply, finish = chunk.content, self._reply, chunk.finish
        late = reply.finish is not None and chunk.says
        if not self._regular:
            self._spot = chunk.spot
        self._regular.append(chunk)
        self._size += chunk.size
        self._shown = content if content is not None else self._shown or {}
        yield from self._turn_context.lazy(("chunk", chunk.outline, finish, late), partial(self._written, chunk, late))
        reply.finish = reply.finish or finish
        if content is not None:
            self._take_in(content, chunk.texts)
        self.conversation.model = chunk.said.modelVersion or self.conversation.model
        self.conversation.reply = reply
        if self._size > LONG:
            self._summed_up()
            self._regular = []

    def _written(self, chunk: RegularChunk, late: bool) -> Iterator[Fact]:
        (candidate,) = chunk.full.candidates
        yield self._candidate_fact(candidate, late)
        if candidate.content is not None:
            yield from shapes(candidate.content, "server", self._turn + self._steps, self._context)

    def _take_in(self, content: Content, texts: Iterable[str]) -> int:
        """What the first candidate says is kept, to be known again when it is recited. How many calls are whole now."""
        whole = self._partial.whole(content)
        new = self._reply.add(whole, texts)
        if new:
            self._signatures.add(new)
        if content.container == "steps":  # each is a content of its own, as when a client recites them
            turn = self._turn + self._steps
            self._waiting += [OpenCall(call, turn, (), spot=call.spot) for call in content.calls]
            self._steps += 1
        return len(whole.calls)

    def _summed_up(self) -> ReplySummary:
        """What the chunks so far come to."""
        if self._summary is None:
            self._summary = ReplySummary()
            for chunk in self._regular:
                self._sum_up(self._summary, chunk.full)
        return self._summary

    @staticmethod
    def _sum_up(summary: ReplySummary, chunk: Chunk) -> None:
        """A chunk that was taken in before."""
        summary.add(chunk)
        for candidate in chunk.candidates:
            summary.candidate(candidate)
            if candidate.content is not None:
                summary.content(candidate.content, len(candidate.content.calls))

    def _hear(self, chunk: Chunk, summary: ReplySummary) -> Iterator[Fact]:
        summary.add(chunk)
        for first in [one.content for one in chunk.candidates if one.index == 0]:
            self._shown = _shown(first, self._shown)
        self.interaction = chunk.interaction or self.interaction
        if summary.chunks == 1 or chunk.error is not None:
            self._spot = chunk.spot
        self._reply.failed = summary.error is not None
        for candidate in chunk.candidates:
            yield from self._candidate(candidate, summary)
        self.conversation.model = chunk.model_version or self.conversation.model
        self.conversation.reply = self._reply

    def _candidate(self, candidate: Candidate, summary: ReplySummary) -> Iterator[Fact]:
        content, late = candidate.content, candidate.index in summary.finished
        yield self._candidate_fact(candidate, late and content is not None and says(content))
        summary.candidate(candidate)
        self._reply.finish = self._reply.finish or candidate.finish
        if content is None:
            return
        yield from shapes(content, "server", self._turn + self._steps, self._context)
        if candidate.index == 0:
            summary.content(content, self._take_in(content, spoken(content)))
        else:
            self._reply.doubtful = True

    def _candidate_fact(self, candidate: Candidate, late: bool) -> CandidateFact:
        content = candidate.content
        return CandidateFact(
            context=self._context,
            spot=candidate.spot,
            turn=self._turn,
            shape="missing" if content is None else "object" if content.shape != "none" else "other",
            finish=candidate.finish,
            late=late,
            keys=candidate.keys,
            value=candidate.value,
        )

    def end(self, hangup: Hangup | None) -> Iterator[Event]:
        """The reply is over; nothing is said of a reply that never came."""
        self.conversation.open_calls = len(self._reply.calls) or self.conversation.open_calls
        if not self._regular and self._summary is None:
            return
        recorded = hangup is not None and hangup.recorded
        finish = self._reply.finish if self._summary is None else self._summary.finish
        if isinstance(self._turn_context, Request) and not self._turn_context.toolbox.takes(self._reply.calls):
            yield from self._turn_context.offer.misfits(self._reply.calls, self._turn, finish)
        yield from self._turn_context.lazy(self._outline(recorded), partial(self._over, recorded))

    def _outline(self, recorded: bool) -> Hashable:
        """All of a reply whose chunks are regular, but for the wording; None of any other, and where it says nothing:
        then what led to that is looked for."""
        chunks, fields = self._regular, 0
        if self._summary is not None:
            return None
        streamed, name, several, odd, says = len(chunks) > 1 or chunks[0].streamed, None, False, False, False
        usage, parts, call_chunks = None, 0, 0
        for chunk in chunks:
            said, content = chunk.said, chunk.content
            candidate = said.candidates[0]
            usage, says = said.usageMetadata or usage, says or chunk.says
            if said.automaticFunctionCallingHistory is not None:
                return None
            several = several or name not in (None, said.responseId or name)
            name = said.responseId or name
            fields |= fields_of(said, candidate)
            if content is not None:
                parts += content.analysis.parts
                call_chunks += bool(content.calls)
                odd = odd or (content.role is None and content.analysis.parts > 0)
        if not says:
            return None
        return (
            *("reply", streamed, self._reply.finish, recorded, odd and streamed, several and streamed, fields),
            *(small(len(chunks)), small(parts), small(len(self._reply.calls)), small(call_chunks), small(self._turn)),
            *_sums(usage),
        )

    def _over(self, recorded: bool) -> Iterator[ReplyFact]:
        summary = self._summed_up()
        yield ReplyFact(
            context=self._context,
            spot=self._spot,
            turn=self._turn,
            streamed=summary.streamed,
            chunks=summary.chunks,
            candidates=len(summary.candidates),
            blocked=summary.blocked,
            error=summary.error,
            finish=summary.finish,
            finish_message=summary.finish_message,
            parts=summary.parts,
            calls=summary.calls,
            call_chunks=summary.call_chunks,
            waiting=self._partial.waiting,
            empty=bool(summary.candidates) and not summary.says,
            complete=summary.finish is not None or recorded,
            keys=tuple(sorted(summary.keys)),
            missing=summary.missing,
            snake=tuple(summary.snake),
            odd=tuple(summary.odd),
            usage=summary.usage,
            counted=_counted(summary.usage),
            total=_whole_number(get(summary.usage, "totalTokenCount")),
        )

    @property
    def told_who(self) -> bool:
        """Whether others are to know of it: its interaction has a name now, or gave a reason to end."""
        before, self._told = self._told, self.interaction
        return self._told != before or self.over

    def unordered(self, why: str, before: Spot | None = None) -> UnreadFact:
        """That the log is not in order, and what shows it."""
        related = () if before is None else (Linked(before, "it is named here"),)
        return UnreadFact(context=self._context, spot=self._spot, related=related, what="unordered", why=why)

    @property
    def asked(self) -> bool:
        """Whether the log has the request."""
        return self._turn > 0

    @property
    def over(self) -> bool:
        """Whether the reply gave a reason to end."""
        return (self._reply.finish if self._summary is None else self._summary.finish) is not None

    def past(self) -> PreviousInteraction:
        """Where a request stands that goes on from this reply. One that did not end may have called more."""
        length = self._turn + self._steps
        if not self.over:
            return PreviousInteraction(self.conversation, whole=False, length=length)
        return PreviousInteraction(
            self.conversation, self._context.whole, length, tuple(self._waiting), tuple(self._last_told())
        )

    def _last_told(self) -> Iterator[SceneLine]:
        """What pictures of a later request show of this one: its last words, and the calls that wait."""
        yield from self._pictured().last()
        for asked in self._waiting[:_TOLD]:
            yield from shown(asked.turn, "model", asked.call.value)


def _shown(content: Content | None, before: Any) -> Any:
    """What a picture shows of a reply: what was said last, of an interaction all steps."""
    if content is None:
        return before or {}
    return content.value if content.container != "steps" else [*(before or []), content.value]


def spoken(content: Content) -> list[str]:
    """The texts of a content, thoughts left out."""
    return [str(part.text) for part in content.parts if part.speaks]


def says(content: Content) -> bool:
    """Whether a content says anything to anybody, be it in the wrong place."""
    beside = content.shape in ("string", "other", "none", "response") or not _OWN.issuperset(content.keys)
    return beside or any([_says(part.value) for part in content.parts])


def _says(part: Any) -> bool:
    """A text that is not empty, or data of any other kind."""
    if type(part) is not dict:
        return part is not None
    return any([value for key, value in part.items() if camel(key) not in _MUTE])


def fields_of(said: ChunkSaid, candidate: CandidateSaid) -> int:
    """Which of the fields that replies differ in are there, as bits."""
    return (
        (said.usageMetadata is not None)
        | (said.modelVersion is not None) << 1
        | (said.responseId is not None) << 2
        | (said.createTime is not None) << 3
        | (said.turnToken is not None) << 4
        | (candidate.index is not None) << 5
        | (candidate.safetyRatings is not None) << 6
        | (not candidate.finishMessage) << 7
        | (said.promptFeedback is not None) << 8
    )


def _sums(usage: Usage | None) -> tuple[bool, bool, bool]:
    """Whether the counts have a sum and a total, and whether these are the same."""
    if usage is None:
        return False, False, False
    said = (usage.candidatesTokenCount or 0) + (usage.thoughtsTokenCount or 0) + (usage.toolUsePromptTokenCount or 0)
    counted = None if usage.promptTokenCount is None else usage.promptTokenCount + said
    return counted is not None, usage.totalTokenCount is not None, counted == usage.totalTokenCount


def _counted(usage: Mapping[str, Any]) -> int | None:
    """The sum of the counts; None where the prompt's is left out, as some recorded replies do."""
    if _whole_number(get(usage, "promptTokenCount")) is None:
        return None
    return sum([_whole_number(get(usage, key)) or 0 for key in _COUNTS])


def _whole_number(value: Any) -> int | None:
    return value if type(value) is int else None
