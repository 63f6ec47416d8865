"""Marks of equal secrets are equal in a run, whatever stands around them, and are never marked again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redacting.planting import FORMS
from wirecheck.secrets.counted_marks import SecretMarks
from wirecheck.secrets.redaction_marks import IS_MARK, is_cut
from wirecheck.secrets.scrub import scrub

KEY = "AIza" + "Zq3xV7K" * 5


@given(st.text(max_size=40), st.text(max_size=40), st.binary(min_size=1, max_size=64))
def test_a_mark_says_whether_two_are_equal_and_nothing_else(one: str, other: str, key: bytes) -> None:
    marks = SecretMarks(key)
    first = marks("key", one)
    assert IS_MARK.fullmatch(first)
    assert first == marks("token", one)
    assert is_cut(first)
    assert one.strip() != other.strip() or first == marks("key", other)


@pytest.mark.parametrize("written", ["{}", "Bearer {}", " bearer  {} ", "Basic {}", "{}%20"])
def test_the_same_key_is_the_same_with_the_word_before_it(written: str) -> None:
    marks = SecretMarks(b"k")
    assert marks("x", written.format(KEY)) == marks("x", KEY)
    assert marks("x", KEY) != SecretMarks(b"l")("x", KEY)


def test_what_was_cut_is_counted_by_kind() -> None:
    marks = SecretMarks()
    assert (
        scrub(f"{KEY} {KEY} password=x1 Cookie: a=b", marks)
        == "[redacted] [redacted] password=[redacted] Cookie: [redacted]"
    )
    assert dict(marks.counts) == {"API key": 2, "password": 1, "cookie": 1}


@pytest.mark.parametrize("secret", FORMS.values(), ids=FORMS)
def test_a_mark_is_not_marked_again(secret: str) -> None:
    marks = SecretMarks(b"k")
    for around in (
        "{}",
        '{{"authorization": "{}"}}',
        "https://x/?key={}&a=1",
        "password: {}",
        "Cookie: a={}",
        "a://b:{}@c",
    ):
        once = scrub(around.format(secret), marks)
        many = marks.counts.total()
        assert scrub(once, marks) == once
        assert marks.counts.total() == many


@pytest.mark.parametrize("text", ["REDACTED", "[REDACTED]", "<filtered>", "XXXX", "**REDACTED**", "[redacted]; ["])
def test_what_others_cut_is_cut(text: str) -> None:
    assert is_cut(text)


@pytest.mark.parametrize("text", ["secret", "hidden-gem", "x1", "redactedly", "[redacted]a", "xX", "password", "!@#&"])
def test_what_may_be_a_secret_is_not(text: str) -> None:
    assert not is_cut(text)
