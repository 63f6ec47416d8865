"""Lines that cannot be read are told while they are few; a file of nothing else is told once."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.telling import told
from wirecheck.sources import Reader
from wirecheck.sources.files.unreadable_lines import ENOUGH, MOST, SINGLY

ASK = '{"contents":[]}'
BAD = '{"contents":[}'


def unreadable(*lines: str, input_format: str | None = None) -> list[str]:
    reader = Reader(["-"], stdin=io.BytesIO("\n".join(lines).encode()), input_format=input_format)
    records = [line for line in told(reader) if "- un" in line]
    return records + [problem.why for problem in reader.problems]


@pytest.mark.parametrize("junk", ["\x01\x02", "started", BAD])
@pytest.mark.parametrize("n", [1, 3, SINGLY])
def test_a_few_bad_lines_among_good_ones_are_each_a_finding(junk: str, n: int) -> None:
    for lines in ([ASK, *[junk] * n, ASK], [ASK, *[junk, ASK] * n], [ASK] * 3 + [junk] * n + [""]):
        found = unreadable(*lines)
        assert [line.partition("-")[0] for line in found] == [
            str(at) for at, line in enumerate(lines, 1) if line == junk
        ]


@pytest.mark.parametrize("input_format", [None, "bodies"])
def test_a_log_that_turns_to_garbage_gives_a_few_findings_and_a_count(input_format: str | None) -> None:
    found = unreadable(ASK, *["garbage"] * 5000, input_format=input_format)
    assert len(found) == SINGLY + 1
    assert found[-1].endswith(f"(byte 0); {5000 - SINGLY - 1} more lines cannot be read either, the last is line 5001")
    assert found[-1].startswith(f"{SINGLY + 2}- unreadable")


def test_what_comes_after_the_garbage_is_read_and_told() -> None:
    found = unreadable(ASK, *["garbage"] * 500, ASK, BAD, ASK)
    assert any(line.startswith("503- ") for line in found)
    assert len(found) == SINGLY + 2


def test_every_other_line_is_a_flood_too() -> None:
    assert len(unreadable(*[ASK, BAD] * 1000)) == MOST + 1


def test_a_format_that_was_named_gives_findings_and_as_few() -> None:
    assert len(unreadable(*["garbage"] * 5000, input_format="exchanges")) == SINGLY + 1
    assert len(unreadable("garbage", input_format="exchanges")) == 1


def test_lines_that_were_meant_as_json_are_findings_while_they_are_few() -> None:
    assert unreadable(BAD, BAD) == [f"{n}- unreadable not JSON: invalid character (byte 13)" for n in (1, 2)]
    (why,) = unreadable(*[BAD] * 300)
    assert why == (
        "none of its first 300 lines can be read, line 1: not JSON: invalid character (byte 13); "
        "write one complete JSON value a line"
    )


def test_a_file_of_a_version_that_is_not_known_is_told_once() -> None:
    line = json.dumps({"v": 9, "kind": "opened", "channel": "1"}, separators=(",", ":"))
    (why,) = unreadable(*[line] * 100)
    assert why.startswith("none of its first 100 lines can be read, line 1: v is 9")


def test_no_more_is_read_of_what_is_no_log() -> None:
    class Counted(io.BytesIO):
        given = 0

        def readinto(self, room: Any) -> int:
            got = super().readinto(room)
            self.given += got
            return got

    stream = Counted(b"x is the word of the day\n" * 1_000_000)
    reader = Reader(["-"], stdin=stream)
    assert (list(reader), len(reader.problems)) == ([], 1)
    assert stream.given < 4 << 20


def test_a_log_may_begin_with_text() -> None:
    banner = ["starting"] * (ENOUGH // 20)
    assert len(unreadable(*banner, ASK)) == SINGLY + 1


LINES = st.sampled_from(
    [ASK, BAD, "12:00 INFO started", f"12:00 INFO {ASK}", "[]", "7", '{"n": 1}', "\x00\x01", "é", ""]
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=500), st.lists(LINES, max_size=200).map(lambda lines: "\n".join(lines).encode())))
def test_any_bytes_are_read_or_told_and_never_a_flood(data: bytes) -> None:
    reader = Reader(["-"], stdin=io.BytesIO(data))
    unread = [line for line in told(reader) if "- un" in line]
    assert len(unread) <= MOST + 1
    assert len(reader.problems) <= 1


def test_numbers_and_lists_among_text_do_not_make_it_a_log() -> None:
    (why,) = unreadable("This is a list:", "[]", "This is a number:", "7", "end")
    assert why.startswith("plain text, not a log: ")
