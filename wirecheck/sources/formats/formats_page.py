"""Generates what docs/formats.md says of files of other programs, from the table.

`python -m wirecheck.sources.formats.formats_page` writes it into a checkout; a test says if it is stale.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from wirecheck.sources.formats.file_format import FileFormat
from wirecheck.sources.formats.known_formats import FORMATS

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"
HEADERS = ("format", "what it is", "recognised by", "where it lies, or how to get it", "read it", "does not show")
UNREAD = ("what it is", "recognised by", "where it lies", "what to do instead")
_MARKED = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """The page, its generated parts anew."""
    return _MARKED.sub(_filled, page)


def _filled(part: re.Match[str]) -> str:
    return "\n".join([part[1], *SECTIONS[part[2]](), "", part[3]])


def _read_by(*rooms: str) -> Callable[[], Iterator[str]]:
    """The formats whose readers are in these folders."""
    return lambda: _table(HEADERS, (_row(each) for each in FORMATS if each.module.partition(".")[0] in rooms))


def _row(known: FileFormat) -> tuple[str, ...]:
    file = f"FILE{known.endings[0]}" if known.endings else "FILE"
    return f"`{known.name}`", known.title, known.known_by, known.where, f"`wirecheck lint {file}`", known.loses


def _unread() -> Iterator[str]:
    return _table(UNREAD, ((e.title, e.known_by, e.where, e.instead) for e in FORMATS if not e.module))


def _table(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield _line(headers)
    yield _line("---" for _ in headers)
    yield from map(_line, rows)


def _line(cells: Iterable[str]) -> str:
    shown = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(shown)} |"


SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "recordings": _read_by("cassettes", "captures"),
    "agents": _read_by("agents"),
    "telemetry": _read_by("telemetry"),
    "unread": _unread,
}


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE)
