"""What is a line, what is a document, and what a broken one costs: itself and nothing else."""

import gzip
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.telling import PATH, read, tell, told
from wirecheck.sources import Reader, read_file
from wirecheck.sources.lines import LineCount, lines
from wirecheck.sources.surrogates import mend
from wirecheck.wire.records import Unread
from wirecheck.wire.utf8 import PIECE

ASK = '{"contents":[]}'
EXCHANGE = '{"request":{"url":"u","body":{}},"response":{"status":200,"body":{"candidates":[]}}}'
DEEP = '{"contents":' + "[" * 100_000 + "]" * 100_000 + "}"

BROKEN = {
    "no JSON": (b"hello", "unreadable not JSON: invalid character (byte 0)"),
    "NaN": (b'{"contents":NaN}', "unreadable not JSON: invalid character (byte 12)"),
    "invalid UTF-8": (b'{"contents":"\xff"}', "unreadable invalid UTF-8 at byte 13"),
    "too deep": (DEEP.encode(), "unreadable nested too deep (over 128 levels)"),
    "two values": (b"{} {}", "unreadable not JSON: trailing characters (byte 4)"),
    "cut": (b'{"contents":[', "unreadable not JSON: it breaks off"),
    "a binary file": (bytes(range(11, 256)), "unreadable invalid UTF-8 at byte 117"),
}
ENDS = {
    "cut": b'{"contents":[{"role"',
    "cut within a character": '{"contents":"é'.encode()[:-1],
    "cut within a word": b'{"contents":tru',
}


