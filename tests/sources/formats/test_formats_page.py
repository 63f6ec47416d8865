"""What docs/formats.md says of files of other programs is what the table says."""

import re

from wirecheck.sources.formats.formats_page import HEADERS, PAGE, SECTIONS, UNREAD, written
from wirecheck.sources.formats.known_formats import FORMATS

TEXT = PAGE.read_text("utf-8")


def cells(name: str) -> list[list[str]]:
    section = TEXT.partition(f"<!-- generated: {name} -->")[2].partition("<!-- end -->")[0]
    return [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in section.strip().splitlines()[2:]]


def test_the_page_is_fresh() -> None:
    """Else run `python -m wirecheck.sources.formats.formats_page`."""
    assert written(TEXT) == TEXT


def test_every_format_is_on_the_page_once() -> None:
    rows = [row for name in SECTIONS for row in cells(name)]
    assert sorted(row[0].strip("`") for row in rows) == sorted(
        each.name if each.module else each.title for each in FORMATS
    )


def test_a_row_says_what_it_is_how_to_get_it_and_how_to_read_it() -> None:
    for name in SECTIONS:
        for row in cells(name):
            known = next(each for each in FORMATS if row[0].strip("`") in (each.name, each.title))
            assert len(row) in ((len(UNREAD),) if name == "unread" else (len(HEADERS) - 1, len(HEADERS)))
            for said in (known.title, known.known_by, known.where, known.instead, known.loses):
                assert said.replace("|", r"\|") in " | ".join(row)
            assert known.instead or f"`wirecheck lint FILE{(known.endings or ('',))[0]}`" in row
