"""The contents of a usual request, one after the other: how it stands after them, and the form of each.

What their forms tell is worked out once (Telling). What their words tell, and how ids go with ids and a recital with
what was said, is looked at each time.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Raw, Struct

from wirecheck.lane import blank, usual
from wirecheck.lane.forms import Form, Look, Places, look, number
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.recital import recital
from wirecheck.lane.shelf import KeptReply
from wirecheck.lane.usual import Content, Odd, Part
from wirecheck.talk.conversation import Conversation, Trimmed
from wirecheck.talk.offer import Named
from wirecheck.talk.piece import BYPASSES
from wirecheck.talk.reply import sign, words_of
from wirecheck.talk.toolbox import Toolbox

Place = tuple[int, int]  # a content and a part of it
Key = tuple[Any, ...]
WHOLE = -1  # the content and not one of its parts
NOTHING: Form = ()
MOST = 16_384  # contents and parts of which tellings are remembered
Parts = tuple[int, tuple[int, ...]]  # a content, and some of its parts


class Telling(Struct, frozen=True, eq=False):
    """What the forms of contents tell that go on from a state."""

    shape: int  # what it tells of them as wholes
    state: str  # after them
    weight: int
    keys: tuple[tuple[Any, int], ...]  # what stood before each content, and its form
    made: tuple[tuple[int, int, Form], ...]  # the parts that call functions
    question: int  # the last content in which the user says something
    asked: tuple[Parts, ...]  # what the user says
    said: tuple[tuple[Parts, Parts], ...]  # what the model says, and its calls, where no reply of it is known
    pairs: tuple[tuple[Parts, Parts], ...]  # calls and their answers, where there are ids
    answers: tuple[tuple[int, int, Form], ...]
    signed: Places
    called: tuple[tuple[str, int, int], ...]  # functions, and where they are called first
    recites: bool  # the reply before
    calls: bool  # which calls


class Told(Struct):
    """What the contents of a request tell, their words and ids included. `how` they recite the reply before."""

    telling: Telling
    how: Form
    gives: Form  # of each answer: whether it holds anything, an output, an error
    asked: list[int]
    signs: list[int]
    called: tuple[Named, ...]
    state: str
    recites: bool

    def wholes(self, context: int, begin: int) -> list[tuple[Place, Key]]:
        """What rules may find wrong with each content hangs on this, and on what is called in each part."""
        telling, last = self.telling, len(self.telling.keys) - 1
        return [
            ((begin + n, WHOLE), (context, n >= telling.question, n == last, *key, NOTHING if n else self.how))
            for n, key in enumerate(telling.keys)
        ]

    def named(self, context: int, begin: int) -> list[tuple[Place, Key]]:
        """The same of the parts that name functions."""
        telling = self.telling
        forms: list[tuple[Place, Key]] = [((begin + n, m), (context, form)) for n, m, form in telling.made]
        for (n, m, form), gives in zip(telling.answers, self.gives, strict=True):
            forms.append(((begin + n, m), (context, form + gives)))
        return forms


class Histories:
    """Reads contents. What forms tell is remembered."""

    def __init__(self) -> None:
        self._tellings: Learnt[tuple[str | None, blank.Contents], Telling] = Learnt(MOST)
        self._seams: Learnt[blank.Contents, Key] = Learnt(MOST)

    def told(
        self, raw: bytes, known: Conversation | None, trimmed: Trimmed | None, begin: int, toolbox: Toolbox
    ) -> Told:
        """What these contents tell, which go on from what is known. Raises Odd, or what parsing raises."""
        contents, state = usual.contents(raw), None if known is None else known.state
        telling = self._telling(state, blank.contents(raw))
        asked = [words_of([_text(contents, n, m) for m in parts]) for n, parts in telling.asked]
        signs = [_sign(contents, texts, calls) for texts, calls in telling.said]
        if telling.pairs or telling.signed:
            _compare(contents, telling)
        how, gives = NOTHING, tuple([_gives(contents[n].parts[m]) for n, m, _ in telling.answers])
        if telling.recites and known is not None:
            how = recital(_said(known), contents[0].parts)
        called = () if known is None else known.called
        if trimmed is not None:
            called = trimmed.still(called)
        if called or telling.called:
            called = _called(called, telling, begin, toolbox)
        return Told(telling, how, gives, asked, signs, called, telling.state, telling.calls)

    def seam(self, contents: Sequence[Raw], head: int) -> Key:
        """What the content after the gap follows now, and what follows that. All the others follow what they did."""
        around = blank.contents(b"[%b]" % b",".join(contents[: head + 2]))
        if (known := self._seams.get(around)) is None:
            known = self._seams.add(around, seam(around), blank.weight(around))
        return known

    @staticmethod
    def words(contents: Sequence[Raw]) -> int:
        """What the user said last in these."""
        for raw in reversed(contents):
            content = usual.content(raw)
            if content.role == "user" and (said := [part.text for part in content.parts if part.text]):
                return words_of(said)
        return 0

    def _telling(self, state: str | None, contents: blank.Contents) -> Telling:
        if (known := self._tellings.get((state, contents))) is None:
            known = tell(state, contents)
            self._tellings.add((state, contents), known, known.weight)
        return known


def tell(state: str | None, contents: blank.Contents) -> Telling:
    """What is told by contents that go on from this state, or from nothing."""
    teller = Teller(state)
    for content in contents:
        teller.hear(content)
    return teller.telling()


def seam(around: blank.Contents) -> Key:
    """The last two of these, in what stands before each; and that something is gone."""
    teller = Teller(None)
    for content in around:
        teller.hear(content)
    return *teller.keys[-2:], ()


class Teller:
    """Hears contents, one after the other."""

    def __init__(self, state: str | None) -> None:
        self._state, self._new = state or "nothing", state is None
        self.keys: list[tuple[Any, int]] = []
        self._contents: list[blank.Content] = []
        self._looks: list[Look] = []
        self._pairs: list[tuple[Parts, Parts]] = []
        self._waits = False  # for answers to the content before

    def hear(self, content: blank.Content) -> None:
        seen, at = look(content), len(self._looks)
        before = self._looks[-1].form if self._waits else self._state
        if content.role == "model":
            if self._waits or seen.answers or (at and not self._new):  # of what comes later no reply is known
                raise Odd
            self._waits, self._state = seen.calls != (), "model"
        elif content.role != "user" or (not at and not self._new):  # the reply is left out
            raise Odd
        elif self._waits:
            self._answered(content, seen)
            self._waits, self._state = False, "answers"
        elif seen.named:
            raise Odd
        elif self._state != "answers":  # after responses it is still their turn
            self._state = "user"
        self.keys.append((before, seen.form))
        self._contents.append(content)
        self._looks.append(seen)

    def _answered(self, content: blank.Content, seen: Look) -> None:
        """Each call has its answer, in order and under its name."""
        calls = [call for part in self._contents[-1].parts if (call := part.function_call)]
        answers = [answer for part in content.parts if (answer := part.function_response)]
        if seen.calls or [call.name for call in calls] != [answer.name for answer in answers]:
            raise Odd
        if any(call.id for call in calls) or any(answer.id for answer in answers):
            at = len(self._looks)
            self._pairs.append(((at - 1, self._looks[-1].calls), (at, seen.answers)))

    def telling(self) -> Telling:
        if self._waits or not self._looks:
            raise Odd
        looks = list(enumerate(self._looks))
        user = [(n, seen) for n, seen in looks if self._contents[n].role == "user"]
        model = [(n, seen) for n, seen in looks if self._contents[n].role == "model"]
        called: dict[str, tuple[str, int, int]] = {}
        for n, seen in model:
            for m, (_, name, *_) in seen.named:
                called.setdefault(name, (name, n, m))
        keys, question = tuple(self.keys), max([n for n, seen in user if seen.texts], default=0)
        return Telling(
            shape=number((*keys, question, self._state)),
            state=self._state,
            weight=blank.weight(tuple(self._contents)),
            keys=keys,
            made=tuple([(n, m, form) for n, seen in model for m, form in seen.named]),
            question=question,
            asked=tuple([(n, seen.texts) for n, seen in user if seen.texts]),
            said=tuple([((n, seen.texts), (n, seen.calls[:1])) for n, seen in model if self._new]),
            pairs=tuple(self._pairs),
            answers=tuple([(n, m, form) for n, seen in user for m, form in seen.named]),
            signed=tuple([(n, m) for n, seen in looks for m in seen.signed]),
            called=tuple(called.values()),
            recites=not self._new and model != [],
            calls=not self._new and called != {},
        )


def _text(contents: list[Content], n: int, m: int) -> str:
    return contents[n].parts[m].text or ""


def _sign(contents: list[Content], texts: Parts, calls: Parts) -> int:
    ids = [call.id for m in calls[1] if (call := contents[calls[0]].parts[m].call)]
    return sign("".join([_text(contents, texts[0], m) for m in texts[1]]), ids)


def _compare(contents: list[Content], telling: Telling) -> None:
    """Answers have the ids of their calls, or none at all, and signatures are signatures."""
    for (n, calls), (k, answers) in telling.pairs:
        ids = [_call_id(contents[n].parts[m]) for m in calls]
        given = [_answer_id(contents[k].parts[m]) for m in answers]
        there = [one for one in ids if one]
        if ids != given or len(set(there)) != len(there):
            raise Odd
    for n, m in telling.signed:
        if contents[n].parts[m].signature in BYPASSES:
            raise Odd


def _gives(part: Part) -> Form:
    response = {} if part.answer is None else part.answer.response
    return response != {}, "output" in response, "error" in response


def _call_id(part: Part) -> str | None:
    return part.call.id if part.call is not None else None


def _answer_id(part: Part) -> str | None:
    return part.answer.id if part.answer is not None else None


def _called(before: tuple[Named, ...], telling: Telling, begin: int, toolbox: Toolbox) -> tuple[Named, ...]:
    """The functions called so far, which must all be declared."""
    names = {one.name for one in before}
    new = [Named(name, begin + n, ("parts", m)) for name, n, m in telling.called if name not in names]
    if not all([name in toolbox.names for name in names]) or not all([one.name in toolbox.names for one in new]):
        raise Odd
    return (*before, *new) if new else before


def _said(conversation: Conversation) -> list[Part]:
    """What the server said last."""
    if not isinstance(conversation.reply, KeptReply):
        raise Odd
    return conversation.reply.parts()
