"""The modifiers of `field|modifier: argument`: a closed set, one row each.

A row has the schema of its argument, the types of fields it applies to, and the Python expression it becomes. The
expression comes from this module alone: what an author wrote goes into slots.
"""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from wirecheck.rules.language import values
from wirecheck.rules.language.fields import Family, Field, FieldPath, path

Schema = dict[str, Any]

SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
SCALARS: Schema = {"type": ["string", "number", "boolean", "null", "array"], "items": SCALAR, "minItems": 1}
TEXTS: Schema = {"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1}
SOME: Schema = {"type": "array", "items": SCALAR, "minItems": 1}
COUNT: Schema = {"type": "integer", "minimum": 0}
TYPES: Schema = {
    "type": ["string", "array"],
    "items": {"enum": list(values.TYPES)},
    "minItems": 1,
    "if": {"type": "string"},
    "then": {"enum": list(values.TYPES)},
}

ANY: tuple[Family, ...] = ("text", "number", "boolean", "list", "json", "object")
PLAIN: tuple[Family, ...] = ("text", "number", "boolean", "json")


class CodeWriter(Protocol):
    """What a condition is compiled into: puts constants into slots, and gives values names."""

    given: str

    def put(self, value: Any) -> str: ...
    def read(self, where: FieldPath) -> str: ...


Test = Callable[[str, Any, Field, CodeWriter], str]  # the value's name, the argument → an expression


class Modifier(Struct, frozen=True):
    """One row of the table: its argument, the types of fields it applies to, its expression, and its line in the
    docs."""

    argument: Schema
    takes: str
    families: tuple[Family, ...]
    test: Test
    says: str


def listed(argument: Any) -> tuple[Any, ...]:
    return tuple(argument) if isinstance(argument, list) else (argument,)


def _is(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    """Compares by type of constant: Python's True equals 1, so only texts can be compared directly."""
    wanted = listed(argument)
    texts = tuple([each for each in wanted if isinstance(each, str)])
    others = [each for each in wanted if not isinstance(each, str)]  # most have none
    numbers = tuple([each for each in others if isinstance(each, (int, float)) and not isinstance(each, bool)])
    tests = [f"{v} is {each}" for each in (None, True, False) if any([each is one for one in others])]
    if texts:
        tests.append(f"{v} == {code.put(texts[0])}" if len(texts) == 1 else f"{v} in {code.put(texts)}")
    if numbers:
        tests.append(f"(type({v}) is not bool and {v} in {code.put(numbers)})")
    return f"({' or '.join(tests)})"


def _exists(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    return f"{v} is not None" if argument else f"{v} is None"


def _type(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    return f"({' or '.join(values.TYPES[each].format(v=v) for each in listed(argument))})"


def _compare(sign: str) -> Test:
    return lambda v, argument, field, code: f"(type({v}) in _NUMBERS and {v} {sign} {code.put(argument)})"


def _size(sign: str) -> Test:
    return lambda v, argument, field, code: f"(isinstance({v}, _HOLDERS) and len({v}) {sign} {code.put(argument)})"


def _contains(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    wanted = listed(argument)
    if field.family != "list":
        return f"_has_any({v}, {code.put(wanted)})"
    held = f"({v} or ())"  # the value may be null
    if len(wanted) == 1:
        return f"{code.put(wanted[0])} in {held}"
    return f"not {code.put(frozenset(wanted))}.isdisjoint({held})"


def _only(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    return f"_has_only({v}, {code.put(frozenset(listed(argument)))})"


def _helper(name: str) -> Test:
    return lambda v, argument, field, code: f"{name}({v}, {code.put(listed(argument))})"


def _pattern(v: str, argument: Any, field: Field, code: CodeWriter) -> str:
    return f"_matches({v}, {code.put(argument)})"


def _reference(name: str) -> Test:
    return lambda v, argument, field, code: f"{name}({v}, {code.read(path(code.given, argument))})"


def _not(test: Test) -> Test:
    return lambda v, argument, field, code: f"not {test(v, argument, field, code)}"


TEXT: Schema = {"type": "string"}
ONE_OR_MORE = "a text or a list of texts"
TEXTUAL: tuple[Family, ...] = ("text", "json")
NUMERIC: tuple[Family, ...] = ("number", "json")
REFERENCES = {"same-as", "other-than", "less-than", "more-than"}
HOLDERS: tuple[Family, ...] = ("text", "list", "json")

# In the order of the docs. The first is for a condition without a modifier.
MODIFIERS: dict[str, Modifier] = {
    "": Modifier(SCALARS, "a scalar or a list of scalars", PLAIN, _is, "is the scalar, or one of the list"),
    "in": Modifier(SOME, "a list of scalars", PLAIN, _is, "is one of the list"),
    "not": Modifier(SCALARS, "a scalar or a list of scalars", PLAIN, _not(_is), "is none of them"),
    "not-in": Modifier(SOME, "a list of scalars", PLAIN, _not(_is), "is none of them"),
    "exists": Modifier({"type": "boolean"}, "true or false", ANY, _exists, "is not null (true), or is (false)"),
    "type": Modifier(TYPES, f"a name or a list: {', '.join(values.TYPES)}", PLAIN, _type, "is of that JSON type"),
    "not-type": Modifier(TYPES, "the same", PLAIN, _not(_type), "is of no such type"),
    "min": Modifier({"type": "number"}, "a number", NUMERIC, _compare(">="), "is a number, this or more"),
    "max": Modifier({"type": "number"}, "a number", NUMERIC, _compare("<="), "is a number, this or less"),
    "size": Modifier(COUNT, "a whole number", HOLDERS, _size("=="), "is a text, list or object of this length"),
    "min-size": Modifier(COUNT, "a whole number", HOLDERS, _size(">="), "is one of this length or longer"),
    "max-size": Modifier(COUNT, "a whole number", HOLDERS, _size("<="), "is one of this length or shorter"),
    "contains": Modifier(
        TEXTS, ONE_OR_MORE, HOLDERS, _contains, "is a list (text, object) with one of them as entry (part, key)"
    ),
    "all": Modifier(TEXTS, ONE_OR_MORE, HOLDERS, _helper("_has_all"), "is one that has all of them"),
    "lacks": Modifier(TEXTS, ONE_OR_MORE, HOLDERS, _not(_contains), "has none of them, or is no list, text or object"),
    "only": Modifier(
        TEXTS, ONE_OR_MORE, ("list", "json"), _only, "is a list or object whose every entry or key is one of them"
    ),
    "starts": Modifier(TEXTS, ONE_OR_MORE, TEXTUAL, _helper("_starts"), "is a text that begins with one of them"),
    "ends": Modifier(TEXTS, ONE_OR_MORE, TEXTUAL, _helper("_ends"), "is a text that ends with one of them"),
    "pattern": Modifier(
        TEXT,
        "a regular expression (Rust syntax: linear time, no look-around, no back-references)",
        TEXTUAL,
        _pattern,
        "is a text in which it is found",
    ),
    "not-pattern": Modifier(TEXT, "the same", TEXTUAL, _not(_pattern), "is no text, or one in which it is not found"),
    "same-as": Modifier(TEXT, "a field", ANY, _reference("_same"), "equals the value of that field"),
    "other-than": Modifier(TEXT, "a field", ANY, _not(_reference("_same")), "does not equal the value of that field"),
    "less-than": Modifier(TEXT, "a field", NUMERIC, _reference("_less"), "is smaller; both are numbers"),
    "more-than": Modifier(TEXT, "a field", NUMERIC, _reference("_more"), "is greater; both are numbers"),
}
