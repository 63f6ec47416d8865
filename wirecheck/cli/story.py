"""From facts to conversations that can be shown: who said what, in order."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wirecheck.report.conversation import Conversation, Turn
from wirecheck.report.screen import clean
from wirecheck.sketch import Piece, sketch
from wirecheck.sketch_live import sketch_frame
from wirecheck.talk.facts import ContentFact, EndedFact, Fact, FrameFact, ReplyFact

FLOWING = ("text", "thought", "media")  # what comes in many small pieces
MOST = 400  # columns that are kept of a text


class Run(Struct):
    """Pieces of one kind that came one after another."""

    text: str
    kind: Any
    times: int = 1

    def add(self, piece: Piece) -> None:
        if piece.kind == "media":
            self.times += 1
        elif len(self.text) < MOST:
            self.text += piece.text

    def piece(self) -> Piece:
        return Piece(self.text if self.times == 1 else f"{self.text} × {self.times}", self.kind)


class Speech(Struct):
    """A turn in the making."""

    first: int | None
    last: int | None
    role: str
    runs: list[Run]

    def turn(self) -> Turn:
        return Turn(self.first, self.last, self.role, tuple(run.piece() for run in self.runs))


class Story(Struct):
    """A conversation in the making."""

    about: tuple[str, ...]
    live: bool
    speeches: list[Speech]

    def say(self, turn: int | None, role: str, pieces: list[Piece], *, flowing: bool) -> None:
        last = self.speeches[-1] if self.speeches else None
        if last is None or last.role != role or not (last.last == turn or self._flows_on(last, pieces)):
            self.speeches.append(last := Speech(turn, turn, role, []))
        last.last = turn
        for piece in pieces:
            run = last.runs[-1] if last.runs else None
            if flowing and run is not None and run.kind == piece.kind and piece.kind in FLOWING:
                run.add(piece)
            else:
                last.runs.append(Run(piece.text, piece.kind))

    def _flows_on(self, last: Speech, pieces: list[Piece]) -> bool:
        kinds = {piece.kind for piece in pieces} | {run.kind for run in last.runs[-1:]}
        return self.live and len(kinds) == 1 and kinds <= set(FLOWING)


class Stories:
    """Listens to all facts, keeps those that are said."""

    def __init__(self) -> None:
        self._stories: dict[str, Story] = {}

    def hear(self, fact: Fact) -> None:
        if teller := TELLERS.get(type(fact)):
            teller(self._story(fact), fact)

    def conversations(self) -> list[Conversation]:
        return [
            Conversation(name, story.about, tuple(speech.turn() for speech in story.speeches))
            for name, story in self._stories.items()
        ]

    def _story(self, fact: Fact) -> Story:
        context, origin = fact.context, fact.spot.site.origin
        if context.conversation not in self._stories:
            place = f"{origin.path}:{origin.line}"
            about = tuple(word for word in (context.model, context.surface, place) if word and word != "unknown")
            self._stories[context.conversation] = Story(about, context.protocol == "live", [])
        return self._stories[context.conversation]


def _content(story: Story, fact: Any) -> None:
    if story.live:
        return  # its frame says it
    role = fact.role if isinstance(fact.role, str) else "(no role)"
    story.say(fact.turn, role, sketch(fact.value, MOST), flowing=fact.sender == "server")


def _frame(story: Story, fact: Any) -> None:
    story.say(fact.turn, fact.sender, sketch_frame(fact.value, MOST), flowing=True)


def _reply(story: Story, fact: Any) -> None:
    endings = (("error", fact.error), ("blocked", fact.blocked), ("finish", fact.finish))
    said = [f"{word}: {clean(text, MOST)}" for word, text in endings if text and text != "STOP"]
    if said:
        story.say(fact.turn, "model", [Piece(f"({text})", "other") for text in said], flowing=False)


def _ended(story: Story, fact: Any) -> None:
    if fact.recorded:
        words = (f"closed by the {fact.by}" if fact.by else "closed", str(fact.code or ""), clean(fact.reason, MOST))
        story.say(None, fact.by or "", [Piece(f"({' '.join(filter(None, words))})", "other")], flowing=False)


TELLERS: dict[type[Fact], Callable[[Story, Any], None]] = {
    ContentFact: _content,
    FrameFact: _frame,
    ReplyFact: _reply,
    EndedFact: _ended,
}