@pytest.mark.parametrize(("line", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line_costs_no_other(line: bytes, why: str) -> None:
    after = [told.replace("1a", "3b") for told in tell(EXCHANGE)]
    assert tell(EXCHANGE, line, EXCHANGE) == [*tell(EXCHANGE), f"2- {why}", *after]


@pytest.mark.parametrize(("line", "why"), BROKEN.values(), ids=BROKEN)
def test_not_even_as_the_first_line(line: bytes, why: str) -> None:
    found = tell(line, EXCHANGE, EXCHANGE)
    assert found[0] == f"1- {why}"
    assert [told[0] for told in found[1:]] == list("22223333")


@given(
    st.integers(-3, 3), st.sampled_from(("é", "東", "🚆")), st.sampled_from((b"", b"\xff", b"\xc3", b"\xed\xa0\x80"))
)
def test_text_is_checked_as_if_it_were_one_piece(shift: int, char: str, broken: bytes) -> None:
    text = b"." * (PIECE + shift - len(broken)) + broken + char.encode() * PIECE
    line = b'{"contents":"' + text + b'"}'
    try:
        line.decode()
        why = []
    except UnicodeDecodeError as error:
        why = [f"1- unreadable invalid UTF-8 at byte {error.start}"]
    assert [found for found in tell(line) if "UTF-8" in found] == why


@pytest.mark.parametrize("line", ENDS.values(), ids=ENDS)
def test_a_file_that_ends_within_a_line(line: bytes) -> None:
    for before in (b"", EXCHANGE.encode() + b"\n"):
        last = list(read_file(io.BytesIO(before + line), PATH))[-1]
        assert isinstance(last, Unread)
        assert last.kind == "unterminated"


def test_a_last_line_without_line_end_is_a_line() -> None:
    assert told(read_file(io.BytesIO(EXCHANGE.encode()), PATH)) == tell(EXCHANGE)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n \t\n"])
def test_line_ends(end: bytes) -> None:
    found = told(read_file(io.BytesIO(end.join([ASK.encode(), ASK.encode(), b""])), PATH))
    assert [line[1:] for line in found] == [f"a opened {ASK}", "a left", f"b opened {ASK}", "b left"]


def test_a_byte_order_mark_is_nothing() -> None:
    assert told(read_file(io.BytesIO(b"\xef\xbb\xbf" + EXCHANGE.encode()), PATH)) == tell(EXCHANGE)


@pytest.mark.parametrize("half", [r"\ud800", r"\udc00 and", r"\ud800\ud800", r"\\\ud83d"])
def test_half_a_character_is_read_as_an_unknown_one(half: str) -> None:
    whole = r"\ud83d\ude00 \\ud800"
    found = tell(f'{{"tools":[],"contents":"{whole}{half}"}}')
    mended = half.replace(r"\ud800", r"\ufffd").replace(r"\udc00", r"\ufffd").replace(r"\ud83d", r"\ufffd")
    assert found == [f'1a opened {{"tools":[],"contents":"{whole}{mended}"}}', "1a left"]


@given(
    st.lists(st.sampled_from(["\\", "u", "d83d", r"\uD83D", r"\ude00", r"\u00e9", "é", "\n", '"', "0"])).map("".join)
)
def test_half_a_character_is_found_among_escapes_of_every_kind(text: str) -> None:
    """And a pair is one, as it is to a parser that knows of neither."""
    mended = mend(text.encode()).decode()
    assert len(mended) == len(text)
    each = re.compile(r"\\u[dD]8[0-9a-fA-F]{2}\\u[dD][eE][0-9a-fA-F]{2}|\\u[dD][89eE][0-9a-fA-F]{2}|\\.")
    assert mended == each.sub(lambda found: r"\ufffd" if len(found[0]) == 6 else found[0], text)


DOCUMENTS = {
    "a scratchpad": {"identity_info": {"model": "m"}, "messages": [{"role": "user", "content": "hi"}]},
    "an exchange": {"request": {"url": "u", "body": {"contents": []}}, "response": {"status": 200}},
    "a session": {"frames": [{"from": "client", "data": {"setup": {}}}]},
    "a list of contents": [{"role": "user", "parts": [{"text": "hi"}]}],
    "a list of messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}],
    "a list of exchanges": [{"request": {"url": "u"}}, {"request": {"url": "v"}}],
    "a list of frames": [{"from": "client", "data": {"setup": {}}}, {"from": "server", "data": {}}],
    "a list of chunks": [{"candidates": []}, {"candidates": [{"finishReason": "STOP"}]}],
}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
@pytest.mark.parametrize("indent", [0, 2])
def test_a_pretty_printed_document_is_read_as_one_line(document: object, indent: int) -> None:
    def shape(*lines: str) -> list[tuple[type, str]]:
        return [(type(record), str(getattr(record, "body", None) and record.body.site)) for record in read(*lines)]  # type: ignore[attr-defined]

    assert shape(json.dumps(document, indent=indent)) == shape(json.dumps(document))


def test_places_in_a_list_begin_with_its_index() -> None:
    assert tell(json.dumps([{"request": {"url": "u", "body": {"contents": []}}}] * 2).replace("}, ", "},\n")) == [
        '1a opened POST u /0/request/body {"contents": []}',
        "1a left",
        '1b opened POST u /1/request/body {"contents": []}',
        "1b left",
    ]


def test_a_document_that_breaks_off_is_one_broken_thing() -> None:
    text = json.dumps(DOCUMENTS["a scratchpad"], indent=2)
    assert tell(text[:-10]) == ["1- unterminated not JSON: it breaks off"]


def test_a_document_that_is_broken_is_one_broken_thing() -> None:
    text = json.dumps([{"contents": [], "n": float("nan")}] * 50, indent=2)
    assert tell(text) == ["1- unreadable not JSON: invalid character (byte 35)"]


def test_documents_one_after_the_other_are_each_read_where_they_begin() -> None:
    half = '{\n"contents":\n[{"role":"\\ud800"}]\n}'
    documents = [
        '{\n"contents":\n[{"role":1}]\n}',
        half,
        '{\n"contents":[{"role":3}]}{\n"contents":[{"role":4}]}',
        "",
        ASK,
        '[\n{"contents":[{"role":5}]}]',
    ]
    found = [line.replace("\n", "") for line in tell(*documents) if "opened" in line]
    assert found == [
        '1a opened {"contents":[{"role":1}]}',
        '5b opened {"contents":[{"role":"\\ufffd"}]}',
        '9c opened {"contents":[{"role":3}]}',
        '10d opened {"contents":[{"role":4}]}',
        "13e opened " + ASK,
        '14f opened /0 {"contents":[{"role":5}]}',
    ]


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ('{\n"contents":', ["7- unterminated not JSON: it breaks off"]),
        ('{\n"contents":\n]', ["7- unreadable not JSON: invalid character (byte 14)"]),
        ("and\n" + ASK, ["7- unreadable not JSON: invalid character (byte 0)", f"8c opened {ASK}", "8c left"]),
    ],
)
def test_a_broken_document_costs_none_before_it(last: str, why: list[str]) -> None:
    before = json.dumps({"contents": []}, indent=1)
    found = told(read_file(io.BytesIO(f"{before}\n{before}\n{last}".encode()), PATH))
    assert [line for line in found if line[0] not in "14"] == why
    assert [line[:9] for line in found if "opened" in line][:2] == ["1a opened", "4b opened"]


