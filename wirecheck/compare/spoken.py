"""A conversation as a row of utterances: texts, function calls and responses, whatever the protocol wrote them in."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Literal

from msgspec import Struct

from wirecheck.compare.alignment import aligned, gaps
from wirecheck.dialects.messages import Speaker, Spot
from wirecheck.dialects.raw_json import Undecodable, decode
from wirecheck.hashing import text_digest
from wirecheck.sketch.content_sketch import LONG, SketchLine, shown
from wirecheck.talk.facts import Context

What = Literal["text", "call", "answer"]
HEAVY = 64  # what a call weighs, and a text of so many letters; a short text is said more than once
WIDTH = 120  # columns of a sketch
WRAPPED = frozenset(("output", "result", "content", "response"))  # keys that programs put a whole response under


class Utterance(Struct):
    """One thing that was said. `said` is a hash of its content alone: of a call its name and arguments, of a response
    what it holds, of a text its letters without blanks. `ids` are all by which it is known. `sketch` is one line of it
    to show, `length` the letters of a text."""

    what: What
    said: int
    speaker: Speaker
    role: str
    spot: Spot
    turn: int | None
    name: str | None = None
    called: str | None = None  # of a response without a name: that of its call
    ids: tuple[str, ...] = ()
    line: Callable[[], SketchLine] | None = None  # to be sketched, until it is known whether it is kept
    sketch: str = ""
    length: int = HEAVY
    pieces: list[str] = []
    transcribed: bool = False  # heard in sound: its text comes when it comes

    @property
    def key(self) -> tuple[What, int]:
        return self.what, self.said

    @property
    def weight(self) -> int:
        return min(self.length, HEAVY)

    @property
    def letters(self) -> str:
        """Of a text, without its blanks: programs wrap and trim."""
        return "".join("".join(self.pieces).split())

    def know(self, again: "Utterance") -> None:
        """The same was said again, perhaps with other ids."""
        self.ids = tuple(dict.fromkeys((*self.ids, *again.ids)))

    def whole(self) -> "Utterance":
        """The same, when all of its pieces are there."""
        if self.what == "text":
            letters = self.letters
            self.said, self.length = text_digest(letters), len(letters)
        return self

    def kept(self) -> "Utterance":
        """The same with its sketch. Most of a history is not kept, and needs none."""
        if self.what == "text":
            self.sketch = sketched(SketchLine("".join(self.pieces)[:LONG]))
        elif self.line is not None:
            self.sketch, self.line = sketched(self.line()), None
        return self


class SpokenConversation(Struct):
    """A conversation, from its beginning to where the log ends, each utterance once."""

    context: Context
    utterances: list[Utterance] = []
    asked: int | None = None  # how many utterances stand up to the end of the last history
    sound: set[Speaker] = set()  # whose voice a Live session has

    @property
    def keys(self) -> tuple[tuple[What, int], ...]:
        return tuple(each.key for each in self.utterances)

    @property
    def weight(self) -> int:
        return sum(each.weight for each in self.utterances)

    @property
    def unheard(self) -> set[Speaker]:
        """Whose words crossed the wire as sound alone: nobody can tell which they were."""
        return self.sound - {each.speaker for each in self.utterances if each.transcribed}

    def hear(self, said: Iterable[Utterance]) -> None:
        self.utterances += [each.kept() for each in said]

    def reply(self, said: Sequence[Utterance]) -> None:
        """Takes in a reply to the last history. A request that is sent again may be answered in the same words."""
        if self.asked is not None:
            known = self.utterances[self.asked : self.asked + len(said)]
            if [each.key for each in known] == [each.key for each in said]:
                for one, again in zip(known, said, strict=True):
                    one.know(again)
                return
        self.hear(said)

    def recite(self, history: Sequence[Utterance]) -> None:
        """Takes in a history that begins at the beginning: what is known is only known better, the rest is put where
        it stands between what is known. What a history no longer has was said all the same."""
        keys, weights = [each.key for each in history], [each.weight for each in history]
        pairs = aligned(keys, self.keys, weights)
        joined = list[Utterance]()
        ends = [*(self.utterances[m] for _, m in pairs), None]
        asked = 0
        for (fresh, left), end in zip(gaps(pairs, len(history), len(self.utterances)), ends, strict=True):
            joined += [self.utterances[m] for m in left] + [history[n].kept() for n in fresh]
            if end is not None:
                joined.append(end)
            asked = len(joined) if fresh or end is not None else asked
        for n, m in pairs:
            self.utterances[m].know(history[n])
        self.utterances, self.asked = joined, asked


def sketched(line: SketchLine) -> str:
    return next((each.text for each in shown([line], WIDTH)), "")


def said_in(value: Any) -> int:
    """A hash of arguments or of a response, the same for what means the same: JSON in a text, a response as a whole
    under a key, 18 and 18.0."""
    with suppress(RecursionError):  # texts in texts may be nested deeper than what holds them
        value = _plain(value)
    return text_digest(json.dumps(value, sort_keys=True))


def _plain(value: Any) -> Any:
    value = _value(value)
    while isinstance(value, dict) and len(value) == 1 and next(iter(value)) in WRAPPED:
        value = _value(next(iter(value.values())))
    if isinstance(value, list) and value and all(map(_is_text, value)):
        return _value("".join(str(block["text"]) for block in value))
    return value


def _is_text(block: Any) -> bool:
    """A block of text, as tools of MCP and interactions return it."""
    return isinstance(block, dict) and block.get("type") == "text" and set(block) == {"type", "text"}


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    return [_value(item) for item in value] if isinstance(value, list) else value


def _text(text: str) -> Any:
    """A text may be JSON, and is compared without its blanks."""
    with suppress(*Undecodable, UnicodeEncodeError):
        value = decode(text.encode())
        return value if isinstance(value, str) else _value(value)
    return "".join(text.split())
