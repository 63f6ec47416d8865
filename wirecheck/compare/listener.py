"""Hears the facts of one side, and keeps what was said."""

from collections.abc import Callable, Iterator
from typing import Any

from wirecheck.compare.spoken import SpokenConversation, Utterance, said_in, sketched
from wirecheck.dialects.messages import Speaker, Spot
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.sketch.content_sketch import SketchLine, answer, call
from wirecheck.talk.facts import (
    AnswerFact,
    CallFact,
    EndedFact,
    Fact,
    FrameFact,
    PartFact,
    ReplyFact,
    RequestFact,
)

SETTLES = (ReplyFact, RequestFact, EndedFact)


class Listener:
    """Listens to all facts of a log, in their order.

    What a request holds is a history: it is kept until the request is complete, and then laid over what is known of
    its conversation. Everything else is said once.
    """

    def __init__(self) -> None:
        self._conversations: dict[str, SpokenConversation] = {}
        self._waiting: list[Utterance] = []  # of one request, or of one message
        self._conversation: SpokenConversation | None = None
        self._content: tuple[object, ...] | None = None  # which content the last text is of

    def hear(self, fact: Fact) -> None:
        if isinstance(fact, SETTLES):
            self._settle(history=isinstance(fact, RequestFact))
            return
        for one in HEARERS[type(fact)](fact) if type(fact) in HEARERS else ():
            self._take(one, fact)

    def conversations(self) -> list[SpokenConversation]:
        self._settle(history=False)
        heard = [each for each in self._conversations.values() if each.utterances]
        for each in heard:
            _name_answers(each.utterances)
        return heard

    def _take(self, one: Utterance, fact: Any) -> None:
        name, context = fact.context.conversation, fact.context
        sent = context.protocol != "live" and fact.sender == "client"
        known = self._conversations.get(name)
        if known is None:
            known = self._conversations[name] = SpokenConversation(context)
        known.context = context  # the model of a Live session is known from its first frame on
        if known is not self._conversation or (self._waiting and self._waiting[-1].spot.site != one.spot.site and sent):
            self._settle(history=False)
        self._conversation = known
        # Replies come in pieces, also in Live, where audio is between them.
        content = (one.speaker, fact.sender, fact.turn if sent else None)
        last = self._waiting[-1] if self._waiting else None
        if last is not None and last.what == one.what == "text" and content == self._content:
            last.pieces += one.pieces
        else:
            self._waiting.append(one)
        self._content = content

    def _settle(self, *, history: bool) -> None:
        said, self._waiting, self._content = self._waiting, [], None
        said = [each for each in map(Utterance.whole, said) if each.length]
        if self._conversation is None or not said:
            return
        if history and not said[0].turn:
            self._conversation.recite(said)
        else:
            self._conversation.hear(said)


def _name_answers(utterances: list[Utterance]) -> None:
    """Messages in the style of OpenAI answer a call by its id alone."""
    names = {one: each.name for each in utterances if each.what == "call" for one in each.ids}
    for each in utterances:
        if each.what == "answer" and each.name is None:
            each.called = next((names[one] for one in each.ids if one in names), None)


def _part(fact: PartFact) -> Iterator[Utterance]:
    if "text" not in fact.data or fact.speaker == "system" or fact.container == "systemInstruction":
        return
    value = fact.value
    text = value.get("text") if isinstance(value, dict) else None
    if isinstance(text, str) and not value.get("thought"):
        yield from _text(text, fact.speaker, str(fact.role or ""), fact.spot, fact.turn)


def _text(text: str, speaker: Speaker, role: str, spot: Spot, turn: int | None) -> Iterator[Utterance]:
    yield Utterance(what="text", said=0, speaker=speaker, role=role, spot=spot, turn=turn, pieces=[text])


def _call(fact: CallFact) -> Iterator[Utterance]:
    line = call(fact.name, fact.args, fact.id)
    yield _function("call", said_in([fact.name, fact.args or {}]), line, fact)


def _answer(fact: AnswerFact) -> Iterator[Utterance]:
    yield _function("answer", said_in(fact.response), answer(fact.name, fact.response, fact.id), fact)


def _function(what: Any, said: int, line: SketchLine, fact: CallFact | AnswerFact) -> Utterance:
    return Utterance(
        what=what,
        said=said,
        speaker=fact.speaker,
        role=str(fact.role or fact.sender),
        spot=fact.spot,
        turn=fact.turn,
        name=fact.name,
        ids=(fact.id,) if fact.id else (),
        sketch=sketched(line),
    )


def _frame(fact: FrameFact) -> Iterator[Utterance]:
    """What a Live session says elsewhere than in contents: a text in between, and what was heard in audio."""
    for place, speaker in HEARD.items():
        text, spot = fact.value, fact.spot
        for key in place:
            text = get(text, key) if isinstance(text, dict) else None
        if isinstance(text, str):
            yield from _text(text, speaker, fact.sender, spot.to(*place), fact.turn)


HEARD: dict[tuple[str, ...], Speaker] = {
    ("realtimeInput", "text"): "user",
    ("serverContent", "inputTranscription", "text"): "user",
    ("serverContent", "outputTranscription", "text"): "model",
}
HEARERS: dict[type[Fact], Callable[[Any], Iterator[Utterance]]] = {
    PartFact: _part,
    CallFact: _call,
    AnswerFact: _answer,
    FrameFact: _frame,
}
