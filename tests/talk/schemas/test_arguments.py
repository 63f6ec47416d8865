"""The arguments of a call, checked against somebody else's schema: both spellings, and schemas made to hurt."""

from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import work
from wirecheck.talk.schemas import small_validator
from wirecheck.talk.schemas.arguments import Arguments
from wirecheck.talk.schemas.safe_schema import or_null
from wirecheck.talk.schemas.small_validator import SmallValidator

CITY: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def props(**properties: Any) -> dict[str, Any]:
    return {"type": "OBJECT", "properties": properties}


# What is declared, what is called with, and the place and text of what is wrong; None where nothing is.
CASES: dict[str, tuple[Any, Any, tuple[tuple[Any, ...], str] | None]] = {
    "all there": (CITY, {"city": "Rome"}, None),
    "missing": (CITY, {}, ((), '"city" is a required property')),
    "null where it is needed": (CITY, {"city": None}, (("city",), "not of type string")),
    "null where it is not": (props(city={"type": "STRING"}), {"city": None}, None),
    "null where it may be": ({**props(a={"type": "STRING", "nullable": True}), "required": ["a"]}, {"a": None}, None),
    "null among few words": (props(a={"type": "STRING", "enum": ["b"]}), {"a": None}, None),
    "capitals": (props(n={"type": "INTEGER"}), {"n": "1"}, (("n",), "not of type integer")),
    "a whole number with a point": (props(n={"type": "INTEGER"}), {"n": 1.0}, None),
    "the number of a type": (props(n={"type": 3}), {"n": "1"}, (("n",), "not of type integer")),
    "a type nobody knows": (props(n={"type": "ANY"}), {"n": "1"}, None),
    "another word": (props(a={"type": "STRING", "enum": ["b", "c"]}), {"a": "d"}, (("a",), "not one of b, c")),
    "any_of": (props(n={"any_of": [{"type": "INTEGER"}, {"type": "STRING"}]}), {"n": "1"}, None),
    "items": (
        props(tags={"type": "ARRAY", "items": {"type": "STRING"}}),
        {"tags": ["a", 2]},
        (("tags", 1), "not of type string"),
    ),
    "counts in quotes": (props(t={"type": "ARRAY", "max_items": "1"}), {"t": [1, 2]}, (("t",), "the value has more")),
    "an enum of an integer in texts": (props(n={"type": "INTEGER", "enum": ["1", "2"]}), {"n": 1}, None),
    "required and not defined": ({**CITY, "required": ["town"]}, {"city": "Rome"}, None),
    "more than is declared": (CITY, {"city": "Rome", "zone": 1}, None),
    "more than is allowed": ({**CITY, "additionalProperties": False}, {"city": "Rome", "z": 1}, ((), "Additional")),
    "patterns make room for more": (
        {**CITY, "additionalProperties": False, "patternProperties": {"^z": {}}},
        {"city": "Rome", "z": 1},
        None,
    ),
    "a reference": (
        {**props(a={"$ref": "#/$defs/City"}), "$defs": {"City": CITY}, "required": ["a"]},
        {"a": {}},
        (("a",), '"city" is a required property'),
    ),
    "a reference to nothing": (props(a={"$ref": "#/$defs/None"}), {"a": 1}, None),
    "a reference to elsewhere": (props(a={"$ref": "https://example.com/schema.json"}), {"a": 1}, None),
    "a list of types": (props(a={"type": ["string", "null"]}), {"a": 1}, (("a",), "not of type string")),
    "a pattern": (props(a={"type": "STRING", "pattern": "^[0-9]+$"}), {"a": "x"}, (("a",), "the value does not match")),
    "a pattern of another engine": (props(a={"type": "STRING", "pattern": "^(?!x)"}), {"a": "x"}, None),
    "beside a pattern of another engine": (
        {**props(a={"pattern": "(?=x)"}, b={}), "required": ["b"]},
        {"a": "x"},
        ((), '"b" is a required property'),
    ),
    "no schema": ("string", {"a": 1}, None),
}


@pytest.mark.parametrize(("schema", "args", "wrong"), CASES.values(), ids=CASES)
def test_what_is_wrong_with_arguments(schema: Any, args: Any, wrong: tuple[tuple[Any, ...], str] | None) -> None:
    problem = Arguments(schema).problem(args)
    if wrong is None:
        assert problem is None
    else:
        assert problem is not None
        assert problem.path == wrong[0]
        assert problem.text.startswith(wrong[1])


