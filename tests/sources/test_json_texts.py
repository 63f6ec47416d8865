"""A string is read in pieces, and is what it would be as a whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from wirecheck.sources import json_texts, reply_bodies
from wirecheck.wire import json_strings
from wirecheck.wire.records import Body, Origin, Site

SITE = Site(Origin("log.jsonl", 1), "/response/body")
WORDS = st.sampled_from(
    ["\\", '"', "a", "u00e9", "é", "東京", "🚆", "\n", "\r\n\r\n", "data: ", "{}", "[1]", "fffffffff"]
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_strings, "NEAR", 8)
    monkeypatch.setattr(json_texts, "PIECE", 16)


@given(st.lists(WORDS).map("".join), st.booleans(), st.booleans())
def test_a_string_in_pieces(text: str, plain: bool, raw: bool) -> None:
    written = json.dumps(text, ensure_ascii=not plain).encode()
    body = json_texts.of_value(Raw(written) if raw else written, SITE)
    assert body is not None
    assert body.raw == text.encode()


@given(st.lists(WORDS).map("".join), st.booleans())
def test_a_stream_in_pieces(text: str, plain: bool) -> None:
    text = f"data: {text}"
    found = list(reply_bodies.bodies(Raw(json.dumps(text, ensure_ascii=not plain).encode()), SITE))
    assert found == (list(reply_bodies.stream([text.encode()], SITE)) or [Body(text.encode(), SITE, "text")])
