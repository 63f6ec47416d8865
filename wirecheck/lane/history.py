"""The contents of a usual request, one after the other: how it stands after them, and the form of each.

What their shape tells is worked out once (Telling). What their words tell, and how a recital goes with what was said,
is looked at each time.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from wirecheck.lane import blank, shapes
from wirecheck.lane.blank import value
from wirecheck.lane.forms import Form, Look, look, names_of, number
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.recital import Outline, outline, recital
from wirecheck.lane.shapes import Values
from wirecheck.lane.shelf import KeptReply
from wirecheck.lane.signatures import bypassed, signatures
from wirecheck.lane.usual import Odd
from wirecheck.talk.conversation import Conversation, Trimmed
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import sign, words_of
from wirecheck.talk.toolbox import Toolbox

Place = tuple[int, int]  # a content and a part of it
Key = tuple[Any, ...]
WHOLE = -1  # the content and not one of its parts
NOTHING: Form = ()
MOST, BYTES = 1 << 17, 128  # contents and parts of which tellings are remembered; so many bytes weigh as one
Places = tuple[int, ...]  # among the values


class Telling(Struct, frozen=True, eq=False):
    """What the shape of contents tells that go on from a state."""

    number: int  # the same where rules see no difference
    state: str  # after them
    weight: int
    keys: tuple[tuple[Any, int], ...]  # what stood before each content, and its form
    named: tuple[tuple[int, int, blank.Place, Form], ...]  # the parts that name functions
    question: int  # the last content in which the user says something
    asked: tuple[Places, ...]  # what the user says
    said: tuple[tuple[Places, Places], ...]  # by the model, of which no reply is known; the id of its first call
    signed: Places
    called: tuple[tuple[blank.Place, int, int], ...]  # functions, and where they are called first
    recites: Outline | None  # the reply before
    calls: bool  # which calls


class Told(Struct):
    """What the contents of a request tell, their words included. `how` they recite the reply before."""

    telling: Telling
    values: Values
    how: Form
    asked: list[int]
    signs: list[int]
    called: tuple[Named, ...]

    @property
    def state(self) -> str:
        """What stands last."""
        return self.telling.state

    @property
    def recites(self) -> bool:
        """Whether calls of the reply before are recited."""
        return self.telling.calls

    @property
    def names(self) -> list[str]:
        """Of the functions."""
        return names_of(self.telling.named, self.values)


class Histories:
    """Reads contents. What shapes tell is remembered."""

    def __init__(self) -> None:
        self.tellings: Learnt[tuple[str | None, Any], Telling] = Learnt(MOST)
        self._seams: Learnt[bytes, Key] = Learnt(MOST)

    def telling(self, state: str | None, form: Any, spelled: Callable[[], bytes]) -> Telling:
        """What contents of this form tell, going on from a state or from nothing; `spelled` gives their shape. Raises
        Odd, or what parsing raises."""
        if (known := self.tellings.get((state, form))) is None:
            known = tell(state, blank.contents(shape := spelled()))
            self.tellings.add((state, form), known, known.weight + len(shape) // BYTES)
        return known

    def told(
        self,
        telling: Telling,
        values: Values,
        known: Conversation | None,
        trimmed: Trimmed | None,
        begin: int,
        toolbox: Toolbox,
    ) -> Told:
        """What these contents tell, which go on from what is known. Raises Odd, or what parsing raises."""
        asked = [words_of([values[place] for place in places]) for places in telling.asked]
        signs: list[int] = []
        if telling.said:
            signs = [sign("".join([values[p] for p in texts]), [values[p] for p in ids]) for texts, ids in telling.said]
        if telling.signed and bypassed([values[place] for place in telling.signed]):
            raise Odd
        how = NOTHING
        if telling.recites is not None and known is not None:
            reply = _reply(known)
            how = recital(*reply.told(), telling.recites, values)
        called = () if known is None else known.called
        if trimmed is not None:
            called = trimmed.still(called)
        if called or telling.called:
            called = _called(called, telling, values, begin, toolbox)
        return Told(telling, values, how, asked, signs, called)

    def seam(self, contents: Sequence[bytes], head: int) -> Key:
        """What the content after the gap follows now, and what follows that. All the others follow what they did."""
        shape, _ = read_contents(contents[: head + 2])
        if (known := self._seams.get(shape)) is None:
            around = blank.contents(shape)
            known = self._seams.add(shape, seam(around), blank.weight(around) + len(shape) // BYTES)
        return known

    @staticmethod
    def words(contents: Sequence[bytes]) -> int:
        """What the user said last in these."""
        for raw in reversed(contents):
            shape, values = read_contents([raw])
            (content,) = blank.contents(shape)
            if content.role == "user" and (
                texts := [values[part.text] for part in content.parts if isinstance(part.text, int)]
            ):
                return words_of(texts)
        return 0


def read_contents(contents: Sequence[bytes]) -> shapes.Form:
    read = shapes.contents.read(b"[%b]" % b",".join(contents))
    if read is None:
        raise Odd
    return read[:2]


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
        """Each call has its answer, in order and under its name, and with its id, or none has one at all."""
        calls = [call for part in self._contents[-1].parts if (call := part.function_call)]
        answers = [answer for part in content.parts if (answer := part.function_response)]
        if seen.calls or [call.name for call in calls] != [answer.name for answer in answers]:
            raise Odd
        ids = [call.id for call in calls]
        there = [one for one in ids if isinstance(one, int)]
        if ids != [answer.id for answer in answers] or len(set(there)) != len(there):
            raise Odd

    def telling(self) -> Telling:
        if self._waits or not self._looks:
            raise Odd
        new, question = self._new, 0  # what goes on begins with the reply
        named: list[tuple[int, int, blank.Place, Form]] = []
        called: dict[blank.Place, tuple[blank.Place, int, int]] = {}
        asked: list[Places] = []
        said: list[tuple[Places, Places]] = []
        signed: list[int] = []
        for n, (content, seen) in enumerate(zip(self._contents, self._looks, strict=True)):
            signed += signatures(content, seen.signed)
            named += [(n, *one) for one in seen.named]
            if content.role == "model":
                for m, name, _ in seen.named:
                    called.setdefault(name, (name, n, m))
                if new:  # of what goes on the reply is known
                    said.append((_texts(content, seen), _first_id(content, seen)))
            elif seen.texts:
                asked.append(_texts(content, seen))
                question = n
        keys = tuple(self.keys)
        return Telling(
            number=number(("told", keys, question, self._state, *[(n, m, form) for n, m, _, form in named])),
            state=self._state,
            weight=blank.weight(tuple(self._contents)),
            keys=keys,
            named=tuple(named),
            question=question,
            asked=tuple(asked),
            said=tuple(said),
            signed=tuple(signed),
            called=tuple(called.values()),
            recites=None if new else outline([(self._contents[0], 0)]),
            calls=not new and called != {},
        )


def _texts(content: blank.Content, seen: Look) -> Places:
    return tuple([place for m in seen.texts if isinstance(place := content.parts[m].text, int)])


def _first_id(content: blank.Content, seen: Look) -> Places:
    """Of its first call, where that has one."""
    first = [content.parts[m].function_call for m in seen.calls[:1]]
    return tuple([call.id for call in first if call is not None and isinstance(call.id, int)])


def _called(
    before: tuple[Named, ...], telling: Telling, values: Values, begin: int, toolbox: Toolbox
) -> tuple[Named, ...]:
    """The functions called so far, which must all be declared."""
    names = {one.name for one in before}
    called = [(str(value(name, values)), n, m) for name, n, m in telling.called]
    new = [Named(name, begin + n, ("parts", m)) for name, n, m in called if name not in names]
    if not all([name in toolbox.names for name in names]) or not all([one.name in toolbox.names for one in new]):
        raise Odd
    return (*before, *new) if new else before


def _reply(conversation: Conversation) -> KeptReply:
    """What the server said last."""
    if not isinstance(conversation.reply, KeptReply):
        raise Odd
    return conversation.reply
