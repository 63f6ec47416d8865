"""Collects facts into conversations for `wirecheck show`: who said what, in order."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from wirecheck.cli.call_lanes import END, laned
from wirecheck.report.screen import clean
from wirecheck.report.turns_view import ConversationView, TurnView
from wirecheck.sketch import Kind, SketchLine, sketch, sketch_frame, weighed
from wirecheck.talk.facts import ContentFact, Context, EndedFact, Fact, FrameFact, ReplyFact

FLOWING = frozenset(("text", "thought", "heard", "said", "media"))  # kinds that arrive in many small pieces
MARKS = {"heard": "(heard) ", "said": "(said) "}
USUAL = frozenset(("STOP", "stop", "tool_calls", "completed", "requires_action"))  # normal finish reasons, not shown
MOST = 400  # columns of a text that are kept
ALIKE = 20  # columns compared to recognise a recited line: clients add ids and cut
Mark = tuple[int | None, str, str]  # turn, role, beginning of a line


class SketchRun(Struct):
    """Consecutive pieces of one kind."""

    text: str
    kind: Kind
    key: str = ""
    weight: int = 0
    times: int = 1

    def add(self, piece: SketchLine) -> None:
        if piece.kind == "media":
            self.times += 1
            self.weight += piece.weight
            self.text = weighed(clean(self.key, 60), self.weight)
        elif len(self.text) < MOST:
            self.text += piece.text

    def piece(self) -> SketchLine:
        times = f" × {self.times}" if self.times > 1 else ""
        return SketchLine(f"{MARKS.get(self.kind, '')}{self.text}{times}", self.kind, self.key)


def _run(piece: SketchLine) -> SketchRun:
    return SketchRun(piece.text, piece.kind, piece.key, piece.weight)


def _marks(turn: int | None, role: str, texts: Iterable[str]) -> set[Mark]:
    """What a turn is recognised by; one mark in common is enough."""
    return {(turn, role, text.partition("  id ")[0][:ALIKE]) for text in texts} or {(turn, role, "")}


class TurnBuilder(Struct):
    """Builds a turn."""

    line: int
    first: int | None
    last: int | None
    role: str
    runs: list[SketchRun]
    when: str = ""

    def turn(self, lanes: list[str]) -> TurnView:
        told = zip(lanes, (run.piece() for run in self.runs), strict=True)
        pieces = tuple(SketchLine(f"{lane}{piece.text}", piece.kind) for lane, piece in told)
        return TurnView(self.line, self.first, self.last, self.role, pieces, self.when)

    def marks(self) -> set[Mark]:
        return _marks(self.first, self.role, (run.text for run in self.runs))


class StoryBuilder(Struct):
    """Builds a conversation."""

    place: str
    live: bool
    context: Context
    began: float | None = None  # of a Live session: the time of its first frame
    speeches: list[TurnBuilder] = []
    known: set[Mark] = set()  # of all turns but the last, which may continue

    def say(self, fact: Fact, role: str, pieces: list[SketchLine], *, flowing: bool = False) -> None:
        last = self.speeches[-1] if self.speeches else None
        kinds = {piece.kind for piece in pieces} | {run.kind for run in last.runs} if last else set()
        goes_on = last is not None and (last.last == fact.turn or (self.live and kinds <= FLOWING))
        if last is None or last.role != role or not goes_on:
            last = self._begin(fact, role)
        last.last = fact.turn
        for piece in pieces:
            run = self._run(last, piece) if flowing else None
            if run is not None:
                run.add(piece)
            else:
                last.runs.append(_run(piece))

    def clock(self, at: float | None) -> None:
        """Sets the time at which the last turn began, if the log has times."""
        if at is not None:
            self.began = at if self.began is None else self.began
            last = self.speeches[-1]
            last.when = last.when or f"{at - self.began:.1f}s"

    def recite(self, fact: Fact, role: str, pieces: list[SketchLine]) -> None:
        """Adds a content of a request, unless it is recited and was added before."""
        if not self._knows(_marks(fact.turn, role, (piece.text for piece in pieces)), fact.turn):
            self._begin(fact, role).runs = [_run(piece) for piece in pieces]

    def _begin(self, fact: Fact, role: str) -> TurnBuilder:
        if self.speeches:
            self.known |= self.speeches[-1].marks()
        self.speeches.append(speech := TurnBuilder(fact.spot.site.origin.line, fact.turn, fact.turn, role, []))
        return speech

    def _knows(self, marks: set[Mark], turn: int | None) -> bool:
        if not self.known.isdisjoint(marks):
            return True
        last = self.speeches[-1] if self.speeches else None
        return last is not None and last.first == turn and not last.marks().isdisjoint(marks)

    def conversation(self, name: str) -> ConversationView:
        words = (self.context.model, self.context.surface, self.place)
        about = tuple(word for word in words if word and word != "unknown")
        spoken = [[run.piece() for run in speech.runs] for speech in self.speeches]
        lanes = laned(spoken) if self.live else [[""] * len(pieces) for pieces in spoken]
        told = zip(self.speeches, lanes, strict=True)
        return ConversationView(name, about, tuple(speech.turn(drawn) for speech, drawn in told))

    def _run(self, last: TurnBuilder, piece: SketchLine) -> SketchRun | None:
        """The run that a piece continues. In Live, audio and its transcription alternate."""
        runs = (last.runs if self.live else last.runs[-1:]) if piece.kind in FLOWING else ()
        return next((run for run in runs if run.kind == piece.kind), None)


class Stories:
    """Listens to all facts and keeps those that show what was said."""

    def __init__(self) -> None:
        self._stories: dict[str, StoryBuilder] = {}

    def hear(self, fact: Fact) -> None:
        if teller := TELLERS.get(type(fact)):
            teller(self._story(fact), fact)

    def conversations(self) -> list[ConversationView]:
        return [story.conversation(name) for name, story in self._stories.items()]

    def _story(self, fact: Fact) -> StoryBuilder:
        context, origin = fact.context, fact.spot.site.origin
        known = self._stories.get(context.conversation)
        if known is None:
            known = StoryBuilder(f"{origin.path}:{origin.line}", context.protocol == "live", context)
            self._stories[context.conversation] = known
        known.context = context  # the model of a Live session is known from its first frame on
        return known


def _content(story: StoryBuilder, fact: Any) -> None:
    role = fact.role if isinstance(fact.role, str) else "(no role)"
    pieces = sketch(fact.value, MOST)
    if story.live:
        return  # shown with its frame
    if fact.sender == "server":
        story.say(fact, role, pieces, flowing=True)
    else:
        story.recite(fact, role, pieces)


def _frame(story: StoryBuilder, fact: Any) -> None:
    pieces = (
        sketch_frame(fact.value, MOST)
        if fact.form == "object"
        else [SketchLine(f"({fact.form}, no JSON object)", "other")]
    )
    story.say(fact, fact.sender, pieces, flowing=True)
    story.clock(fact.at)


def _reply(story: StoryBuilder, fact: Any) -> None:
    endings = (("error", fact.error), ("blocked", fact.blocked), ("finish", fact.finish))
    said = [f"{word}: {clean(text, MOST)}" for word, text in endings if text and text not in USUAL]
    if said:
        story.say(fact, "model", [SketchLine(f"({text})", "other") for text in said])


def _ended(story: StoryBuilder, fact: Any) -> None:
    if fact.recorded:
        words = (f"closed by the {fact.by}" if fact.by else "closed", str(fact.code or ""), clean(fact.reason, MOST))
        story.say(fact, fact.by or "", [SketchLine(f"({' '.join(filter(None, words))})", "other", END)])
        story.clock(fact.at)


TELLERS: dict[type[Fact], Callable[[StoryBuilder, Any], None]] = {
    ContentFact: _content,
    FrameFact: _frame,
    ReplyFact: _reply,
    EndedFact: _ended,
}
