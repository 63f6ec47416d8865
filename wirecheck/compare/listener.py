"""Hears the facts of one side, and keeps what was said."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from wirecheck.compare.spoken import SpokenConversation, Utterance, said_in
from wirecheck.dialects.messages import Speaker
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.sketch.content_sketch import SketchLine, answer, call
from wirecheck.talk.facts import (
    AnswerFact,
    CallFact,
    CandidateFact,
    EndedFact,
    Fact,
    FrameFact,
    PartFact,
    ReplyFact,
    RequestFact,
)

SETTLES = (ReplyFact, RequestFact, EndedFact)
REPLIES = ("candidates", "choices")  # containers that several candidates of one reply stand in


class Listener:
    """Listens to all facts of a log, in their order.

    What a request holds is a history: it is kept until the request is complete, and then laid over what is known of
    its conversation. Everything else is said once. Of several candidates the first is heard; where the program takes
    another one, a history has it.
    """

    def __init__(self) -> None:
        self._conversations: dict[str, SpokenConversation] = {}
        self._sound: dict[str, set[Speaker]] = {}  # whose voice was heard, by conversation
        self._waiting: list[Utterance] = []  # of one request, or of one message
        self._conversation: SpokenConversation | None = None
        self._content: tuple[object, ...] | None = None  # which content the last text is of
        self._is_first = True  # the candidate that is read

    def hear(self, fact: Fact) -> None:
        if isinstance(fact, SETTLES):
            self._settle(type(fact))
            return
        if isinstance(fact, CandidateFact):
            self._is_first = not _index(fact)
            return
        if not self._is_first and getattr(fact, "container", "") in REPLIES:
            return
        if fact.context.protocol == "live" and (speaker := _sound(fact)):
            self._sound.setdefault(fact.context.conversation, set()).add(speaker)
        for one in HEARERS[type(fact)](fact) if type(fact) in HEARERS else ():
            self._take(one, fact)

    def conversations(self) -> list[SpokenConversation]:
        self._settle()
        for name, speakers in self._sound.items():
            if name in self._conversations:
                self._conversations[name].sound = speakers
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
            self._settle()
        self._conversation = known
        # Replies come in pieces, also in Live, where audio is between them.
        content = (one.speaker, fact.sender, fact.turn if context.protocol != "live" else None)
        last = self._waiting[-1] if self._waiting else None
        if last is not None and last.what == one.what == "text" and content == self._content:
            last.pieces += one.pieces
        else:
            self._waiting.append(one)
        self._content = content

    def _settle(self, by: type[Fact] | None = None) -> None:
        said, self._waiting, self._content = self._waiting, [], None
        said = [each for each in map(Utterance.whole, said) if each.length]
        if self._conversation is None or not said:
            return
        if by is RequestFact and not said[0].turn:
            self._conversation.recite(said)
        elif by is ReplyFact:
            self._conversation.reply(said)
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
        # Live servers write no role.
        says = not fact.role and fact.sender == "server" and fact.context.protocol == "live"
        speaker: Speaker = "model" if says else fact.speaker
        yield Utterance(
            what="text",
            said=0,
            speaker=speaker,
            role=str(fact.role or speaker),
            spot=fact.spot,
            turn=fact.turn,
            pieces=[text],
        )


def _call(fact: CallFact) -> Iterator[Utterance]:
    line = partial(call, fact.name, fact.args, fact.id)
    yield _function("call", said_in([fact.name, fact.args or {}]), line, fact)


def _answer(fact: AnswerFact) -> Iterator[Utterance]:
    yield _function("answer", said_in(fact.response), partial(answer, fact.name, fact.response, fact.id), fact)


def _function(what: Any, said: int, line: Callable[[], SketchLine], fact: CallFact | AnswerFact) -> Utterance:
    return Utterance(
        what=what,
        said=said,
        speaker=fact.speaker,
        role=str(fact.role or fact.sender),
        spot=fact.spot,
        turn=fact.turn,
        name=fact.name,
        ids=(fact.id,) if fact.id else (),
        line=line,
    )


def _frame(fact: FrameFact) -> Iterator[Utterance]:
    """What a Live session says elsewhere than in contents: a text in between, and what was heard in audio."""
    for place, speaker in HEARD.items():
        text, spot = fact.value, fact.spot
        for key in place:
            text = get(text, key) if isinstance(text, dict) else None
        if isinstance(text, str):
            yield Utterance(
                what="text",
                said=0,
                speaker=speaker,
                role=fact.sender,
                spot=spot.to(*place),
                turn=fact.turn,
                pieces=[text],
                transcribed=place in TRANSCRIBED,
            )


def _index(fact: CandidateFact) -> int:
    """Which of the candidates of a reply it is; in a stream the first one of a chunk may be any."""
    index = fact.value.get("index") if isinstance(fact.value, dict) else None
    place = fact.spot.steps[-1] if fact.spot.steps else 0
    return next((each for each in (index, place) if type(each) is int), 0)


def _sound(fact: Fact) -> Speaker:
    """Whose voice it is, in a Live session."""
    if isinstance(fact, PartFact):
        return "model" if fact.sender == "server" and "inlineData" in fact.data else ""
    spoken = get(fact.value, "realtimeInput") if isinstance(fact, FrameFact) and isinstance(fact.value, dict) else None
    return "user" if isinstance(spoken, dict) and any(get(spoken, key) for key in VOICE) else ""


HEARD: dict[tuple[str, ...], Speaker] = {
    ("realtimeInput", "text"): "user",
    ("serverContent", "inputTranscription", "text"): "user",
    ("serverContent", "outputTranscription", "text"): "model",
}
TRANSCRIBED = tuple(place for place in HEARD if place[0] == "serverContent")
VOICE = ("audio", "mediaChunks")  # keys of realtimeInput that hold what a microphone hears
HEARERS: dict[type[Fact], Callable[[Any], Iterator[Utterance]]] = {
    PartFact: _part,
    CallFact: _call,
    AnswerFact: _answer,
    FrameFact: _frame,
}
