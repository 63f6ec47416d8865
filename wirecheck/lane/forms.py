"""The form of what is usual: everything of it but the wording.

Two contents of one form are the same to every rule: they have the same role, the same kinds of parts in the same order
(of several alike in a row, how many is not told), ids and signatures are there or are not. What a part names and gives
is a form by itself. Forms are numbers, which cost little to look up.
"""

from itertools import count
from typing import Any

from msgspec import UNSET, Struct

from wirecheck.lane.blank import Answer, Call, Candidate, Chunk, Content, Part, Place
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.shapes import Values
from wirecheck.lane.usual import Odd

Form = tuple[Any, ...]
Code = Any  # of a part: what it holds, and whether it is thought or signed
MOST = 1 << 17  # pieces of forms that are remembered
TEXT, EMPTY, CALL, ANSWER = range(4)
ROLES = frozenset(("user", "model", None, "system"))

_numbers: Learnt[Form, int] = Learnt(MOST)
_count = count()  # a form that was forgotten gets a new number


class Look(Struct, frozen=True, gc=False):
    """What a look at a content shows: its form, and which parts say something, call, answer, and are signed."""

    form: int
    texts: tuple[int, ...]
    calls: tuple[int, ...]
    answers: tuple[int, ...]
    signed: tuple[int, ...]
    named: tuple[
        tuple[int, Place, int], ...
    ]  # the parts that name functions: which, the name, and the form of the rest


def names_of(named: tuple[tuple[int, int, Place, int], ...], values: Values) -> list[str]:
    """The names in these parts."""
    return [values[name] if isinstance(name, int) else "" for _, _, name, _ in named]


def number(form: Form) -> int:
    known = _numbers.get(form)
    if known is None:
        known = _numbers.add(form, next(_count), len(form))
    return known


def look(content: Content) -> Look:
    """One pass, for there are many: each part holds one thing."""
    role = content.role
    if role not in ROLES:
        raise Odd
    codes: list[Code] = [role]
    last: Code = role
    texts: list[int] = []
    signed: list[int] = []
    named: list[tuple[int, Place, int]] = []
    calls: dict[int, Call | Answer] = {}
    answers: dict[int, Call | Answer] = {}
    for n, part in enumerate(content.parts):
        if (code := _code(part)) is TEXT and not part.thought:
            texts.append(n)
        if (is_signed := part.thought_signature != "") or part.thought:
            if code is TEXT and part.thought and role == "user":
                raise Odd
            code = code, part.thought, is_signed
            if is_signed:
                signed.append(n)
        if code != last:
            codes.append(code)
            last = code
        if (call := part.function_call) is not None:
            calls[n] = call
            named.append((n, call.name, number((role, code, call.id is None, call.args is UNSET))))
        elif (answer := part.function_response) is not None:
            answers[n] = answer
            named.append((n, answer.name, number((role, code, answer.id is None, *answer.gives))))
    if named:
        codes.append(_told_apart([*(calls or answers).values()]))
    form = number(tuple(codes))
    return Look(form, tuple(texts), tuple(calls), tuple(answers), tuple(signed), tuple(named))


def _code(part: Part) -> Code:
    """What a part holds, which must be one thing, its marks left out."""
    text, blob = part.text, part.inline_data
    others = (part.function_call is not None) + (part.function_response is not None) + (blob is not None)
    if text is not None:
        if others:
            raise Odd
        return EMPTY if text == "" else TEXT
    if others != 1:
        raise Odd
    if blob is not None:
        return blob.mime_type, blob.data != ""
    return CALL if part.function_call is not None else ANSWER


def _told_apart(several: list[Call | Answer]) -> Form:
    """How those can be told from each other: whether there are several, by ids, or else by their names."""
    if len(several) == 1:
        return (several[0].id is not None,)
    nameless = [one.name for one in several if one.id is None]
    return len(several) - len(nameless) > 0, nameless != [], len(set(nameless)) < len(nameless)


def reply_form(chunks: tuple[Chunk, ...], looks: list[Look | None]) -> int:
    """The form of a reply. Chunks of one form that follow one another, and do not end it, are as one."""
    forms: list[int] = []
    for chunk, seen in zip(chunks, looks, strict=True):
        form = _chunk_form(chunk, seen)
        if not forms or forms[-1] != form or chunk.candidates[0].finish_reason:
            forms.append(form)
    calling = sum([seen is not None and seen.calls != () for seen in looks])
    return number((min(calling, 2), *forms) if len(chunks) > 1 else ("one", *forms))


def _chunk_form(chunk: Chunk, seen: Look | None) -> int:
    candidate: Candidate = chunk.candidates[0]
    message, safety = candidate.finish_message != "", candidate.safety_ratings != ()
    told = chunk.response_id != "", chunk.model_version != "", chunk.usage_metadata is not None
    return number(("chunk", None if seen is None else seen.form, candidate.finish_reason, message, safety, *told))
