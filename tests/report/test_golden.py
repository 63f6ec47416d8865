"""What each format looks like.

`python -m tests.report.test_golden` writes the pictures anew, for a reader to compare.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.sample import REPORT
from wirecheck.report import FOR_PEOPLE, FORMATS, render
from wirecheck.report.github import job_summary
from wirecheck.report.screen import Screen
from wirecheck.report.summary import closing
from wirecheck.version import __version__

GOLDEN = Path(__file__).parent / "golden"
SCREENS = {
    "full-80.txt": ("full", Screen(80)),
    "full-120.txt": ("full", Screen(120)),
    "full-40.txt": ("full", Screen(40)),
    "full-colour.txt": ("full", Screen(80, colour=True)),
    "table-80.txt": ("table", Screen(80)),
    "table-120.txt": ("table", Screen(120)),
    "table-40.txt": ("table", Screen(40)),
    "concise.txt": ("concise", Screen(80)),
    "report.json": ("json", Screen()),
    "report.jsonl": ("json-lines", Screen()),
    "github.txt": ("github", Screen()),
    "job-summary.md": ("job summary", Screen()),
}


def picture(file: str) -> str:
    return "".join(f"{line}\n" for line in _lines(*SCREENS[file])).replace(f'"{__version__}"', '"0.0.0"')


def _lines(name: str, screen: Screen) -> Iterator[str]:
    if name == "job summary":
        yield from job_summary(REPORT, screen)
        return
    yield from render(name, REPORT, screen)
    if name in FOR_PEOPLE:
        yield from closing(REPORT, screen)


@pytest.mark.parametrize("file", SCREENS)
def test_a_format_looks_as_it_was_approved(file: str) -> None:
    assert picture(file) == (GOLDEN / file).read_text(encoding="utf-8")


def test_every_format_has_a_picture() -> None:
    assert {name for name, _ in SCREENS.values()} == {*FORMATS, "job summary"}


if __name__ == "__main__":
    for file in SCREENS:
        (GOLDEN / file).write_text(picture(file), encoding="utf-8")
