"""The form of what is usual: everything of it but the wording.

Two contents of one form are the same to every rule: they have the same role, the same kinds of parts in the same order
(of several alike in a row, how many is not told), ids and signatures are there or are not. What a part names and gives
is a form by itself. How answers go with their calls, and what is recited with what the server said, is compared here
and is part of the form. Forms are numbers, which cost little to look up.
"""

from typing import Any

from msgspec import UNSET, Struct

from wirecheck.lane.usual import Answer, Call, Candidate, Chunk, Content, Part
from wirecheck.talk.piece import BYPASSES

Form = tuple[Any, ...]
Piece = tuple[Any, ...]
Code = Any  # of a part: what it holds, and whether it is thought or signed
MOST = 65_536  # forms
TEXT, EMPTY, CALL, ANSWER = range(4)
# The forms of one plain text, which most contents are.
PLAIN = {role: (2 * n, 2 * n + 1) for n, role in enumerate(("user", "model", None, "system"))}
TEXTS = 2 * len(PLAIN)  # the forms below are those

_numbers: dict[Form, int] = {("text", n): n for n in range(TEXTS)}


class Odd(Exception):
    """It is not as usual after all."""


class Look(Struct, gc=False):
    """What a look at a content shows: its form, and what there is to be compared. `texts` are not empty."""

    form: int
    texts: list[str]
    calls: list[Call]
    answers: list[Answer]
    named: list[tuple[int, Form]]  # the parts that name functions


def number(form: Form) -> int:
    known = _numbers.get(form)
    if known is None:
        if len(_numbers) > MOST:
            raise Odd
        known = _numbers[form] = len(_numbers)
    return known


def look(content: Content) -> Look:
    parts, role = content.parts, content.role
    if role not in PLAIN:
        raise Odd
    if len(parts) == 1 and (text := parts[0].text) is not None and _code(parts[0]) in (TEXT, EMPTY):
        return Look(PLAIN[role][text == ""], [text] if text else [], [], [], [])
    seen, last = Look(0, [], [], [], []), None
    codes: list[Code] = [role]
    for n, part in enumerate(parts):
        code = _code(part)
        if code != last:
            codes.append(code)
            last = code
        if part.text:
            if not part.thought:
                seen.texts.append(part.text)
            elif role == "user":
                raise Odd
        elif (call := part.call) is not None:
            seen.calls.append(call)
            seen.named.append((n, (role, call.name, code, call.id is None, call.args is UNSET)))
        elif (answer := part.answer) is not None:
            response = answer.response
            keys = (response != {}, "output" in response, "error" in response)
            seen.answers.append(answer)
            seen.named.append((n, (role, answer.name, code, answer.id is None, *keys)))
    if seen.named:
        codes.append(_told_apart(seen.calls or seen.answers))
    seen.form = number(tuple(codes))
    return seen


def _code(part: Part) -> Code:
    """What a part holds, which must be one thing, and its marks."""
    call, answer, blob = part.call, part.answer, part.blob
    if part.text is not None:
        if call is not None or answer is not None or blob is not None:
            raise Odd
        code: Code = TEXT if part.text else EMPTY
    elif call is not None:
        if answer is not None or blob is not None:
            raise Odd
        code = CALL
    elif answer is not None:
        if blob is not None:
            raise Odd
        code = ANSWER
    elif blob is not None:
        code = blob.mime, blob.data != b""
    else:
        raise Odd
    if part.signature or part.thought:
        if part.signature in BYPASSES:
            raise Odd
        return code, part.thought, part.signature != b""
    return code


def _told_apart(several: list[Call] | list[Answer]) -> Form:
    """How those can be told from each other: whether there are several, by ids, or else by their names."""
    if len(several) == 1:
        return (several[0].id is not None,)
    nameless = [one.name for one in several if one.id is None]
    return len(several) - len(nameless) > 0, nameless != [], len(set(nameless)) < len(nameless)


def answered(calls: list[Call], answers: list[Answer]) -> bool:
    """Whether each call has its answer, in order, under its name and with its id or none at all."""
    if len(calls) != len(answers):
        return False
    if len(calls) > 1:
        ids = [call.id for call in calls if call.id]
        if len(set(ids)) != len(ids):
            return False
    for call, answer in zip(calls, answers, strict=True):
        if call.name != answer.name or call.id != answer.id:
            return False
    return True


def recital(said: list[Part], content: Content) -> Form:
    """How what is recited goes with what was said: word for word, or with ids that the client added. Thoughts are
    seldom recited; of those that were said it tells whether they were signed."""
    thoughts = sorted({part.signature != b"" for part in said if part.thought})
    if said == content.parts:
        return ("same", *thoughts)
    mine, theirs = _pieces(said), _pieces(content.parts)
    if mine == theirs:
        return ("same", *thoughts)
    if len(mine) == len(theirs) and all(map(_names, mine, theirs)):
        return ("named", *thoughts)
    raise Odd


def _pieces(parts: list[Part]) -> list[Piece]:
    """What parts say: texts that follow one another are one, thoughts are left out."""
    said: list[Piece] = []
    for part in parts:
        if part.thought:
            continue
        if (call := part.call) is not None:
            said.append(("call", call.name, call.args or None, call.id, part.signature))
        elif part.text is None:
            raise Odd
        elif said and said[-1][0] == "text" and not said[-1][2]:
            said[-1] = ("text", said[-1][1] + part.text, part.signature)
        else:
            said.append(("text", part.text, part.signature))
    return said


def _names(said: Piece, recited: Piece) -> bool:
    """Whether a call is recited as it was made, but for an id that it did not have."""
    return said == recited or (said[0] == "call" and said[3] is None and said == (*recited[:3], None, recited[4]))


def reply_form(chunks: list[Chunk], looks: list[Look | None]) -> int:
    """The form of a reply. Chunks of one form that follow one another, and do not end it, are as one."""
    usage = [chunk.usage_metadata for chunk in chunks if chunk.usage_metadata is not None]
    adds_up = usage != [] and usage[-1].adds_up
    if len(chunks) == 1:
        return number((adds_up, _chunk_form(chunks[0], looks[0])))
    forms: list[int] = []
    for chunk, seen in zip(chunks, looks, strict=True):
        form = _chunk_form(chunk, seen)
        if not forms or forms[-1] != form or chunk.candidates[0].finish:
            forms.append(form)
    calling = sum([seen is not None and seen.calls != [] for seen in looks])
    return number((adds_up, _one_id(chunks), min(calling, 2), *forms))


def _one_id(chunks: list[Chunk]) -> bool:
    """Whether the chunks say they are of one reply."""
    return len({chunk.response_id for chunk in chunks if chunk.response_id}) < 2


def _chunk_form(chunk: Chunk, seen: Look | None) -> int:
    candidate: Candidate = chunk.candidates[0]
    return number(
        (
            "chunk",
            None if seen is None else seen.form,
            candidate.finish,
            (candidate.message != "")
            + 2 * (candidate.safety != [])
            + 4 * (chunk.response_id != "")
            + 8 * (chunk.model_version != "")
            + 16 * (chunk.usage_metadata is not None),
        )
    )
