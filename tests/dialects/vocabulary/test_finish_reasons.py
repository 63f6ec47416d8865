"""Finish reasons that are numbers: the same number is another reason on another surface."""

from typing import Any

import pytest

from wirecheck.dialects.vocabulary.finish_reasons import finish_reason

NUMBERS: dict[str, tuple[Any, str, str | None]] = {
    "a word": ("STOP", "vertex", "STOP"),
    "a word of the future": ("TIRED", "gemini-api", "TIRED"),
    "the end": (1, "gemini-api", "STOP"),
    "a broken call on the Gemini API": (10, "gemini-api", "MALFORMED_FUNCTION_CALL"),
    "a broken call on Vertex AI": (9, "vertex", "MALFORMED_FUNCTION_CALL"),
    "Model Armor": (10, "vertex", "MODEL_ARMOR"),
    "a number of nobody knows whom": (10, "unknown", "10"),
    "a number nobody knows": (99, "vertex", "99"),
    "not yet": (0, "vertex", None),
    "nothing": (None, "vertex", None),
    "true is no number": (True, "vertex", "True"),
}


@pytest.mark.parametrize(("value", "surface", "reason"), NUMBERS.values(), ids=NUMBERS)
def test_a_finish_reason_is_a_word(value: Any, surface: str, reason: str | None) -> None:
    assert finish_reason(value, surface) == reason
