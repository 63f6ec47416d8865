"""What people and programs are told of findings: a line as each happens, and the full story at the end.

`say` takes what is to be said; who gives it knows where that is heard. Reports are files.
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

OURS = 0o600  # a report quotes the log, and the log is for its owner alone
AT_ONCE = "json-lines"  # the format that needs no end


class LiveOutput:
    """`reports`: formats and paths. Raises OSError where a file that is written at once cannot be."""

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

    def story(self, report: Report) -> None:
        """Everything that was found, with the turns around it, and what was checked."""
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
    if os.path.isfile(path):  # it was there, and may be open to others
        os.chmod(path, OURS)
    return open(path, "w", encoding="utf-8", opener=partial(os.open, mode=OURS))  # closed when the story is told


def _add(file: TextIO, finding: Finding) -> None:
    file.write(text(as_json(finding)) + "\n")
    file.flush()
