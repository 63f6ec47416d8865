"""The lines of `where` and `shape`: `field: value` and `field|modifier: argument`.

MODIFIERS is the closed set. A line becomes a Python expression whose text comes from this file alone: what an author
wrote goes into slots, and the names of fields are those of our own facts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from wirecheck.rules import values
from wirecheck.rules.fields import Field, Path, Unknown, path, suggest

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

ANY = ("text", "number", "boolean", "list", "json", "object")
PLAIN = ("text", "number", "boolean", "json")


class Code(Protocol):
    """What a line is written into: it keeps constants in slots and gives values names."""

    given: str

    def put(self, value: Any) -> str: ...
    def read(self, where: Path) -> str: ...


Test = Callable[[str, Any, Field, Code], str]  # the value's name, the argument → an expression


class Modifier(Struct, frozen=True):
    """One row of the table: what it takes, what it may be asked of, its expression, and how the docs say it."""

    argument: Schema
    takes: str
    families: tuple[str, ...]
    test: Test
    says: str


class Line(Struct, frozen=True):
    """One line, looked up."""

    key: str
    path: Path
    modifier: str
    argument: Any

    def write(self, code: Code) -> str:
        return MODIFIERS[self.modifier].test(code.read(self.path), self.argument, self.path.field, code)

    @property
    def deep(self) -> bool:
        """Whether it looks into a JSON value, which costs more than a field."""
        return bool(self.path.steps) or self.modifier in REFERENCES


def listed(argument: Any) -> tuple[Any, ...]:
    return tuple(argument) if isinstance(argument, list) else (argument,)


def _is(v: str, argument: Any, field: Field, code: Code) -> str:
    """One comparison a family of constants, for `true` is not 1 and only texts are compared without a thought."""
    wanted = listed(argument)
    texts = tuple(each for each in wanted if isinstance(each, str))
    numbers = tuple(each for each in wanted if isinstance(each, (int, float)) and not isinstance(each, bool))
    tests = [f"{v} is {each}" for each in (None, True, False) if any(each is one for one in wanted)]
    if texts:
        tests.append(f"{v} == {code.put(texts[0])}" if len(texts) == 1 else f"{v} in {code.put(texts)}")
    if numbers:
        tests.append(f"(type({v}) is not bool and {v} in {code.put(numbers)})")
    return f"({' or '.join(tests)})"


def _exists(v: str, argument: Any, field: Field, code: Code) -> str:
    return f"{v} is not None" if argument else f"{v} is None"


def _type(v: str, argument: Any, field: Field, code: Code) -> str:
    return f"({' or '.join(values.TYPES[each].format(v=v) for each in listed(argument))})"


def _compare(sign: str) -> Test:
    return lambda v, argument, field, code: f"(type({v}) in _NUMBERS and {v} {sign} {code.put(argument)})"


def _size(sign: str) -> Test:
    return lambda v, argument, field, code: f"0 <= _size({v}) {sign} {code.put(argument)}"


def _contains(v: str, argument: Any, field: Field, code: Code) -> str:
    wanted = listed(argument)
    if field.family != "list":
        return f"_has_any({v}, {code.put(wanted)})"
    return f"{code.put(wanted[0])} in {v}" if len(wanted) == 1 else f"not {code.put(frozenset(wanted))}.isdisjoint({v})"


def _only(v: str, argument: Any, field: Field, code: Code) -> str:
    wanted = code.put(frozenset(argument))
    return f"{wanted}.issuperset({v})" if field.family == "list" else f"_has_only({v}, {wanted})"


def _helper(name: str) -> Test:
    return lambda v, argument, field, code: f"{name}({v}, {code.put(listed(argument))})"


def _pattern(v: str, argument: Any, field: Field, code: Code) -> str:
    return f"{code.put(values.matcher(argument))}({v})"


def _reference(name: str) -> Test:
    return lambda v, argument, field, code: f"{name}({v}, {code.read(path(code.given, argument))})"


def _not(test: Test) -> Test:
    return lambda v, argument, field, code: f"not {test(v, argument, field, code)}"


FIELD: Schema = {"type": "string"}
REFERENCES = {"same-as", "other-than", "less-than", "more-than"}
HOLDERS = ("text", "list", "json")
scalars = "a scalar or a list of scalars"
texts = "a text or a list of texts"
types = "a name or a list: " + ", ".join(values.TYPES)

# In the order of the docs. The first is what a line without a modifier means.
MODIFIERS: dict[str, Modifier] = {
    "": Modifier(SCALARS, scalars, PLAIN, _is, "is the scalar, or one of the list"),
    "in": Modifier(SOME, "a list of scalars", PLAIN, _is, "is one of the list"),
    "not": Modifier(SCALARS, scalars, PLAIN, _not(_is), "is none of them"),
    "not-in": Modifier(SOME, "a list of scalars", PLAIN, _not(_is), "is none of them"),
    "exists": Modifier({"type": "boolean"}, "true or false", ANY, _exists, "is not null (true), or is (false)"),
    "type": Modifier(TYPES, types, PLAIN, _type, "is of that JSON type"),
    "not-type": Modifier(TYPES, "the same", PLAIN, _not(_type), "is of no such type"),
    "min": Modifier({"type": "number"}, "a number", ("number", "json"), _compare(">="), "is a number, this or more"),
    "max": Modifier({"type": "number"}, "a number", ("number", "json"), _compare("<="), "is a number, this or less"),
    "size": Modifier(COUNT, "a whole number", HOLDERS, _size("=="), "is a text, list or object of this length"),
    "min-size": Modifier(COUNT, "a whole number", HOLDERS, _size(">="), "is one of this length or longer"),
    "max-size": Modifier(COUNT, "a whole number", HOLDERS, _size("<="), "is one of this length or shorter"),
    "contains": Modifier(
        TEXTS, texts, HOLDERS, _contains, "is a list (text, object) with one of them as entry (part, key)"
    ),
    "all": Modifier(TEXTS, texts, HOLDERS, _helper("_has_all"), "is one that has all of them"),
    "lacks": Modifier(TEXTS, texts, HOLDERS, _not(_contains), "has none of them, or is no list, text or object"),
    "only": Modifier(
        TEXTS, texts, ("list", "json"), _only, "is a list or object whose every entry or key is one of them"
    ),
    "starts": Modifier(TEXTS, texts, ("text", "json"), _helper("_starts"), "is a text that begins with one of them"),
    "ends": Modifier(TEXTS, texts, ("text", "json"), _helper("_ends"), "is a text that ends with one of them"),
    "pattern": Modifier(
        {"type": "string"},
        "a regular expression (Rust syntax: linear time, no look-around, no back-references)",
        ("text", "json"),
        _pattern,
        "is a text in which it is found",
    ),
    "not-pattern": Modifier(
        {"type": "string"}, "the same", ("text", "json"), _not(_pattern), "is no text, or one in which it is not found"
    ),
    "same-as": Modifier(FIELD, "a field", ANY, _reference("_same"), "equals the value of that field"),
    "other-than": Modifier(FIELD, "a field", ANY, _not(_reference("_same")), "does not equal the value of that field"),
    "less-than": Modifier(FIELD, "a field", ("number", "json"), _reference("_less"), "is smaller; both are numbers"),
    "more-than": Modifier(FIELD, "a field", ("number", "json"), _reference("_more"), "is greater; both are numbers"),
}


def where_schema(says: str) -> Schema:
    """The JSON Schema of lines: the key ends in a modifier, which says what the argument is."""
    return {
        "type": "object",
        "description": says,
        "minProperties": 1,
        "patternProperties": {
            f"^[^|]+\\|{name}$" if name else "^[^|]+$": {**row.argument, "description": f"The value {row.says}."}
            for name, row in MODIFIERS.items()
        },
    }


def faults(given: str, where: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What is wrong with lines, and where."""
    for key, argument in where.items():
        try:
            line(given, key, argument)
        except Unknown as unknown:
            yield (key,), str(unknown)


