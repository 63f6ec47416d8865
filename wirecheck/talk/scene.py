"""The turns around a place as short lines, for the excerpt of a finding."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Content

_BEFORE, _AFTER, _MOST = 2, 2, 9
_LINES = 6  # of one turn
MOST_SHOWN = 64  # frames or messages of a session


class SceneLine(Struct, frozen=True):
    """A short line for one part of a turn, or (`more`) for this part and all after it."""

    turn: int
    role: str
    text: str
    part: int = 0
    more: bool = False

    def holds(self, turn: int, part: int | None) -> bool:
        """Whether the line shows this part of a turn; without a part, any of the turn."""
        return self.turn == turn and (part is None or part == self.part or (self.more and part > self.part))


class RequestScene:
    """The turns of the current request, decoded only when an excerpt is needed.

    Its contents are `first` to `length`. Those before are kept by the server; `told` has lines for the last of them.
    """

    def __init__(
        self, length: int, read: Callable[[int], Content], first: int = 0, told: tuple[SceneLine, ...] = ()
    ) -> None:
        self._length, self._read, self._first = length, read, first
        self.reply: Any = None  # the reply so far
        self._told: dict[int, list[SceneLine]] = {}
        for line in told:
            self._told.setdefault(line.turn, []).append(line)

    def around(self, turns: list[int]) -> list[SceneLine]:
        return [line for n in chosen(turns, self._length + (self.reply is not None)) for line in self._turn(n)]

    def last(self) -> list[SceneLine]:
        """The last turn of the request, for later requests."""
        return self._turn(self._length - 1) if self._length else []

    def _turn(self, n: int) -> list[SceneLine]:
        """The lines of a turn. Cached, but for the reply, which grows."""
        if n == self._length:
            return self._show(n)
        if n not in self._told:
            self._told[n] = self._show(n) if n >= self._first else []
        return self._told[n]

    def _show(self, n: int) -> list[SceneLine]:
        if n == self._length:
            return shown(n, "reply", self.reply)
        try:
            content = self._read(n)
        except (ValueError, RecursionError):  # content that is not JSON was reported where it was first read
            return [SceneLine(n, "?", "(cannot be read)")]
        return shown(n, role_of(content.role), content.value)


class SessionScene:
    """The last frames or messages of a session; audio is not kept."""

    def __init__(self, most: int = MOST_SHOWN) -> None:
        self._values: OrderedDict[int, tuple[str, Callable[[], Any]]] = OrderedDict()
        self._told: dict[int, list[SceneLine]] = {}
        self._most = most
        self.count = 0  # of a Live session's frames, over all its connections

    @property
    def shows_last(self) -> bool:
        """Whether excerpts show the frame that came last."""
        return self.count - 1 in self._values

    def add(self, turn: int, role: str, value: Callable[[], Any]) -> None:
        """What a turn says is read when somebody looks."""
        self._values[turn] = role, value
        if len(self._values) > self._most:
            self._told.pop(self._values.popitem(last=False)[0], None)

    def around(self, turns: list[int]) -> list[SceneLine]:
        order = list(self._values)
        wanted = [order.index(turn) for turn in turns if turn in self._values]
        return [line for n in chosen(wanted, len(order)) for line in self._turn(order[n])]

    def _turn(self, turn: int) -> list[SceneLine]:
        """The lines of a turn, cached."""
        if turn not in self._told:
            role, value = self._values[turn]
            self._told[turn] = shown(turn, role, value())
        return self._told[turn]


def chosen(turns: list[int], length: int) -> list[int]:
    """Selects the given turns and their neighbours, a limited number of them, in order."""
    wanted = [turn for turn in turns if 0 <= turn < length]
    near = {n for turn in wanted for n in range(turn - _BEFORE, turn + _AFTER + 1) if 0 <= n < length}
    by_nearness = sorted(near, key=lambda n: min(abs(n - turn) for turn in wanted))
    return sorted(by_nearness[: max(_MOST, len(set(wanted)))][:40])


def role_of(role: Any) -> str:
    return role if type(role) is str and role else "(no role)"


def shown(turn: int, role: str, value: Any) -> list[SceneLine]:
    from wirecheck.sketch import sketch_frame  # imported late: most logs have no findings

    texts = [piece.text for piece in sketch_frame(value)] or ["(nothing)"]
    if len(texts) <= _LINES:
        return [SceneLine(turn, role, text, part) for part, text in enumerate(texts)]
    lines = [SceneLine(turn, role, text, part) for part, text in enumerate(texts[: _LINES - 1])]
    return [*lines, SceneLine(turn, role, f"(and {len(texts) - len(lines)} more)", len(lines), more=True)]
