"""The contents of a usual request, one after the other: how it stands after them, and the form of each."""

from typing import Any

from wirecheck.lane.forms import Form, Look, Odd, answered, look, recital
from wirecheck.lane.replies import KeptReply
from wirecheck.lane.usual import Call, Content, Part
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import sign, words_of
from wirecheck.talk.toolbox import Toolbox

Place = tuple[int, int]  # a content and a part of it
Key = tuple[Any, ...]
WHOLE = -1  # the content and not one of its parts
NOTHING: Form = ()


class History:
    """Goes on from what is known."""

    __slots__ = (
        "_begin",
        "_keys",
        "_known",
        "_names",
        "_parts",
        "_question",
        "_toolbox",
        "asked",
        "called",
        "recites",
        "signs",
        "state",
        "waiting",
    )

    def __init__(self, known: Conversation | None, toolbox: Toolbox) -> None:
        self._known, self._toolbox = known, toolbox
        self.called: tuple[Named, ...] = ()
        self._begin, self.state = 0, "nothing"
        if known is not None:
            self.called, self._begin, self.state = known.called, len(known.hashes), known.state
        self._names = {one.name for one in self.called}
        if not toolbox.names.keys() >= self._names:
            raise Odd
        self._question = 0  # the last content in which the user says something
        self._keys: list[Key] = []
        self._parts: list[tuple[Place, Form]] = []
        self.waiting: list[Call] = []
        self.asked: list[int] = []  # hashes of what the user said
        self.signs: list[int] = []  # of what the model said
        self.recites = False

    def hear(self, content: Content) -> None:
        before, seen = self._keys[-1][1] if self.waiting else self.state, look(content)
        if seen.named:
            at = self._begin + len(self._keys)
            for n, form in seen.named:
                self._parts.append(((at, n), form))
        if content.role == "model":
            how = self._model(content, seen)
        elif content.role == "user":
            how = self._user(seen)
        else:
            raise Odd
        self._keys.append((before, seen.form, how))

    def forms(self, context: int) -> list[tuple[Place, Key]]:
        """What rules may find wrong with each content hangs on this, and on what is called in each part."""
        first, question, last = self._begin, self._question, len(self._keys) - 1
        forms: list[tuple[Place, Key]] = [
            ((first + n, WHOLE), (context, n >= question, n == last, *key)) for n, key in enumerate(self._keys)
        ]
        for place, form in self._parts:
            forms.append((place, (context, form)))
        return forms

    def _model(self, content: Content, seen: Look) -> Form:
        if self.waiting or seen.answers:
            raise Odd
        self.state = "model"
        if seen.calls:
            self.waiting = seen.calls
            self._called(seen)
        if self._known is None:
            self.signs.append(sign("".join(seen.texts), [call.id for call in seen.calls[:1]]))
            return NOTHING
        if self._keys:  # what no reply is known of
            raise Odd
        self.recites = seen.calls != []
        return recital(_said(self._known), content)

    def _called(self, seen: Look) -> None:
        for n, (_, name, *_) in seen.named:
            if name not in self._names:
                if name not in self._toolbox.names:
                    raise Odd
                self._names.add(name)
                self.called += (Named(name, self._begin + len(self._keys), ("parts", n)),)

    def _user(self, seen: Look) -> Form:
        if self._known is not None and not self._keys:  # the reply is left out
            raise Odd
        if self.waiting:
            if seen.calls or not answered(self.waiting, seen.answers):
                raise Odd
            self.waiting, self.state = [], "answers"
        elif seen.named:
            raise Odd
        else:
            self.state = "user"
        if seen.texts:
            self.asked.append(words_of(seen.texts))
            self._question = len(self._keys)
        return NOTHING


def _said(conversation: Conversation) -> list[Part]:
    """What the server said last."""
    if not isinstance(conversation.reply, KeptReply):
        raise Odd
    return conversation.reply.parts()
