"""The little Markdown of rule pages, on a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.report.markdown import render
from wirecheck.report.screen import Screen, cells

COLOUR = Screen(40, colour=True)
BOLD, CODE, END = "\x1b[1m", "\x1b[36m", "\x1b[0m"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# `A` title", [f"{BOLD}A title{END}"]),
        ("one\ntwo", ["one two"]),
        ("say `this`, **now**", [f"say {CODE}this{END}, {BOLD}now{END}"]),
        ("- an item", ["- an item"]),
        ("- " + "word " * 10, ["- word word word word word word word", "  word word word"]),
        ("```json\n# {}\n```", [f"    {CODE}# {{}}{END}"]),
        ("a\n\nb", ["a", "", "b"]),
        ("a lone ` mark", ["a lone ` mark"]),
        (
            "a code that is parted `by the end of a line`",
            [f"a code that is parted {CODE}by the end of a{END}", f"{CODE}line{END}"],
        ),
    ],
)
def test_marks_become_style(text: str, lines: list[str]) -> None:
    assert list(render(text, COLOUR)) == lines


def test_tables_are_tables() -> None:
    text = "| band | severity |\n|---|---|\n| gemini-1 | `error` |"
    assert [line.split() for line in render(text, Screen(40))] == [
        ["band", "severity"],
        ["--------", "----------"],
        ["gemini-1", "error"],
    ]


@given(
    st.lists(st.sampled_from(["# x", "| a |", "|", "|---|", "- ", "```", "    y", "", "`", "**", "a " * 60, "\x1b[2J"]))
)
def test_any_text_is_shown_somehow(lines: list[str]) -> None:
    for line in render("\n".join(lines), Screen(40)):
        assert line.isprintable()
        assert cells(line) <= 42
