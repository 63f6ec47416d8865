"""The contents of a usual request, one after the other: how it stands after them, and the form of each."""

from typing import Any

from wirecheck.lane.forms import TEXTS, Form, Odd, answered, answers_of, calls_of, form_of, named, recital
from wirecheck.lane.usual import Call, Content
from wirecheck.talk.offer import Named
from wirecheck.talk.threads import Conversation, sign, words_of
from wirecheck.talk.toolbox import Toolbox

Place = tuple[int, int]  # a content and a part of it
Key = tuple[Any, ...]
WHOLE = -1  # the content and not one of its parts


class History:
    """Goes on from what is known."""

    __slots__ = (
        "_begin",
        "_known",
        "_names",
        "_parts",
        "_question",
        "_toolbox",
        "asked",
        "called",
        "keys",
        "recites",
        "signs",
        "state",
        "waiting",
    )

    def __init__(self, known: Conversation | None, toolbox: Toolbox) -> None:
        self._known, self._toolbox = known, toolbox
        self.called: tuple[Named, ...] = known.called if known is not None else ()
        self._names = {one.name for one in self.called}
        if not toolbox.names.keys() >= self._names:
            raise Odd
        self._begin = len(known.hashes) if known is not None else 0
        self._question = 0  # the last content in which the user says something
        self.keys: list[Key] = []
        self._parts: list[tuple[Place, Key]] = []
        self.state: Any = "nothing" if known is None else known.state
        self.waiting: list[Call] = []
        self.asked: list[int] = []  # hashes of what the user said
        self.signs: list[int] = []  # of what the model said
        self.recites = False

    def hear(self, content: Content) -> None:
        before, form = self.state, form_of(content)
        if content.role == "model":
            how = self._model(content, form)
        elif content.role == "user":
            how = self._user(content, form)
        else:
            raise Odd
        self.keys.append((before, form, how))

    def forms(self, context: int) -> list[tuple[Place, Key]]:
        """What rules may find wrong with each content hangs on this, and on what is called in each part."""
        first, question, last = self._begin, self._question, len(self.keys) - 1
        forms: list[tuple[Place, Key]] = [
            ((first + n, WHOLE), (context, n >= question, n == last, key)) for n, key in enumerate(self.keys)
        ]
        return forms + [(place, (context, key)) for place, key in self._parts]

    def _model(self, content: Content, form: Form) -> Form:
        if self.waiting:
            raise Odd
        self.state, calls = "model", []
        if form not in TEXTS:
            calls = calls_of(content)
            if answers_of(content):
                raise Odd
            if calls:
                self._called(content)
                self.waiting, self.state = calls, ("calls", form)
        if self._known is None:
            text = "".join([part.text for part in content.parts if part.text and not part.thought])
            self.signs.append(sign(text, [call.id for call in calls[:1]]))
            return ()
        if self.keys:  # what no reply is known of
            raise Odd
        self.recites = calls != []
        return recital(self._known.reply, content)

    def _called(self, content: Content) -> None:
        self._name(content)
        for n, part in enumerate(content.parts):
            if part.call is not None:
                name = part.call.name
                if name not in self._names:
                    if name not in self._toolbox.names:
                        raise Odd
                    self._names.add(name)
                    self.called += (Named(name, self._begin + len(self.keys), ("parts", n)),)

    def _name(self, content: Content) -> None:
        """The functions that its parts name are part of their form."""
        n = self._begin + len(self.keys)
        self._parts += [((n, m), (content.role, form)) for m, form in named(content)]

    def _user(self, content: Content, form: Form) -> Form:
        if self._known is not None and not self.keys:  # the reply is left out
            raise Odd
        if form in TEXTS:
            if self.waiting:
                raise Odd
            self.state = "user"
        elif self.waiting:
            if calls_of(content) or not answered(self.waiting, answers_of(content)):
                raise Odd
            self.waiting, self.state = [], "answers"
            self._name(content)
        elif any([part.call is not None or part.answer is not None for part in content.parts]):
            raise Odd
        else:
            self.state = "user"
        if words := words_of([part.text for part in content.parts if part.text]):
            self.asked.append(words)
            self._question = len(self.keys)
        return ()
