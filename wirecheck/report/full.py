"""The format for people: the turns around a mistake with both halves of a broken pair marked, then why and the repair.

The raw line of the log is never shown: it can be megabytes.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from wirecheck.finding import Finding, Line, Related
from wirecheck.report.concise import at, pointer
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, cells, clean, wrap

UNDERLINES = {"here": "^", "related": "-"}
VERDICTS = {"confirmed": "rejected it", "tolerated": "accepted it", "unknown": "said something else"}
INDENT = 4  # columns left of the gutter: the number of a turn and a space
ROLE = 12  # columns that a role may take
NOTE = 10  # columns for the first word of a note


def render(report: Report, screen: Screen) -> Iterator[str]:
    told: set[str] = set()
    for finding in report.findings:
        # Why a rule matters is said once.
        yield from picture(finding, report.why(finding.rule), finding.rule not in told, screen)
        yield ""
        told.add(finding.rule)


def picture(finding: Finding, why: str, first: bool, screen: Screen) -> Iterator[str]:
    yield from _head(finding, screen)
    yield from _turns(finding, screen)
    yield from _note("why", why if first else "", screen)
    yield from _note("repair", finding.help, screen)
    yield from _note("server", _server(finding), screen)
    if first:
        yield from _note("more", f"wirecheck explain {finding.code}", screen)
    if first and finding.url:
        yield f"{_word('see', screen)}{clean(finding.url)}"  # never cut, so that it can be followed


def _head(finding: Finding, screen: Screen) -> Iterator[str]:
    name = f"{finding.severity}[{finding.code} {finding.rule}]"
    first, *rest = wrap(f"{name}: {clean(finding.message)}", screen.width)
    yield screen.paint(first[: len(name)], finding.severity) + screen.paint(first[len(name) :], "bold")
    yield from (screen.paint(line, "bold") for line in rest)
    yield from _where(finding, screen)
    yield from _under(_about(finding), screen)


def _where(finding: Finding, screen: Screen) -> Iterator[str]:
    path, steps = at(finding.place), pointer(finding.place)
    arrow = f"{' ' * (INDENT - 2)}{screen.paint('-->', 'dim')} {path}"
    if INDENT + 4 + cells(path) + cells(steps) <= screen.width:
        yield f"{arrow}  {screen.paint(steps, 'dim')}".rstrip()
    else:
        yield arrow
        yield from _under(steps, screen)


def _under(text: str, screen: Screen) -> Iterator[str]:
    """A line under the place of the finding."""
    margin = " " * (INDENT + 2)
    yield from (margin + screen.paint(line, "dim") for line in wrap(text, screen.width - len(margin)) if line)


def _about(finding: Finding) -> str:
    turn = None if finding.turn is None else f"turn {finding.turn}"
    again = f"recited {finding.repeated} × again" if finding.repeated else None
    surface = None if finding.surface == "unknown" else finding.surface
    parts = (finding.conversation, turn, finding.model, surface, again)
    return " · ".join(clean(part) for part in parts if part)


def _turns(finding: Finding, screen: Screen) -> Iterator[str]:
    if not finding.around:
        yield from _related(finding.related, screen)
        return
    yield gutter("", screen)
    roles = max(cells(clean(line.role, ROLE)) for line in finding.around) + 2
    before: int | None = None
    for (turn, _, _), lines in groupby(finding.around, key=lambda line: (line.turn, line.mark, line.label)):
        if before is not None and turn > before + 1:
            yield " " * INDENT + screen.paint("⋮", "dim")
        yield from _lines(list(lines), turn == before, roles, screen)
        before = turn
    yield gutter("", screen)
    yield from _related([each for each in finding.related if each.place.path != finding.place.path], screen)


def _related(places: Iterable[Related], screen: Screen) -> Iterator[str]:
    for related in places:
        yield from _note("see", f"{at(related.place)} {pointer(related.place)} {clean(related.label)}", screen)


def _lines(lines: list[Line], goes_on: bool, roles: int, screen: Screen) -> Iterator[str]:
    """Consecutive lines of a turn with the same mark, and the mark below them."""
    room = max(screen.width - INDENT - 2 - roles, 12)
    texts = [clean(line.text, room) for line in lines]
    number, role = ("", "") if goes_on else (str(lines[0].turn), clean(lines[0].role, ROLE))
    for text in texts:
        margin = screen.paint(role, "dim") + " " * (roles - cells(role))
        yield f"{gutter(number, screen)} {margin}{screen.paint(text, 'bold' if lines[0].mark else '')}".rstrip()
        number = role = ""
    if lines[0].mark:
        yield from _mark(lines[0], max(map(cells, texts)), " " * roles, room, screen)


def _mark(line: Line, length: int, margin: str, room: int, screen: Screen) -> Iterator[str]:
    underline = UNDERLINES[line.mark] * max(length, 1)
    label = clean(line.label)
    beside = cells(underline) + 1 + cells(label) <= room
    below = [underline, *wrap(label, room)] if label else [underline]
    for text in [f"{underline} {label}".rstrip()] if beside else below:
        yield f"{gutter('', screen)} {margin}{screen.paint(text, line.mark)}"


def gutter(number: str, screen: Screen) -> str:
    return f"{number:>{INDENT - 1}} {screen.paint('│', 'dim')}"


def _server(finding: Finding) -> str:
    word = finding.server
    said, text = VERDICTS[word.verdict], clean((word.text or "").strip())
    said += f" ({word.status})" if word.status else ""
    return ": ".join(filter(None, (said, text))) if word.status or text else ""


def _note(word: str, text: str, screen: Screen) -> Iterator[str]:
    room = screen.width - INDENT - NOTE
    lines = [piece for line in text.splitlines() for piece in wrap(clean(line), room)]
    for index, line in enumerate(lines):
        yield f"{' ' * (INDENT + NOTE) if index else _word(word, screen)}{line}".rstrip()


def _word(word: str, screen: Screen) -> str:
    """`    = why:    `"""
    return f"{' ' * INDENT}{screen.paint('=', 'dim')} {screen.paint(f'{word}:', 'bold')}{' ' * (NOTE - 3 - len(word))}"
