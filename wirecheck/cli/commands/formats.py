"""`wirecheck formats`: what is read, how it is recognised, and where such files lie."""

import sys
from collections.abc import Iterator

import click

from wirecheck.cli import options, output
from wirecheck.report.screen import Screen, clean
from wirecheck.report.table import grid
from wirecheck.sources.formats.file_format import FileFormat
from wirecheck.sources.formats.known_formats import FORMATS

HEADERS = ("name", "what", "recognised by", "where")
# Forms of lines and of values in them: docs/formats.md has a sample of each.
LINES = {
    "wirecheck": "what `wirecheck record` writes",
    "exchanges": "a request and its response, one a line",
    "bodies": "requests and replies without their URLs",
    "frames": "Live frames, one a line",
    "sessions": "Live sessions, one a line",
    "messages": "messages in the style of OpenAI or Gemini",
    "document": "any of these, pretty-printed",
}
EPILOG = """\b
Examples:
  wirecheck formats
  wirecheck lint tests/cassettes       recognised one by one
  wirecheck lint x.log --input-format exchanges"""


@click.command(epilog=EPILOG)
@options.color
def command(color: str) -> None:
    """What is read: the names that --input-format takes, how files are recognised, and where they lie."""
    output.write(_lines(output.screen(sys.stdout, color)))


def _lines(screen: Screen) -> Iterator[str]:
    rows = [(name, said, "the keys of each value", "anywhere") for name, said in LINES.items()]
    rows += [_row(each) for each in FORMATS if each.module]
    yield from grid(HEADERS, [list(map(clean, row)) for row in rows], screen)
    yield ""
    yield "Recognised and not read:"
    for each in FORMATS:
        if not each.module:
            yield clean(f"  {each.title}: {each.instead}")


def _row(known: FileFormat) -> tuple[str, str, str, str]:
    what = f"{known.title}; it does not show {known.loses}" if known.loses else known.title
    return known.name, what, known.known_by, known.where
