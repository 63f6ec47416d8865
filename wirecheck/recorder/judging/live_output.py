"""Reports findings of a recording: a line at once for each, and full reports at the end.

`say` prints for people; reports are files.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import TextIO

from wirecheck.data.atomic_write import write_whole
from wirecheck.finding import Finding, at_least
from wirecheck.report import Report, Screen, closing, render
from wirecheck.report.concise import line
from wirecheck.report.json import as_json, text
from wirecheck.report.screen import clean

OURS = 0o600  # reports quote the log, which only its owner may read
AT_ONCE = "json-lines"  # the format that is written as findings happen


class LiveOutput:
    """`reports` are formats and paths. Raises OSError where a json-lines file cannot be opened."""

    def __init__(
        self, say: Callable[[str], None], screen: Screen, min_severity: str, reports: tuple[tuple[str, str], ...]
    ) -> None:
        self._say, self._screen = say, screen
        self.listed = at_least(min_severity)
        self._reports = [(name, path) for name, path in reports if name != AT_ONCE]
        self._lines = [_opened(path) for name, path in reports if name == AT_ONCE]
        self.failed = False

    def tell(self, finding: Finding) -> None:
        if finding.severity in self.listed:
            self._say(line(finding, self._screen))
            for file in self._lines:
                self._guarded(file.name, partial(_add, file, finding))

    def notice(self, words: str) -> None:
        """Says what is going on, and is no finding."""
        self._say(f"wirecheck: {clean(words)}")

    def story(self, report: Report) -> None:
        """Prints and writes the full reports."""
        lines = [*render("full", report, self._screen)] if report.findings else []
        self._say("\n".join([*(["", *lines] if lines else []), *closing(report, self._screen)]))
        page = Screen()
        for name, path in self._reports:
            self._guarded(path, partial(write_whole, path, render(name, report, page), OURS))
        for file in self._lines:
            self._guarded(file.name, file.close)

    def _guarded(self, path: str, write: Callable[[], None]) -> None:
        """A report that cannot be written fails the run, not the traffic."""
        try:
            write()
        except OSError as error:
            if not self.failed:
                self._say(f"wirecheck: {path}: cannot be written: {error.strerror or error}")
            self.failed = True


def _opened(path: str) -> TextIO:
    if os.path.isfile(path):  # others may have access to an existing file
        os.chmod(path, OURS)
    return open(path, "w", encoding="utf-8", opener=partial(os.open, mode=OURS))  # closed in `story`


def _add(file: TextIO, finding: Finding) -> None:
    file.write(text(as_json(finding)) + "\n")
    file.flush()
