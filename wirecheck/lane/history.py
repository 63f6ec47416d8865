"""The contents of a usual request, one after the other: how it stands after them, and the form of each."""

from collections.abc import Collection
from typing import Any

from wirecheck.lane.forms import Form, Odd, answered, answers_of, calls_of, form_of, named, recital
from wirecheck.lane.usual import Call, Content
from wirecheck.talk.offer import Named
from wirecheck.talk.offer import named as named_so_far
from wirecheck.talk.threads import Known, sign, words_of

Place = tuple[int, int]  # a content and a part of it
Key = tuple[Any, ...]
WHOLE = -1  # the content and not one of its parts


class History:
    """Goes on from what is known."""

    __slots__ = (
        "_declared",
        "_known",
        "_question",
        "asked",
        "called",
        "contents",
        "keys",
        "last",
        "names",
        "recites",
        "signs",
        "state",
        "waiting",
    )

    def __init__(self, known: Known | None, declared: Collection[str]) -> None:
        self._known, self._declared = known, declared
        self._question = 0  # the last content in which the user says something
        self.contents: list[Content] = []
        self.keys: list[Key] = []
        self.names: list[str] = []  # of functions, as they come
        self.called: tuple[Named, ...] = () if known is None else known.called
        self.state: Any = "nothing" if known is None else known.state
        self.last = "nothing"
        self.waiting: list[Call] = []
        self.asked: list[int] = []  # hashes of what the user said
        self.signs: list[int] = []  # of what the model said
        self.recites = False

    def hear(self, content: Content) -> None:
        before, form = self.state, form_of(content)
        if content.role == "model":
            how = self._model(content, form)
        elif content.role == "user":
            how = self._user(content)
        else:
            raise Odd
        self.contents.append(content)
        self.keys.append((before, form, how))

    def forms(self, context: int) -> list[tuple[Place, Key]]:
        """What rules may find wrong with each content hangs on this, and on what is called in each part."""
        first, new = (0, True) if self._known is None else (self._known.count, False)
        forms: list[tuple[Place, Key]] = []
        for n, (content, key) in enumerate(zip(self.contents, self.keys, strict=True)):
            forms.append(((first + n, WHOLE), (context, new, n >= self._question, *key)))
            forms += [((first + n, m), (context, content.role, *form)) for m, form in named(content)]
        return forms

    def _model(self, content: Content, form: Form) -> Form:
        calls = calls_of(content)
        if self.waiting or answers_of(content):
            raise Odd
        self.last = self.state = "model"
        if calls:
            names = [call.name for call in calls]
            if not all([name in self._declared for name in names]):
                raise Odd
            self.names += names
            self._note(content)
            self.waiting, self.state = calls, ("calls", form)
        if self._known is None:
            text = "".join([part.text for part in content.parts if part.text and not part.thought])
            self.signs.append(sign(text, [(call.name, call.args) for call in calls[:1]]))
            return ()
        if self.keys:  # what no reply is known of
            raise Odd
        self.recites = calls != []
        return recital(self._known.reply, content)

    def _note(self, content: Content) -> None:
        """Which functions are called here for the first time."""
        turn = len(self.keys) + (0 if self._known is None else self._known.count)
        for n, part in enumerate(content.parts):
            if part.call is not None:
                self.called = named_so_far(self.called, part.call.name, turn, ("parts", n))

    def _user(self, content: Content) -> Form:
        if self._known is not None and not self.keys:  # the reply is left out
            raise Odd
        if self.waiting:
            if calls_of(content) or not answered(self.waiting, answers_of(content)):
                raise Odd
            self.waiting, self.last = [], "answers"
        elif any([part.call is not None or part.answer is not None for part in content.parts]):
            raise Odd
        else:
            self.last = "user"
        self.state = self.last
        if words := words_of([part.text for part in content.parts if part.text]):
            self.asked.append(words)
            self._question = len(self.keys)
        return ()
