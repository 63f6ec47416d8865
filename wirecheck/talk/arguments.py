"""The arguments of a call against the schema its function was declared with.

A schema is somebody else's text: harmless.py copies what can be asked, patterns run in linear time, and nothing is
fetched.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any

from msgspec import Struct

from wirecheck.talk.harmless import Copy, Schema, TooBig

_ERRORS = 16  # looked at in one call


class Problem(Struct, frozen=True):
    """What is wrong with arguments. `extra`: there is only more than was asked for."""

    path: tuple[str | int, ...]
    text: str
    extra: bool


class Arguments:
    """What may be given to one function."""

    def __init__(self, schema: Any) -> None:
        self._plain: Any = None
        self._validator: Any = None
        if isinstance(schema, dict):
            self._plain, self._validator = _made(schema)

    def fit(self, args: Any) -> bool:
        """Whether these are as asked for."""
        try:
            return self._validator is None or self._validator.is_valid(args)
        except ValueError:  # no JSON to the validator: nested too deep, a lone surrogate
            return True

    def problem(self, args: Any) -> Problem | None:
        """Where the arguments are wrong first, and how. What is wrong comes before what is too much."""
        if self.fit(args):
            return None
        found = [self._problem(error) for error in islice(self._validator.iter_errors(args), _ERRORS)]
        return min(found, key=lambda each: each.extra, default=None)

    def _problem(self, error: Any) -> Problem:
        wanted, keyword = self._plain, ""
        for keyword in error.schema_path:
            wanted = wanted[keyword]
        text = _TEXTS[keyword](wanted) if keyword in _TEXTS else error.message
        return Problem(tuple(error.instance_path), text, extra=keyword == "additionalProperties")


def _but_null(wanted: Any) -> str:
    """What is asked for. That null is let pass is not said: it is no answer."""
    listed = wanted if isinstance(wanted, list) else [wanted]
    return ", ".join(str(each) for each in listed if each not in (None, "null")) or "null"


_TEXTS: dict[Any, Callable[[Any], str]] = {
    "type": lambda wanted: f"not of type {_but_null(wanted)}",
    "enum": lambda wanted: f"not one of {_but_null(wanted)}",
}


def _made(schema: Schema) -> tuple[Any, Any]:
    """The plain schema, and what checks it."""
    import jsonschema_rs

    for patterns in (True, False):
        try:
            plain = Copy(schema, patterns).of(schema)
            return plain, jsonschema_rs.Draft202012Validator(
                plain, pattern_options=jsonschema_rs.RegexOptions(), validate_formats=False, mask="the value"
            )
        except (TooBig, RecursionError):
            return None, None
        except ValueError:  # a pattern that only other engines know, for the second time something else
            continue
    return None, None
