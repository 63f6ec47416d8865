"""schema: a JSON Schema that a value has to match.

jsonschema-rs validates it, with its linear-time regex engine, and without fetching any remote $ref.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from wirecheck.rules.checks.base import Check, Fault, Found, options
from wirecheck.rules.language.compiler import GeneratedFunction
from wirecheck.rules.language.fields import path, pick
from wirecheck.rules.language.payload_place import within
from wirecheck.talk.facts import Fact

MOST = 5


class SchemaCheck(Check):
    """A JSON Schema (2020-12) that a value has to match. null is ignored."""

    OPTIONS = options(
        ("of", "is"),
        of={"type": "string", "description": "The path of the value."},
        is_={"type": ["object", "boolean"], "description": "The schema. `$ref` only within it (`#/…`)."},
    )
    FIELDS = ("of",)
    FOUND = ("path", "problem")

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self._of = path(given, options["of"])
        self._validator: Any = None

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        yield from super().faults(given, options)
        if places := list(_far(options["is"], ("is",))):
            yield from ((place, f"a '{place[-1]}' has to begin with '#'") for place in places)
            return
        try:
            _validator(options["is"])
        except ValueError as error:
            yield ("is",), f"no JSON Schema: {str(error).partition(chr(10))[0]}"

    def broken(self, code: GeneratedFunction) -> str:
        value = code.read(self._of)
        return f"{value} is not None and not {code.put(self._valid)}({value})"

    def look(self, fact: Fact) -> Iterator[Found]:
        value = pick(fact, self._of)
        try:
            for error in islice(self._validator.iter_errors(value), MOST):
                steps = tuple(error.instance_path)
                said = {"path": "".join(f"/{step}" for step in steps), "problem": error.message}
                yield Found(fact, said, steps=within(fact, self._of, steps))
        except ValueError as error:
            yield Found(fact, {"path": "", "problem": str(error)})

    def _valid(self, value: Any) -> bool:
        if self._validator is None:
            self._validator = _validator(self.options["is"])
        try:
            return bool(self._validator.is_valid(value))
        except ValueError:  # the validator refuses it: nested too deep, a lone surrogate
            return False


def _validator(schema: Any) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(
        schema,
        pattern_options=jsonschema_rs.RegexOptions(),
        retriever=_nowhere,
        validate_formats=False,
        mask="the value",
    )


def _nowhere(uri: str) -> Any:
    raise ValueError("a schema is fetched from nowhere")


def _far(schema: Any, place: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """The places of references to other documents."""
    entries = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, value in entries:
        if key in ("$ref", "$dynamicRef", "$id") and isinstance(value, str):
            if not value.startswith("#"):
                yield (*place, key)
        else:
            yield from _far(value, (*place, key))
