"""The form of what is usual: everything of it but the wording.

Two contents of one form are the same to every rule: they have the same role, the same kinds of parts in the same order,
and name functions in the same way; ids, signatures and arguments are there or are not. How answers go with their calls,
and what is recited with what the server said, is compared here and is part of the form.
"""

from typing import Any

from msgspec import UNSET

from wirecheck.lane.usual import Answer, Call, Chunk, Content, Part
from wirecheck.talk.piece import BYPASSES

Form = tuple[Any, ...]
Piece = tuple[Any, ...]
NAMED = frozenset(("output", "error"))  # the keys of a response that rules know by name
# The forms of one plain text, which most contents are.
PLAIN: dict[tuple[str | None, bool], Form] = {
    (role, full): (role, ("text", full)) for role in ("user", "model", None) for full in (True, False)
}

TEXTS = frozenset(PLAIN.values())


class Odd(Exception):
    """It is not as usual after all."""


def is_plain(part: Part) -> bool:
    """Whether a part is a text and nothing else."""
    return (
        part.text is not None
        and part.call is None
        and part.answer is None
        and part.blob is None
        and not part.signature
        and not part.thought
    )


def form_of(content: Content) -> Form:
    """The form of a content. Functions are told apart, not named."""
    parts, role = content.parts, content.role
    if len(parts) == 1 and is_plain(parts[0]):
        return PLAIN.get((role, parts[0].text != "")) or (role, ("text", parts[0].text != ""))
    names: dict[str, int] = {}
    return (role, *[part_form(part, names) for part in parts])


def part_form(part: Part, names: dict[str, int]) -> Form:
    text, call, answer, blob = part.text, part.call, part.answer, part.blob
    if (text is not None) + (call is not None) + (answer is not None) + (blob is not None) != 1:
        raise Odd
    if part.signature in BYPASSES:
        raise Odd
    if text is not None:
        kind: Form = ("text", text != "")
    elif call is not None:
        kind = ("call", names.setdefault(call.name, len(names)), call.id is None, call.args is UNSET)
    elif answer is not None:
        keys = answer.response.keys() & NAMED
        kind = ("answer", names.setdefault(answer.name, len(names)), answer.id is None, answer.response != {}, *keys)
    else:
        kind = ("blob", blob.mime, blob.data != b"")  # type: ignore[union-attr]
    return (*kind, part.thought, part.signature != b"") if part.thought or part.signature else kind


def named(content: Content) -> Form:
    """The parts of a content that name functions, with their names."""
    return tuple(
        [
            (n, (half.name, *part_form(part, {})))
            for n, part in enumerate(content.parts)
            if (half := part.call or part.answer) is not None
        ]
    )


def calls_of(content: Content) -> list[Call]:
    return [part.call for part in content.parts if part.call is not None]


def answers_of(content: Content) -> list[Answer]:
    return [part.answer for part in content.parts if part.answer is not None]


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


def say(said: list[Piece], part: Part) -> None:
    """What a part says, after what was said before: texts that follow one another are one, thoughts are left out."""
    if part.thought:
        return
    if part.call is not None:
        said.append(("call", part.call.name, part.call.args or None, part.call.id, part.signature))
    elif part.text is None:
        raise Odd
    elif said and said[-1][0] == "text" and not said[-1][2]:
        said[-1] = ("text", said[-1][1] + part.text, part.signature)
    else:
        said.append(("text", part.text, part.signature))


def recital(reply: Any, content: Content) -> Form:
    """How what is recited goes with what was said: word for word, or with ids that the client added."""
    recited: list[Piece] = []
    for part in content.parts:
        say(recited, part)
    said, thought = reply.said()
    if said == recited:
        return ("same", *thought)
    if len(said) == len(recited) and all(map(_names, said, recited)):
        return ("named", *thought)
    raise Odd


def _names(said: Piece, recited: Piece) -> bool:
    """Whether a call is recited as it was made, but for an id that it did not have."""
    return said == recited or (said[0] == "call" and said[3] is None and said == (*recited[:3], None, recited[4]))


def reply_form(chunks: list[Chunk]) -> Form:
    """The form of a reply, chunks that follow one another in one form as one."""
    usage = chunks[-1].usage_metadata
    adds_up = usage is not None and usage.adds_up
    if len(chunks) == 1:
        return adds_up, _chunk_form(chunks[0])
    forms: list[Form] = []
    for chunk in chunks:
        form = _chunk_form(chunk)
        if len(forms) < 2 or forms[-1] != form or forms[-2] != form:
            forms.append(form)
    return adds_up, _one_id(chunks), *forms


def _one_id(chunks: list[Chunk]) -> bool:
    """Whether the chunks say they are of one reply."""
    return len({chunk.response_id for chunk in chunks if chunk.response_id}) < 2


def _chunk_form(chunk: Chunk) -> Form:
    candidate = chunk.candidates[0]
    content = candidate.content
    return (
        None if content is None else form_of(content),
        candidate.finish,
        candidate.index,
        (candidate.message != "")
        + 2 * (candidate.safety != [])
        + 4 * (chunk.response_id != "")
        + 8 * (chunk.model_version != "")
        + 16 * (chunk.usage_metadata is not None),
    )
