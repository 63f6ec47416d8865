"""The contents of a usual request: what the shape of each shows, and what they tell, one after the other.

What a shape shows is worked out once. How contents follow one another, what their words are, and how a recital goes
with what was said, is looked at each time (said.c).
"""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from wirecheck.lane import blank, native, shapes
from wirecheck.lane.forms import look
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.recital import outlined
from wirecheck.lane.shapes import Form
from wirecheck.lane.shelf import KeptReply
from wirecheck.lane.signatures import signatures
from wirecheck.lane.usual import UNUSUAL, Odd
from wirecheck.talk.conversation import Conversation, Trimmed
from wirecheck.talk.offer import Named
from wirecheck.talk.toolbox import Toolbox

Place = tuple[int, int]  # a content and a part of it
Key = tuple[int, int, int, int]  # what tells a piece from others: its kind, and three numbers more
Piece = tuple[int, int, Key, str | None]  # a content and a part of it, and the function that it names
WHOLE = -1  # the content and not one of its parts
Seam = tuple[Key, Key, Key]  # the content after the gap, the next one, and that something is gone
MOST, BYTES = 1 << 14, 128  # contents of which it is remembered what they show; so many bytes weigh as one


class Told(Struct):
    """What the contents of a request tell: `state` is what stands last then, `recites` whether calls of the reply
    before are recited, `asked` and `signs` what their user and the model say, as numbers."""

    state: str
    recites: bool
    asked: list[int]
    signs: list[int]
    called: tuple[Named, ...]
    pieces: list[Piece]


class Contents:
    """What contents show is remembered by the numbers of their shapes; None of what is odd."""

    def __init__(self) -> None:
        self.shown: Learnt[int, native.Content | None] = Learnt(MOST)

    def show(self, number: int, written: bytes) -> native.Content | None:
        """What a content of this shape shows."""
        if number in self.shown.known:
            return self.shown.known[number]
        shape = shapes.shape(shapes.content, written)
        try:
            one = _shown(blank.content(shape))
        except UNUSUAL:
            one = None
        return self.shown.add(number, one, 1 + len(shape) // BYTES)

    def told(
        self,
        direct: native.Direct,
        contents: Sequence[Form],
        written: Sequence[bytes],
        first: int,
        known: Conversation | None,
        trimmed: Trimmed | None,
        begin: int,
        toolbox: Toolbox,
    ) -> Told:
        """What these contents tell from one on, which go on from what is known. Raises Odd."""
        state, reply = (None, None) if known is None else (known.state, known.reply)
        told = direct.tell(contents, written, first, state, reply if isinstance(reply, KeptReply) else None)
        if told is None:
            raise Odd
        stands, recites, asked, signs, calls, pieces = told
        called = () if known is None else known.called
        if trimmed is not None:
            called = trimmed.still(called)
        if called or calls:
            called = _called(called, calls, begin, toolbox)
        return Told(stands, recites, asked, signs, called, pieces)


def _shown(content: blank.Content) -> native.Content:
    """Raises Odd."""
    seen, role = look(content), content.role
    if role not in ("user", "model"):
        raise Odd
    parts = content.parts
    calls = [(call.name, call.id) for m in seen.calls if (call := parts[m].function_call) is not None]
    answers = [(answer.name, answer.id) for m in seen.answers if (answer := parts[m].function_response) is not None]
    outline = None
    if role == "model":
        with suppress(Odd):  # there is more than words and calls
            outline = outlined([(content, 0)])
    return native.Content(
        role,
        seen.form,
        tuple([parts[m].text for m in seen.texts]),
        tuple(calls),
        tuple(answers),
        tuple(signatures(content, seen.signed)),
        tuple([(0, *named) for named in seen.named]),
        outline,
    )


def _called(
    before: tuple[Named, ...], calls: list[tuple[str, int, int]], begin: int, toolbox: Toolbox
) -> tuple[Named, ...]:
    """The functions called so far, which must all be declared."""
    names, new = {one.name for one in before}, list[Named]()
    for name, n, m in calls:
        if name not in names:
            names.add(name)
            new.append(Named(name, begin + n, ("parts", m)))
    if not all([name in toolbox.names for name in names]):
        raise Odd
    return (*before, *new) if new else before
