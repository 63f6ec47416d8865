"""The little Markdown of rule pages on a screen. Where there is no screen, Markdown is shown as it is."""

from collections.abc import Iterator
from itertools import groupby

from wirecheck.report.screen import Screen, clean, wrap
from wirecheck.report.table import grid


def render(text: str, screen: Screen) -> Iterator[str]:
    for kind, lines in _blocks(text):
        yield from BLOCKS[kind](lines, screen)


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Lines of one kind that stand together."""
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
    headers, *body = [row for row in rows if not set("".join(row)) <= set("-: ")]
    if all(len(row) == len(headers) for row in body):
        yield from grid(headers, body, screen)
    else:
        yield from lines


def _items(lines: list[str], screen: Screen) -> Iterator[str]:
    for line in lines:
        for index, piece in enumerate(wrap(line[2:], screen.width - 2)):
            yield f"{'  ' if index else '- '}{_marked(piece, screen)}"


def _code(lines: list[str], screen: Screen) -> Iterator[str]:
    yield from (f"    {screen.paint(line.removeprefix('    '), 'code')}".rstrip() for line in lines)


def _text(lines: list[str], screen: Screen) -> Iterator[str]:
    yield from (_marked(line, screen) for line in wrap(" ".join(lines), screen.width))


def _blank(lines: list[str], screen: Screen) -> Iterator[str]:
    yield ""


def _marked(line: str, screen: Screen) -> str:
    """Code and strong words in style; a pair of marks that was broken by the end of a line stays as it is."""
    if not screen.colour:
        return line
    for mark, style in (("`", "code"), ("**", "bold")):
        pieces = line.split(mark)
        if len(pieces) % 2:
            line = "".join(screen.paint(piece, style) if n % 2 else piece for n, piece in enumerate(pieces))
    return line


def _unmarked(text: str) -> str:
    return text.replace("`", "").replace("**", "")


BLOCKS = {"heading": _heading, "table": _table, "item": _items, "code": _code, "text": _text, "blank": _blank}
