"""The screen that text is shown on: its width and colour, and how many columns a text takes.

All untrusted text passes `clean` before it is shown: no secrets, no control characters. Looks at no environment and no
terminal; cli/output.py does.
"""

import re
from collections.abc import Iterator
from unicodedata import combining, east_asian_width

from msgspec import Struct

from wirecheck.secrets.scrub import plain, scrub

STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "here": "1;31",
    "related": "1;34",
    "bold": "1",
    "code": "36",
    "dim": "2",
}
PAINT = re.compile(r"\x1b\[[0-9;]*m")


class Screen(Struct, frozen=True):
    """`root` is the directory for outputs that need paths relative to one."""

    width: int = 100
    colour: bool = False
    root: str = ""
    terminal: bool = False

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour and text and style else text


def clean(text: str, width: int | None = None) -> str:
    return plain(_uncommanded(scrub(text)), width)


def inert(line: str) -> str:
    """The line as it may stand in the log of a CI job. GitHub's runner takes `::error::…` for a command where it begins
    a line, after spaces too, and `##[error]…` anywhere. The escapes are those of JSON, so JSON stays what it is."""
    line = _uncommanded(line)
    return line.replace(":", r"\u003a", 1) if line.lstrip().startswith("::") else line


def _uncommanded(text: str) -> str:
    return text.replace("##[", r"##\u005b") if "##[" in text else text


def cells(text: str) -> int:
    """The number of columns of a text, escape codes of colours not counted."""
    if "\x1b" in text:
        text = PAINT.sub("", text)
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(char) in "WF" else not combining(char) for char in text)


def wrap(text: str, width: int) -> list[str]:
    """Wraps a text to lines of at most `width` columns, at spaces where possible."""
    lines = [""]
    for word in _pieces(text, max(width, 8)):
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """The words, long ones in pieces: cut after punctuation of names and paths where possible."""
    for word in map(inert, text.split()):  # each may begin a line
        while cells(word) > width:
            used = end = 0
            while used + cells(word[end]) <= width:
                used += cells(word[end])
                end += 1
            end = max(word.rfind(mark, end // 2, end) + 1 for mark in "-/_.,:") or end
            yield word[:end]
            word = inert(word[end:])
        yield word