def test_half_a_character_does_not_break_a_document() -> None:
    assert tell('{\n"contents":\n[{"role":"\\ud800"}]\n}') == [
        '1a opened {\n"contents":\n[{"role":"\\ufffd"}]\n}',
        "1a left",
    ]


def broken(packed: bytes) -> tuple[list[str], str]:
    """What a file that breaks off gives, and what is said of it."""
    reader = Reader(["-"], stdin=io.BytesIO(packed))
    found = told(reader)
    (problem,) = reader.problems
    return found, problem.why


def test_a_packed_document_that_is_cut_short_says_both() -> None:
    packed = gzip.compress(json.dumps({"contents": list(range(9999))}, indent=1).encode())
    found, why = broken(packed[:-99])
    assert found == ["1- unterminated not JSON: it breaks off"]
    assert why.startswith("the gzip stream is cut short after line ")


def test_a_packed_log_that_is_cut_at_both_ends_loses_only_these() -> None:
    text = "[1,\n" + (ASK + "\n") * 9999
    found, why = broken(gzip.compress(text.encode())[:-99])
    assert found[0] == "1- unreadable not JSON: it breaks off"
    opened = sum("opened" in line for line in found)
    assert opened > 1000
    assert why == f"the gzip stream is cut short after line {opened + 1}"


