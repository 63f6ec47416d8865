"""What holds for the formats that people read, whatever text other people put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.strategies import reports, texts
from wirecheck.report import FORMATS, Report, Screen, render
from wirecheck.report.github import job_summary
from wirecheck.report.screen import cells, inert, wrap
from wirecheck.report.summary import closing

ESCAPES = ["\x1b[0m", *(f"\x1b[{code}m" for code in ("1", "2", "1;31", "1;33", "1;34", "1;36"))]


@pytest.mark.parametrize("name", FORMATS)
@given(report=reports(), colour=st.booleans())
def test_nothing_reaches_the_terminal_that_it_would_act_on(name: str, report: Report, colour: bool) -> None:
    for line in "\n".join(render(name, report, Screen(80, colour))).split("\n"):
        for escape in ESCAPES if colour else ():
            line = line.replace(escape, "")
        assert line.isprintable(), ascii(line)


@pytest.mark.parametrize("name", ["full", "table"])
@given(report=reports(), width=st.integers(40, 130))
def test_no_line_is_wider_than_the_screen(name: str, report: Report, width: int) -> None:
    for line in render(name, report, Screen(width)):
        # What can be copied or followed stays whole.
        assert cells(line) <= width or line.startswith(("  --> ", "    = see: ")), line


@given(reports())
def test_every_line_for_github_is_a_command_of_ours(report: Report) -> None:
    for line in render("github", report, Screen()):
        assert line.startswith(("::error title=WC", "::warning title=WC", "::notice title="))
        _, properties, _ = line.split("::", 2)
        assert {part.partition("=")[0] for part in properties.split(" ", 1)[1].split(",")} <= {"title", "file", "line"}


@given(reports())
def test_a_row_of_the_job_summary_is_always_four_cells(report: Report) -> None:
    rows = [line for line in job_summary(report, Screen()) if line.startswith("|")]
    assert all(line.count("|") == 5 and "<" not in line and "`" not in line for line in rows)


@given(texts, st.integers(8, 60))
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(map(inert, text.split()))
    assert all(cells(line) <= width for line in lines)


@given(report=reports(), width=st.integers(20, 130), colour=st.booleans())
def test_the_last_line_is_broken_at_words_on_a_terminal_only(report: Report, width: int, colour: bool) -> None:
    (whole,) = closing(report, Screen(width, colour))
    broken = closing(report, Screen(width, colour, terminal=True))
    assert " ".join(broken) == whole
    assert all(cells(line) <= width for line in broken)