def test_what_is_wrong_comes_before_what_is_too_much() -> None:
    problem = Arguments({**CITY, "additionalProperties": False}).problem({"zone": 1})
    assert problem is not None
    assert (problem.text, problem.extra) == ('"city" is a required property', False)


def twice(depth: int) -> dict[str, Any]:
    """Each definition asks for the next one twice: written out it is 2 to the power of the depth."""
    defs = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(depth)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{depth}": {"type": "string"}}}


def nested(depth: int, inside: Any) -> Any:
    for _ in range(depth):
        inside = {"type": "array", "items": inside}
    return inside


HOSTILE: dict[str, Any] = {
    "a reference to itself": {"$ref": "#"},
    "two that point at each other": {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
    },
    "a tree of itself": {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}},
    "doubling": twice(40),
    "very deep": nested(5000, {"type": "string"}),
    "very wide": {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(50_000)}},
    "a pattern that backtracks": props(a={"pattern": "^(a+)+$"}),
    "a pattern that is huge": props(a={"pattern": "(a{1000}){1000}"}),
    "an id of its own": {"$id": "https://example.com/", "$dynamicRef": "#x", "$anchor": "x", "type": "object"},
    "values of no kind": {"type": {}, "enum": 5, "required": {}, "properties": [], "anyOf": {}, "minimum": "x"},
    "lone surrogates": props(**{"\ud800": {"type": "string", "pattern": "\ud800", "enum": ["\ud800"]}}),
}


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=HOSTILE)
def test_a_schema_made_to_hurt_does_not(schema: Any) -> None:
    args = {"a": {"a": {"a": "a" * 5000 + "b"}}}
    assert work(lambda: Arguments(schema).problem(args)) < 200_000


def test_a_schema_that_points_back_at_itself_is_asked_once() -> None:
    tree = {"type": "object", "properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}}, "required": ["n"]}
    assert Arguments(tree).problem({"n": 1, "child": {"n": 2, "child": {"n": 3}}}) is None
    problem = Arguments(tree).problem({"n": 1, "child": {"n": "2"}})
    assert problem is not None
    assert problem.path == ("child", "n")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("type", "properties", "items", "anyOf", "enum", "required", "$ref", "nullable", "pattern", "a")
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_schema_and_any_arguments_can_be_asked(schema: Any, args: Any) -> None:
    problem = Arguments(schema).problem(args)
    assert problem is None or msgspec.json.encode(problem.text)


KEYS = st.sampled_from("ab")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=6,
)
TYPES = st.lists(
    st.sampled_from(("null", "boolean", "integer", "number", "string", "array", "object")), min_size=1, unique=True
)
LEAVES = st.booleans() | st.fixed_dictionaries(
    {},
    optional={
        "type": TYPES,
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "maxLength": st.just(0),
    },
)
# As talk/schemas/safe_schema.py makes them.
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "properties": st.dictionaries(KEYS, inner | inner.map(or_null), max_size=2),
            "required": st.lists(KEYS, max_size=2, unique=True),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "additionalProperties": inner,
        },
    ),
    max_leaves=6,
)


@given(PLAIN, VALUES)
def test_what_fits_by_hand_fits(schema: Any, value: Any) -> None:
    if SmallValidator(schema).fits(value):
        assert jsonschema_rs.Draft202012Validator(schema).is_valid(value)


SURE: tuple[tuple[dict[str, Any], Any], ...] = (
    (CITY, {"city": "Rome", "zone": 1}),
    (props(n={"type": "INTEGER"}, m={"type": "NUMBER"}), {"n": 1, "m": 1.5}),
    (props(tags={"type": "ARRAY", "items": {"type": "STRING", "enum": ["a", "b"]}}), {"tags": ["a", "b", "a"]}),
    (props(yes={"type": "BOOLEAN"}, one={"type": "STRING"}), {"yes": True, "one": None}),
)


@pytest.mark.parametrize(("schema", "args"), SURE)
def test_most_arguments_need_no_engine(schema: Any, args: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonschema_rs, "Draft202012Validator", None)
    assert Arguments(schema).problem(args) is None


@pytest.mark.parametrize("args", [{"tags": ["a"] * 2 * small_validator.STEPS}, {"tags": ["a"]}])
def test_where_there_is_much_to_look_at_the_engine_does_it(args: Any) -> None:
    arguments = Arguments(props(tags={"type": "ARRAY", "items": {"type": "STRING"}}))
    assert not any([arguments.problem(args) for _ in range(small_validator.STEPS)])
    assert not arguments._by_hand.fits(args)
    assert arguments.problem(args) is None
    assert arguments.problem({"tags": [1]}) is not None
