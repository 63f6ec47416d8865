"""Helpers of compiled conditions: tests for JSON types, and what is too long for an expression.

Values are decoded JSON: dict, list and scalars. These never raise, whatever the value is.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

NUMBERS = (int, float)
HOLDERS = (str, list, tuple, dict)

# Tests for JSON types, as expressions over a value.
TYPES = {
    "null": "{v} is None",
    "boolean": "type({v}) is bool",
    "integer": "type({v}) is int",
    "number": "type({v}) in _NUMBERS",
    "string": "isinstance({v}, str)",
    "array": "isinstance({v}, _ARRAY)",
    "object": "isinstance({v}, _OBJECT)",
}


def has_any(value: Any, wanted: tuple[str, ...]) -> bool:
    return isinstance(value, HOLDERS) and any([each in value for each in wanted])


def has_all(value: Any, wanted: tuple[str, ...]) -> bool:
    return isinstance(value, HOLDERS) and all([each in value for each in wanted])


def has_only(value: Any, allowed: Collection[str]) -> bool:
    return isinstance(value, (list, tuple, dict)) and all(isinstance(one, str) and one in allowed for one in value)


def starts(value: Any, heads: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value.startswith(heads)


def ends(value: Any, tails: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value.endswith(tails)


def same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def less(one: Any, other: Any) -> bool:
    return type(one) in NUMBERS and type(other) in NUMBERS and one < other


def more(one: Any, other: Any) -> bool:
    return less(other, one)


def matches(value: Any, pattern: str) -> bool:
    """Whether a text contains a match of a pattern. Uses Rust's regex engine, which takes linear time."""
    try:
        return isinstance(value, str) and bool(_validator(pattern).is_valid(value))
    except UnicodeEncodeError:  # a lone surrogate, which the engine refuses
        return False


# The names that compiled code may use besides its slots.
HELPERS: dict[str, Any] = {
    "_NUMBERS": NUMBERS,
    "_ARRAY": (list, tuple),
    "_OBJECT": dict,
    "_HOLDERS": HOLDERS,
    "_has_any": has_any,
    "_has_all": has_all,
    "_has_only": has_only,
    "_starts": starts,
    "_ends": ends,
    "_same": same,
    "_less": less,
    "_more": more,
    "_matches": matches,
}


def bad_pattern(pattern: str) -> str | None:
    """What is wrong with a pattern, or None."""
    try:
        _validator(pattern)
    except ValueError:
        return f"'{pattern}' is no regular expression (Rust syntax; without look-around and back-references)"
    return None


@lru_cache(maxsize=1024)
def _validator(pattern: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions())
