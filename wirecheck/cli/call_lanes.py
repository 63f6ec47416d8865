"""Draws the calls of a Live session as vertical lines, from the call to its answer or cancellation."""

from collections.abc import Iterable, Sequence

from wirecheck.sketch import SketchLine

END = "(end)"  # the key of the line for the close
MOST = 6  # calls drawn at a time


class CallLanes:
    """The open calls, each in a column of its own."""

    def __init__(self) -> None:
        self._open: list[str | None] = []

    def draw(self, piece: SketchLine) -> str:
        """The columns before a line: `╭` where it opens a call, `╰` where it settles one, `│` while one is open."""
        if piece.key == END:  # calls end with their connection
            drawn = "".join("╵" if key else " " for key in self._open).rstrip()
            self._open.clear()
            return drawn
        key = piece.key if piece.kind in ("call", "answer") else ""
        if piece.kind == "call" and key and key not in self._open:
            return self._with(self._place(key), "╭")
        if piece.kind == "answer" and key in self._open:
            column = self._open.index(key)
            drawn = self._with(column, "╰")
            self._open[column] = None
            return drawn
        return self._with(None, "")

    def _place(self, key: str) -> int | None:
        if None not in self._open and len(self._open) < MOST:
            self._open.append(None)
        column = self._open.index(None) if None in self._open else None
        if column is not None:
            self._open[column] = key
        return column

    def _with(self, column: int | None, mark: str) -> str:
        columns = (mark if n == column else "│" if key else " " for n, key in enumerate(self._open))
        return "".join(columns).rstrip()


def laned(turns: Iterable[Sequence[SketchLine]]) -> list[list[str]]:
    """The columns before each line of each turn, all equally wide; "" where there are no calls."""
    lanes = CallLanes()
    drawn = [[lanes.draw(piece) for piece in pieces] for pieces in turns]
    width = max((len(lane) for lines in drawn for lane in lines), default=0)
    return [[f"{lane:<{width}} " if width else "" for lane in lines] for lines in drawn]
