"""The picture of a finding in README.md: what the program really prints, as an SVG.

`python -m tests.picture` draws docs/finding.svg anew. Knows the few styles that reports use, and no other codes.
"""

import re
from collections.abc import Iterator
from contextlib import chdir
from html import escape
from pathlib import Path

from click.testing import CliRunner

from wirecheck.cli.app import program
from wirecheck.report.screen import STYLES, cells

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "finding.svg"
COMMAND = "wirecheck lint fixtures/parallel-response-missing/log.jsonl"
COLUMNS = 90

# In pixels. The card brings its own ground, so that it can lie on light and dark pages.
CELL, LINE, SIZE, PAD, BAR = 7.83, 19, 13, 20, 34
GROUND, EDGE, TEXT = "#161b22", "#3d444d", "#d1d7e0"
LOOKS = {
    "error": "fill:#ff7b72;font-weight:700",
    "warning": "fill:#e3b341;font-weight:700",
    "info": "fill:#56d4dd;font-weight:700",
    "related": "fill:#79c0ff;font-weight:700",
    "bold": "fill:#f0f6fc;font-weight:700",
    "code": "fill:#56d4dd",
    "dim": "fill:#848d97",
}
NAMES = {code: name for name, code in STYLES.items() if name in LOOKS}
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
RUN = re.compile(r"(?:\x1b\[([0-9;]+)m)?([^\x1b]+)(?:\x1b\[0m)?")


def printed() -> list[str]:
    """What a terminal in colour shows of the command."""
    options = ["--isolated", "--output-format", "full", "--color", "always"]
    with chdir(ROOT):
        result = CliRunner().invoke(program, [*COMMAND.split()[1:], *options], env={"COLUMNS": str(COLUMNS)})
    return [f"\x1b[2m$\x1b[0m \x1b[1m{COMMAND}\x1b[0m", "", *result.stdout.rstrip("\n").split("\n")]


def draw(lines: list[str]) -> str:
    columns = max(COLUMNS, *(cells(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines))
    width, height = round(columns * CELL + 2 * PAD), BAR + len(lines) * LINE + PAD
    return "\n".join([*_card(width, height), *_rows(lines), "</g>", "</svg>", ""])


def _card(width: int, height: int) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<title>{escape(COMMAND)}</title>"
    yield "<style>"
    yield f"text{{font-family:{FONT};font-size:{SIZE}px;fill:{TEXT};white-space:pre}}"
    yield from (f".{name}{{{look}}}" for name, look in LOOKS.items())
    yield "</style>"
    yield f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="9" fill="{GROUND}" stroke="{EDGE}"/>'
    yield from (f'<circle cx="{PAD + 5 + 16 * n}" cy="18" r="5" fill="{EDGE}"/>' for n in range(3))
    yield f'<g transform="translate({PAD} {BAR + SIZE})">'


def _rows(lines: list[str]) -> Iterator[str]:
    for row, line in enumerate(lines):
        column = 0
        for code, text in RUN.findall(line):
            if text.strip():
                yield _text(text, column, row, NAMES.get(code, ""))
            column += cells(text)


def _text(text: str, column: int, row: int, name: str) -> str:
    """One run of one style, held to the grid whichever font is found."""
    inner = text.strip(" ")
    column += len(text) - len(text.lstrip(" "))
    look = f' class="{name}"' if name else ""
    place = f'x="{column * CELL:.1f}" y="{row * LINE}" textLength="{cells(inner) * CELL:.1f}"'
    return f'<text {place} lengthAdjust="spacingAndGlyphs"{look} xml:space="preserve">{escape(inner)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(printed()), encoding="utf-8")
