"""Function calls whose arguments are streamed, put together from their pieces.

A first piece names the function, nameless ones bring values for places in its arguments, and the call is whole with a
piece that does not say `willContinue`. Nothing here judges what is written.
"""

import re
from itertools import pairwise
from typing import Any

from wirecheck.dialects.content import read_part
from wirecheck.dialects.messages import Call, Content, Part
from wirecheck.dialects.vocabulary.field_names import get, keys_of

_PIECES = frozenset(("partialArgs", "willContinue"))
_STEP = r"\.([^.\[\]]+)|\[(\d{1,4})\]|\['([^']*)'\]"
_VALUES = ("numberValue", "boolValue")  # and stringValue; what has none of them is null
_DEEPEST, _LONGEST = 32, 1000  # of what is put together: places deeper or farther are left out


class StreamedArguments:
    """The calls of one candidate. `waiting` names the one whose end has not come."""

    def __init__(self) -> None:
        self._part: Part | None = None
        self._args: dict[str, Any] = {}

    @property
    def waiting(self) -> str | None:
        call = self._part.call if self._part is not None else None
        return None if call is None else call.name or ""

    def whole(self, content: Content) -> Content:
        """The content with the calls that are whole now in place of their pieces."""
        if not content.calls or (self._part is None and not any(map(is_piece, content.calls))):
            return content
        parts = tuple(each for part in content.parts if (each := self._add(part)) is not None)
        return content.replace(parts=parts, calls=tuple(part.call for part in parts if part.call is not None))

    def _add(self, part: Part) -> Part | None:
        """The part, or the whole call it completes; None for a piece after which more is to come."""
        if part.call is None:
            return part
        if self._part is None or part.call.name:
            self._part, self._args = part, dict(part.call.args) if type(part.call.args) is dict else {}
        for piece in _pieces(part.call):
            _put(self._args, piece)
        if _goes_on(part.call):
            return None
        first, self._part = self._part, None
        return _assembled(first, self._args)


def whole(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Calls recited as they were streamed, without the nameless pieces, which belong to the call before them."""
    if not any(map(is_piece, calls)):
        return calls
    return tuple([call for call in calls if call.name or not _PIECES.issuperset(call.keys)])


def is_piece(call: Call) -> bool:
    """A call of which more may come, or some came before."""
    return not _PIECES.isdisjoint(call.keys)


def _goes_on(call: Call) -> bool:
    return type(call.value) is dict and get(call.value, "willContinue") is True


def _pieces(call: Call) -> list[dict[str, Any]]:
    pieces = get(call.value, "partialArgs") if type(call.value) is dict else None
    return [each for each in pieces if type(each) is dict] if type(pieces) is list else []


def _assembled(first: Part, args: dict[str, Any]) -> Part:
    """The part as it would have come without streaming."""
    assert first.call is not None
    call = {"id": first.call.id, "name": first.call.name, "args": args}
    beside = {key: value for key, value in first.value.items() if "functionCall" not in keys_of({key: value})}
    whole = {"functionCall": {key: value for key, value in call.items() if value is not None}}
    return read_part({**whole, **beside}, first.spot)


def _put(args: dict[str, Any], piece: dict[str, Any]) -> None:
    """One value at its place; a text goes on where one stands already."""
    path, text = get(piece, "jsonPath"), get(piece, "stringValue")
    steps = [int(n) if n else key or quoted for key, n, quoted in re.findall(_STEP, path)] if type(path) is str else []
    if not 0 < len(steps) <= _DEEPEST:
        return
    value = text if text is not None else next((piece[key] for key in _VALUES if key in piece), None)
    holder: Any = args
    for step, then in pairwise(steps):
        holder = _into(holder, step, [] if type(then) is int else {})
    before = _look(holder, steps[-1])
    _set(holder, steps[-1], before + value if type(before) is str and type(value) is str else value)


def _into(holder: Any, step: Any, fresh: Any) -> Any:
    if _look(holder, step) is None:
        _set(holder, step, fresh)
    return _look(holder, step)


def _look(holder: Any, step: Any) -> Any:
    if type(holder) is dict:
        return holder.get(step)
    return holder[step] if type(holder) is list and type(step) is int and step < len(holder) else None


def _set(holder: Any, step: Any, value: Any) -> None:
    if type(holder) is dict and type(step) is str:
        holder[step] = value
    elif type(holder) is list and type(step) is int and step < _LONGEST:
        holder.extend([None] * (step + 1 - len(holder)))
        holder[step] = value
