"""Of long texts the middle is left out, and nothing else changes: not in JSON, and not in JSON in a string."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wirecheck.sources import record_stream
from wirecheck.wire import truncation as b
from wirecheck.wire.truncation import length, truncated

SIZES = b.LONG, b.HEAD, b.TAIL
HEAD, TAIL = 20, 4
LONG = 4 * (HEAD + TAIL) + 4
WORDS = st.sampled_from(["\\", '"', "So. ", "é", "東京", "🚆", "\n", "1", " ", "\x7f", "u00e9"])
TEXTS = st.lists(WORDS, max_size=90).map("".join)
KEYS = st.sampled_from(["text", "data", "role", "x" * 200, 'a "key"'])
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none() | st.just([7] * 80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
BEGIN = "So it begins, as a text does: "  # as neither JSON does nor a stream of events


def cut(text: str) -> bool:
    return len(text.encode()) > LONG


def same(short: Any, value: Any) -> bool:
    """Whether this is that value, in short."""
    if isinstance(value, str) and short != value:
        begin, end = value[:HEAD], value[-TAIL:]
        return cut(value) and short.startswith(begin + b.MARK) and short.endswith(end) and len(short) < LONG
    if isinstance(value, dict):
        return list(short) == list(value) and all(same(short[key], value[key]) for key in value)
    if isinstance(value, list):
        return len(short) == len(value) and all(map(same, short, value))
    return bool(short == value)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LONG", LONG), ("HEAD", HEAD), ("TAIL", TAIL)):
        monkeypatch.setattr(b, name, value)


def test_what_stays_is_a_part_of_what_is_long() -> None:
    """However many bytes a character takes; and a line no longer than that holds nothing long."""
    long, head, tail = SIZES
    assert long > 4 * (head + tail)
    assert long >= record_stream.LONG
    assert (head % 4, (len(b.MARK) + 32) % 4, tail % 4) == (0, 0, 0)


@settings(max_examples=300)
@given(VALUES, st.booleans(), st.booleans())
def test_the_rest_is_as_it_was(value: Any, plain: bool, pretty: bool) -> None:
    line = json.dumps({"v": value}, ensure_ascii=not plain, indent=1 if pretty else None).encode()
    assert same(json.loads(truncated(line)), {"v": value})


@settings(max_examples=300)
@given(VALUES, st.booleans(), st.booleans(), st.integers(0, 2))
def test_in_a_string_it_is_as_well(value: Any, plain: bool, outer: bool, events: int) -> None:
    text = json.dumps({"v": value}, ensure_ascii=not plain)
    body = "".join(f"data: {text}\r\n\r\n" for _ in range(events)) or text
    line = json.dumps({"body": body, "more": {"text": BEGIN * 9}}, ensure_ascii=not outer).encode()
    short = json.loads(truncated(line))
    assert same(short["more"], {"text": BEGIN * 9})
    told = [event[6:] for event in short["body"].split("\r\n\r\n")[:-1]] if events else [short["body"]]
    assert all(same(json.loads(one), {"v": value}) for one in told)
    assert len(told) == max(events, 1)


@given(TEXTS, TEXTS, st.booleans(), st.booleans())
def test_two_texts_are_the_same_where_they_were_however_they_are_written(
    one: str, other: str, plain: bool, within: bool
) -> None:
    one, other = BEGIN + one, BEGIN + other

    def shortened(text: str, *, plain: bool, within: bool) -> Any:
        line = json.dumps({"text": text, "n": 1}, ensure_ascii=not plain)
        if within:
            line = json.dumps({"body": line})
        told = json.loads(truncated(line.encode()))
        return json.loads(told["body"])["text"] if within else told["text"]

    usual = shortened(one, plain=True, within=False)
    assert shortened(one, plain=plain, within=within) == usual
    assert (shortened(other, plain=plain, within=within) == usual) == (one == other)
    assert length(usual) == (len(one.encode()) if cut(one) else len(one))


def test_many_long_texts_are_cut_each() -> None:
    words = [BEGIN * n for n in range(4, 40)]
    assert same(json.loads(truncated(json.dumps(words).encode())), words)


SOUND = {"text": BEGIN * 9}
JSON_TEXT = json.dumps({"contents": [{"parts": [{"text": "Hi " * 20}] * 20}]})
STAY: dict[str, Callable[[], str]] = {
    "a signature": lambda: json.dumps({"thoughtSignature": "QUJD" * 99}),
    "a signature, in a string": lambda: json.dumps({"body": json.dumps({"thought_signature": "QUJD" * 99})}),
    "arguments": lambda: json.dumps({"arguments": BEGIN * 9}),
    "bytes of our own log": lambda: json.dumps({"bytes": "QUJD" * 99}),
    "a key": lambda: json.dumps({BEGIN * 9: 1}),
    "numbers": lambda: json.dumps({"values": [-1.5e9, True, None] * 99}),
    "JSON in base64": lambda: json.dumps({"data": base64.b64encode(json.dumps(SOUND).encode()).decode()}),
    "JSON of short texts": lambda: json.dumps({"body": JSON_TEXT}),
    "JSON with odd quotes": lambda: '{"body":"' + JSON_TEXT.replace('"', r"\u0022") + '"}',
    "what is almost JSON": lambda: json.dumps({"body": json.dumps(SOUND).replace("begins", "begins\n", 1)}),
    "a line that is no JSON": lambda: json.dumps(SOUND)[:-1],
    "another": lambda: json.dumps(SOUND).replace("it", "\\x"),
    "half a character": lambda: json.dumps(SOUND).replace("it", r"\ud83d"),
    "words": lambda: BEGIN * 9,
}


@pytest.mark.parametrize("line", STAY.values(), ids=STAY)
def test_what_stays_as_it_is(line: Callable[[], str]) -> None:
    raw = line().encode()
    assert truncated(raw) is raw or truncated(raw) == raw


def test_nothing_is_left_out_of_what_is_no_text() -> None:
    raw = json.dumps(SOUND).encode().replace(b"begins", b"begins\xff")
    assert truncated(raw) is raw