MEGABYTES = "no more than 1 MB are read as one value"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of a megabyte are too large."""
    monkeypatch.setattr("wirecheck.sources.lines.LIMIT", 1 << 20)
    monkeypatch.setattr("wirecheck.sources.lines.BUFFER", 1 << 14)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("begin", ["x", '{"contents": ["', "[1,", " "])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("length", [2 << 20, (3 << 20) + 5])
def test_a_line_that_is_too_long_is_named_and_no_other_is_lost(begin: str, packed: bool, length: int) -> None:
    text = "\n".join([ASK, begin + "x" * length, ASK, "x" * length, "x" * length]).encode()
    found = told(read_file(io.BytesIO(gzip.compress(text) if packed else text), PATH))
    size = (length + len(begin) + 1 + (1 << 20) - 1) >> 20
    of = f"unreadable of {size} MB: {MEGABYTES}"
    last = f"unreadable of {(length + (1 << 20) - 1) >> 20} MB: {MEGABYTES}"
    plain = f"unreadable of {(length + (1 << 20)) >> 20} MB: {MEGABYTES}"
    asked = [f"a opened {ASK}", "a left"]
    ends = ["1" + asked[0], f"2- {of}", "1a left", "3" + asked[0].replace("a ", "b ", 1), f"4- {plain}", f"5- {last}"]
    assert sorted(found) == sorted([*ends, "3b left"])


def test_a_line_of_too_many_values_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirecheck.sources.record_stream.VALUES", 1000)
    many, enough = (json.dumps({"tools": [0] * count, "contents": []}) for count in (1001, 1000))
    why = "of 1,001 values or so: no more than 1,000 are read in one line"
    assert tell(ASK, many, ASK)[1] == f"2- unreadable {why}"
    assert tell(enough) == [f"1a opened {enough}", "1a left"]


@pytest.mark.usefixtures("small")
def test_a_line_that_is_too_long_may_be_the_first() -> None:
    assert tell("x" * (2 << 20), ASK)[1:] == [line.replace("1a", "2a") for line in tell(ASK)]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("input_format", [None, "document"])
def test_a_document_that_is_too_large_is_named(input_format: str | None) -> None:
    text = json.dumps([{"contents": [n]} for n in range(60_000)], indent=1)
    found = told(read_file(io.BytesIO(text.encode()), PATH, input_format))
    assert found == [f"1- unreadable of {-(-len(text) >> 20)} MB: {MEGABYTES}"]


@pytest.mark.usefixtures("small")
def test_documents_may_be_more_than_fits_at_once() -> None:
    documents = [json.dumps({"contents": [], "model": n}, indent=1) for n in range(40_000)]
    found = [line for line in tell(*documents) if "opened" in line]
    assert len(found) == len(documents)
    assert [line.split()[0] for line in found[:3]] == ["1a", "5b", "9c"]
    assert found[-1].startswith(str(4 * len(documents) - 3))


@pytest.mark.usefixtures("small")
def test_a_log_whose_first_line_is_cut_may_have_a_line_that_is_too_long() -> None:
    found = tell("[1,", ASK, "x" * (2 << 20), ASK)
    assert [line.split()[0] for line in found if "left" not in line] == ["1-", "2a", "3-", "4b"]


def test_a_stream_of_lines_is_not_held_until_its_end() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            buffer[: len(line)] = line
            return len(line)

    line = EXCHANGE.encode() + b"\n"
    records = read_file(io.BufferedReader(Endless()), PATH)
    assert [type(next(records)).__name__ for _ in range(8)] == ["Opened", "Replied", "Frame", "Closed"] * 2


@pytest.mark.parametrize("keep", [0.99, 0.5, 0.1])
def test_a_packed_file_that_is_cut_short_gives_the_lines_before_and_is_a_problem(keep: float) -> None:
    packed = gzip.compress(b"".join(b'{"contents":[{"role":%d}]}\n' % n for n in range(9999)))
    found, why = broken(packed[: int(len(packed) * keep)])
    opened = [line for line in found if "opened" in line]
    assert opened == [
        f'{n + 1}{line[len(str(n + 1))]} opened {{"contents":[{{"role":{n}}}]}}' for n, line in enumerate(opened)
    ]
    assert len(found) == 2 * len(opened)
    assert len(opened) >= int(9900 * keep) - 500
    assert why == f"the gzip stream is cut short after line {len(opened)}"


@pytest.mark.parametrize("length", range(1, 19))
def test_a_packed_file_that_is_cut_in_its_first_bytes_is_a_problem(length: int) -> None:
    found, why = broken(gzip.compress(ASK.encode())[:length])
    assert found == []
    assert why == f"the gzip stream is {'broken' if length == 1 else 'cut short'} in its first line"


def test_a_packed_file_that_is_broken_gives_the_lines_before_and_is_a_problem() -> None:
    packed = gzip.compress(b"".join(b'{"contents":[{"role":%d}]}\n' % n for n in range(99)))
    found, why = broken(packed[:-8] + bytes(8))
    assert sum("opened" in line for line in found) == 99
    assert why == "the gzip stream is broken after line 99"


@pytest.mark.parametrize(
    ("input_format", "expected"),
    [
        ("exchanges", ["1a opened", "1a closed"]),
        ("bodies", ["2a opened", "2a left"]),
        ("messages", ["3a opened", "3a client", "3a left"]),
        ("frames", ["4a opened", "4a client", "5b opened", "5b server", "5b closed", "4a left"]),
        ("sessions", ["5a opened", "5a server", "5a closed"]),
        ("wirecheck", ["6a opened"]),
    ],
)
def test_a_named_format_reads_nothing_else(input_format: str, expected: list[str]) -> None:
    lines = (
        '{"request":{"url":"u"},"response":{}}',
        ASK,
        '{"role":"user","content":""}',
        '{"setup":{}}',
        '{"frames":[{"dir":"server","data":1}],"close":{}}',
        '{"v":1,"kind":"opened","channel":"1"}',
    )
    found = [" ".join(line.split()[:2]) for line in tell(*lines, input_format=input_format) if "skipped" not in line]
    assert found == expected


def test_the_format_document_takes_the_whole_file_for_one_value() -> None:
    assert tell("{}", "{}", input_format="document") == ["1- unreadable not JSON: trailing characters (byte 4)"]


@given(st.binary() | st.binary().map(lambda data: b"\x1f\x8b\x08" + data))
def test_whatever_the_bytes_nothing_is_raised(data: bytes) -> None:
    list(Reader(["-"], stdin=io.BytesIO(data)))


KEYS = st.sampled_from(
    re.findall(
        r"[\w.]+",
        """request response frames contents candidates messages role parts content error data from dir url body
        status close setup serverContent usageMetadata functionResponse headers v kind channel opcode binary code
        data_ Data request.url Request frames_ Frames request_ response.""",
    )
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(["client", "log", ASK])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner | inner.map(json.dumps), max_size=4)
)


@settings(max_examples=400)
@given(st.lists(VALUES, max_size=4))
def test_whatever_the_values_nothing_is_raised_and_every_line_says_something(values: list[object]) -> None:
    lines = [json.dumps(value) for value in values]
    records = read(*lines)
    silent = set(range(1, len(lines) + 1)) - {record.origin.line for record in records}
    assert all(not lines[number - 1].strip() for number in silent)


class Pipe(io.RawIOBase):
    """Gives no more at once than was written at once."""

    def __init__(self, written: list[bytes]) -> None:
        self._written, self.given = list(filter(None, written)), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        some = self._written.pop(0) if self._written else b""
        now, rest = some[: len(buffer)], some[len(buffer) :]
        if rest:
            self._written.insert(0, rest)
        buffer[: len(now)] = now
        self.given += now
        return len(now)


@given(st.lists(st.text("a\n \r").map(str.encode)), st.integers(1, 20))
def test_lines_are_the_same_however_they_come(written: list[bytes], room: int) -> None:
    pipe, came = Pipe(written), list[bytes]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wirecheck.sources.lines.BUFFER", room)
        for _, some in lines(io.BufferedReader(pipe, 4), LineCount()):
            came += some
    assert came == [line for line in io.BytesIO(b"".join(written)) if not line.isspace()]


def test_a_pipe_is_not_waited_for() -> None:
    pipe = Pipe([b"{}\n" * 50, b'{"contents"', b":[]}\n[", b"]\n", b"{}"])
    came = [(len(some), len(pipe.given)) for _, some in lines(io.BufferedReader(pipe), LineCount())]
    assert came == [(50, 150), (1, 167), (1, 169), (1, 171)]


class Dribble(io.RawIOBase):
    """A pipe on which bytes arrive in these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(filter(None, pieces))

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if not self._pieces:
            return 0
        piece, rest = self._pieces[0][: len(room)], self._pieces[0][len(room) :]
        self._pieces[:1] = [rest] if rest else []
        room[: len(piece)] = piece
        return len(piece)


