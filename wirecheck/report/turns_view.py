"""Shows conversations turn by turn, with findings below their turns."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from wirecheck.finding import Finding
from wirecheck.report.full import INDENT, gutter
from wirecheck.report.screen import Screen, cells, clean, wrap
from wirecheck.sketch import SketchLine

STYLES = {"thought": "dim", "media": "dim", "other": "dim"}
ROLE = 9
LINES = " ╭╰│╵"  # the characters of the columns for calls


class TurnView(Struct, frozen=True):
    """One turn of a speaker, first seen in line `line` of the log. In Live it may take many frames: `first` to `last`.

    `when` it began, counted from the beginning of a Live session; "" where the log has no times.
    """

    line: int
    first: int | None
    last: int | None
    role: str
    pieces: tuple[SketchLine, ...]
    when: str = ""


class ConversationView(Struct, frozen=True):
    """A conversation. `about` is its heading: model, surface, where it begins."""

    name: str
    about: tuple[str, ...]
    turns: tuple[TurnView, ...]


def render(conversation: ConversationView, findings: Sequence[Finding], screen: Screen) -> Iterator[str]:
    heading = " · ".join(clean(part) for part in (conversation.name, *conversation.about))
    yield from (screen.paint(line, "bold") for line in wrap(heading, screen.width))
    under = _placed(conversation, findings)
    clock = max((len(turn.when) for turn in conversation.turns), default=0)
    for index, turn in enumerate(conversation.turns):
        yield from _turn(turn, clock, screen)
        for finding in under.pop(index, []):
            yield from verdict(finding, screen)
    for finding in under.pop(-1, []):
        yield from verdict(finding, screen)


def _placed(conversation: ConversationView, findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """Findings by the index of their turn; those without a shown turn are under -1, the end."""
    told = _told(conversation)
    under: dict[int, list[Finding]] = {}
    for finding in findings:
        said, lines = told.get(finding.turn, ([], []))
        # A later request may have another content at the same turn.
        latest = bisect_right(lines, finding.place.line)
        under.setdefault(said[latest - 1] if latest else -1, []).append(finding)
    return under


def _told(conversation: ConversationView) -> dict[int | None, tuple[list[int], list[int]]]:
    """By turn, the indices of the views and their lines in the log, ascending; under None all of them."""
    told: dict[int | None, tuple[list[int], list[int]]] = {}
    for index, one in enumerate(conversation.turns):
        spoken = () if one.first is None or one.last is None else range(one.first, one.last + 1)
        for turn in (None, *spoken):
            said, lines = told.setdefault(turn, ([], []))
            said.append(index)
            lines.append(one.line)
    return told


def _turn(turn: TurnView, clock: int, screen: Screen) -> Iterator[str]:
    number = "" if turn.first is None else str(turn.first)
    role, when = clean(turn.role, ROLE), f"{turn.when:>{clock}} " if clock else ""
    room = max(screen.width - INDENT - ROLE - 3 - len(when), 12)
    for piece in turn.pieces:
        # Turns are cut to one line a piece; what is no turn, such as a close, is wrapped in full.
        lines = [clean(piece.text, room)] if turn.first is not None else _wrapped(clean(piece.text), room)
        for text in lines:
            margin = screen.paint(f"{when}{role}", "dim") + " " * (ROLE + 1 - cells(role))
            yield f"{gutter(number, screen)} {margin}{screen.paint(text, STYLES.get(piece.kind, ''))}".rstrip()
            number, role, when = "", "", " " * len(when)


def _wrapped(text: str, room: int) -> list[str]:
    """Wraps a line. The columns for calls are on its first line; the others are indented to match."""
    words = text.lstrip(LINES)
    before = text[: len(text) - len(words)]
    first, *rest = wrap(words, max(room - cells(before), 12))
    return [f"{before}{first}", *(" " * cells(before) + line for line in rest)]


def verdict(finding: Finding, screen: Screen) -> Iterator[str]:
    name = f"{finding.severity}[{finding.code} {finding.rule}]"
    margin = " " * (INDENT - 2)
    room = screen.width - INDENT - 1
    again = f" ({finding.repeated} × again)" if finding.repeated else ""
    first, *rest = wrap(f"{name} {clean(finding.message)}{again}", room)
    painted = screen.paint(first[: len(name)], finding.severity) + first[len(name) :]
    yield f"{margin}{screen.paint('╰─', finding.severity)} {painted}"
    yield from (f"{margin}   {line}" for line in rest)