def line(given: str, key: str, argument: Any) -> Line:
    """Look one line up. Raises Unknown."""
    name, _, modifier = key.partition("|")
    if modifier not in MODIFIERS or key.endswith("|"):
        raise Unknown(f"unknown modifier '{modifier}'{suggest(modifier, filter(None, MODIFIERS))}")
    found = path(given, name)
    row = MODIFIERS[modifier]
    if found.field.family not in row.families:
        raise Unknown(f"'{modifier or 'a value'}' cannot be asked of '{name}', which is {_a(found.field.family)}")
    _fits(name, found.field, modifier, argument)
    if modifier in REFERENCES:
        path(given, argument)
    return Line(key, found, modifier, argument)


def lines(given: str, where: Mapping[str, Any]) -> list[Line]:
    """The lines of a `where`, cheap ones first. Raises Unknown."""
    return sorted((line(given, key, argument) for key, argument in where.items()), key=lambda each: each.deep)


def _fits(name: str, field: Field, modifier: str, argument: Any) -> None:
    """Whether a field can ever have the values it is compared with."""
    if modifier in ("pattern", "not-pattern") and (wrong := values.bad_pattern(argument)):
        raise Unknown(wrong)
    if modifier not in ("", "in", "not", "not-in") or field.family == "json":
        return
    for value in _present(argument):
        if not isinstance(value, PYTHON[field.family]) or isinstance(value, bool) != (field.family == "boolean"):
            raise Unknown(f"'{name}' is {_a(field.family)}, and never {value!r}")
        if field.choices and value not in field.choices:
            raise Unknown(f"'{name}' is never '{value}'{suggest(value, field.choices)}")


PYTHON: dict[str, Any] = {"text": str, "number": (int, float), "boolean": bool}


def _present(argument: Any) -> Sequence[Any]:
    return [value for value in listed(argument) if value is not None]


def _a(family: str) -> str:
    return "JSON" if family == "json" else f"{'an' if family == 'object' else 'a'} {family}"
