"""Small values as other programs write them."""

import pytest
from msgspec import Raw

from wirecheck.sources import lenient


@pytest.mark.parametrize(
    ("written", "at"),
    [(b"1.5", 1.5), (b"2", 2.0), (b'"2"', None), (b"null", None), (b"1" + b"0" * 400, None)],
)
def test_a_time_is_a_number_or_none(written: bytes, at: float | None) -> None:
    assert lenient.seconds(Raw(written)) == at
