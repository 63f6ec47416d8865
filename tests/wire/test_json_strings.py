"""Strings in JSON are found and cut where they are, whatever stands in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.wire import json_strings
from wirecheck.wire.json_strings import IN_JSON, JSON, StringLevel

WORDS = st.sampled_from(
    ["\\", '"', "\\\\", '\\"', "a", "u00e9", "é", "東京", "🚆", "\n", "/", "\x7f", "ud83d", "f" * 9]
)
TEXTS = st.lists(WORDS, max_size=30).map("".join)
LEVELS = st.sampled_from([JSON, IN_JSON])


def written(text: str, level: StringLevel, *, plain: bool = False) -> bytes:
    """A text as it stands between the quotes."""
    for _ in level.quote:
        text = json.dumps(text, ensure_ascii=not plain)[1:-1]
    return text.encode()


def read(raw: bytes, level: StringLevel) -> str:
    text = raw.decode()
    for _ in level.quote:
        text = json.loads(f'"{text}"')
    return text


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_strings, "NEAR", 8)
    monkeypatch.setattr(json_strings, "PIECE", 24)


@given(st.lists(TEXTS, min_size=1, max_size=5), LEVELS, st.booleans(), st.integers(0, 40))
def test_quotes_are_those_around_strings(texts: list[str], level: StringLevel, plain: bool, begin: int) -> None:
    raw, quotes = b"", []
    for text in texts:
        for piece in (level.quote, written(text, level, plain=plain) + level.quote, b":, "):
            raw += piece
            quotes += [len(raw) - 1] if piece.endswith(level.quote) else []
    at, found = -1, []
    while (at := level.next(raw, at + 1, len(raw))) >= 0:
        found.append(at)
    assert found == quotes
    begin = json_strings.unparted(raw, min(begin, len(raw)))
    assert level.next(raw, begin, len(raw)) == min((at for at in quotes if at >= begin), default=-1)
    assert level.last(raw, 0, begin) == max((at for at in quotes if at < begin), default=-1)


@given(TEXTS, LEVELS, st.booleans())
def test_pieces_of_a_text_are_read_one_by_one(text: str, level: StringLevel, plain: bool) -> None:
    raw = b'{"' + written(text, level, plain=plain)
    pieces = list(level.pieces(raw + b'"', 2, len(raw)))
    assert "".join(read(piece, level) for piece in pieces) == text
    assert all(len(piece) <= 24 for piece in pieces)


@given(TEXTS, LEVELS, st.booleans(), st.data())
def test_characters_are_counted_from_either_end(
    text: str, level: StringLevel, plain: bool, data: st.DataObject
) -> None:
    raw = written(text, level, plain=plain)
    first, last = (data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text))))
    assert read(raw[: level.after(raw, 0, first)], level) == text[:first]
    if last and len(raw) >= json_strings.LONGEST * last:
        assert read(raw[level.rest(raw + b'"', 0, len(raw), last) :], level) == text[-last:]
