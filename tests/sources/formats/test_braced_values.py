"""Values of several lines: where each begins, and what breaks off."""

import io

import pytest

from wirecheck.sources import lines
from wirecheck.sources.formats.braced_values import BracedValue, braced_values
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.lines import LineCount
from wirecheck.wire.records import Unread


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('{\n  "a": 1\n}\n{"b": 2}\n[\n  3\n]\n', [(1, True), (4, True), (5, True)]),
        ('{"a": 1}\n\n{"b":\n 2\n}', [(1, True), (3, True)]),
        ('{\n  "a": {\n  }\n{\n  "b": 1\n}\n', [(1, False), (4, True)]),
        ('{"a": 1}\nsaid\nso\n{\n}\nbye', [(1, True), (2, False), (4, True), (6, False)]),
        ("said\n}\n{}\n", [(1, False), (3, True)]),
        ('{\n  "a": 1\n', [(1, False)]),
        ("", []),
    ],
)
def test_values(written: str, told: list[tuple[int, bool]]) -> None:
    tally = LineCount()
    found = list(braced_values(OpenedFile("x", io.BufferedReader(io.BytesIO(written.encode())), tally)))
    assert [(each.origin.line, each.whole) for each in found if isinstance(each, BracedValue)] == told
    assert (
        b"".join(each.written for each in found if isinstance(each, BracedValue))
        == written.replace("\n\n", "\n").encode()
    )


def test_a_line_that_is_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LIMIT", 4 << 20)
    file = OpenedFile("x", io.BufferedReader(io.BytesIO(b'{"a":"' + b"x" * (6 << 20) + b'"}\n{}\n')), LineCount())
    first, second = braced_values(file)
    assert isinstance(first, Unread)
    assert "MB" in first.why
    assert isinstance(second, BracedValue)
    assert (second.written, second.origin.line) == (b"{}\n", 2)
