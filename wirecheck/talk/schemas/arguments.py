"""The arguments of a call against the schema its function was declared with.

A schema is somebody else's text: safe_schema.py copies what can be asked, patterns run in linear time, and nothing is
fetched.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import Struct

from wirecheck.talk.schemas.safe_schema import SafeCopy, Schema, SchemaTooBig
from wirecheck.talk.schemas.small_validator import SmallValidator

_ERRORS = 16  # looked at in one call


class ArgumentProblem(Struct, frozen=True):
    """What is wrong with arguments. `extra`: there is only more than was asked for."""

    path: tuple[str | int, ...]
    text: str
    extra: bool


class Arguments:
    """What may be given to one function."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._by_hand = SmallValidator(_copied(schema, patterns=True))

    def fits(self, args: Any) -> bool:
        """Whether that is plain to see."""
        return self._by_hand.fits(args)

    def problem(self, args: Any) -> ArgumentProblem | None:
        """Where the arguments are wrong first, and how. What is wrong comes before what is too much."""
        if self._by_hand.fits(args) or self._valid(args):
            return None
        try:
            found = [self._problem(error) for error in islice(self._made[1].iter_errors(args), _ERRORS)]
        except ValueError:  # no JSON to the validator: a lone surrogate beside what is wrong
            return None
        return min(found, key=lambda each: each.extra, default=None)

    def _valid(self, args: Any) -> bool:
        try:
            return bool(self._made[1].is_valid(args))
        except ValueError:  # no JSON to the validator: a lone surrogate
            return True

    @cached_property
    def _made(self) -> tuple[Any, Any]:
        """The plain schema, and the engine that checks by it."""
        import jsonschema_rs

        for patterns in (True, False):
            plain = _copied(self._schema, patterns=patterns)
            try:
                return plain, jsonschema_rs.Draft202012Validator(
                    plain, pattern_options=jsonschema_rs.RegexOptions(), validate_formats=False, mask="the value"
                )
            except RecursionError:
                break
            except ValueError:  # a pattern that only other engines know, for the second time something else
                continue
        return True, jsonschema_rs.Draft202012Validator(True)

    def _problem(self, error: Any) -> ArgumentProblem:
        wanted, keyword = self._made[0], ""
        for keyword in error.schema_path:
            wanted = wanted[keyword]
        text = _TEXTS[keyword](wanted) if keyword in _TEXTS else error.message
        return ArgumentProblem(tuple(error.instance_path), text, extra=keyword == "additionalProperties")


def _but_null(wanted: Any) -> str:
    """What is asked for. That null is let pass is not said: it is no answer."""
    listed = wanted if isinstance(wanted, list) else [wanted]
    return ", ".join(str(each) for each in listed if each not in (None, "null")) or "null"


_TEXTS: dict[Any, Callable[[Any], str]] = {
    "type": lambda wanted: f"not of type {_but_null(wanted)}",
    "enum": lambda wanted: f"not one of {_but_null(wanted)}",
}


def _copied(schema: Any, *, patterns: bool) -> Schema | bool:
    """The plain schema; one that is none, or is too big, asks for nothing."""
    try:
        return SafeCopy(schema, patterns).of(schema) if isinstance(schema, dict) else True
    except (SchemaTooBig, RecursionError):
        return True
