"""Renders the Markdown of rule pages on a terminal. Elsewhere Markdown is printed as it is."""

from collections.abc import Iterator
from itertools import groupby

from wirecheck.report.screen import Screen, clean, wrap
from wirecheck.report.table import grid


def render(text: str, screen: Screen) -> Iterator[str]:
    for kind, lines in _blocks(text):
        yield from BLOCKS[kind](lines, screen)


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Groups of consecutive lines of one kind."""
    fenced = False
    kinds: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        else:
            kinds.append(("code" if fenced else _kind(line), clean(line)))
    for kind, group in groupby(kinds, key=lambda pair: pair[0]):
        yield kind, [line for _, line in group]


def _kind(line: str) -> str:
    starts = {"#": "heading", "|": "table", "- ": "item", "* ": "item", "    ": "code", "": "text"}
    return next(kind for start, kind in starts.items() if line.startswith(start)) if line.strip() else "blank"


def _heading(lines: list[str], screen: Screen) -> Iterator[str]:
    yield from (screen.paint(_unmarked(line.lstrip("# ")), "bold") for line in lines)


def _table(lines: list[str], screen: Screen) -> Iterator[str]:
    rows = [[_unmarked(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines]
    told = [row for row in rows if not set("".join(row)) <= set("-: ")]
    if len({len(row) for row in told}) == 1:
        yield from grid(told[0], told[1:], screen)
    else:
        yield from lines


def _items(lines: list[str], screen: Screen) -> Iterator[str]:
    for line in lines:
        for index, piece in enumerate(_wrapped(line[2:], screen.width - 2, screen)):
            yield f"{'  ' if index else '- '}{piece}"


def _code(lines: list[str], screen: Screen) -> Iterator[str]:
    for line in lines:
        for index, piece in enumerate(wrap(line, screen.width - 6)):
            yield f"    {'  ' if index else ''}{screen.paint(piece, 'code')}".rstrip()


def _text(lines: list[str], screen: Screen) -> Iterator[str]:
    yield from _wrapped(" ".join(lines), screen.width, screen)


def _blank(lines: list[str], screen: Screen) -> Iterator[str]:
    yield ""


def _wrapped(text: str, width: int, screen: Screen) -> list[str]:
    """Wrapped lines with code and strong words styled, also where they continue on the next line."""
    whole = "\n".join(wrap(text, width))
    for mark, style in (("`", "code"), ("**", "bold")):
        pieces = whole.split(mark)
        if screen.colour and len(pieces) % 2:
            whole = "".join(_painted(piece, style, screen) if n % 2 else piece for n, piece in enumerate(pieces))
    return whole.split("\n")


def _painted(text: str, style: str, screen: Screen) -> str:
    return "\n".join(screen.paint(line, style) for line in text.split("\n"))


def _unmarked(text: str) -> str:
    return text.replace("`", "").replace("**", "")


BLOCKS = {"heading": _heading, "table": _table, "item": _items, "code": _code, "text": _text, "blank": _blank}