MARKED = {
    "UTF-8": EXCHANGE.encode("utf-8-sig"),
    "zipped": gzip.compress(EXCHANGE.encode(), 0),
    "zipped UTF-8": gzip.compress(EXCHANGE.encode("utf-8-sig"), 0),
    "two parts, one of them a byte": gzip.compress(EXCHANGE.encode("utf-8-sig")[:1])
    + gzip.compress(EXCHANGE.encode("utf-8-sig")[1:]),
    "none": EXCHANGE.encode(),
}


@pytest.mark.parametrize("data", MARKED.values(), ids=MARKED)
def test_a_mark_may_arrive_in_pieces(data: bytes) -> None:
    for cut in range(25):
        for second in range(cut, 25):
            pieces = (data[:cut], data[cut:second], data[second:])
            assert told(read_file(io.BufferedReader(Dribble(*pieces)), PATH)) == tell(EXCHANGE), pieces
    assert told(read_file(io.BufferedReader(Dribble(*(bytes([each]) for each in data))), PATH)) == tell(EXCHANGE)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf_16_is_named_however_it_arrives(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(f"\ufeff{EXCHANGE}".encode(encoding))
    for cut in range(25):
        with pytest.raises(OSError, match="written in UTF-16"):
            list(read_file(io.BufferedReader(Dribble(data[:cut], data[cut:])), PATH))


@pytest.mark.parametrize("data", [b"\xef", b"\xef\xbb", b"\xef\xbbx", b"\xff", b"\xfe{}"])
def test_the_beginning_of_a_mark_is_no_mark(data: bytes) -> None:
    (unread,) = read_file(io.BufferedReader(Dribble(*(bytes([each]) for each in data))), PATH)
    assert isinstance(unread, Unread)
    assert "invalid UTF-8" in unread.why


def test_no_more_is_waited_for_than_a_mark_may_need() -> None:
    stream = io.BufferedReader(Dribble(b"\xef", b"\xbb\xbf{}\n", b"never asked for"))
    assert next(lines(stream, LineCount())) == (1, [b"{}\n"])
    assert stream.peek(1) == b"never asked for"
