"""What is wrong with a schema, by the Schema of Gemini: each flaw once, where it stands, and none in a sound one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import work
from wirecheck.talk.schemas.schema_flaws import flaws

TEXT = {"type": "STRING"}


def props(**properties: Any) -> dict[str, Any]:
    return {"type": "OBJECT", "properties": properties}


def found(schema: Any) -> list[tuple[str, str, str]]:
    return [(flaw.what, flaw.word, ".".join(map(str, flaw.steps))) for flaw in flaws(schema)]


SOUND: dict[str, Any] = {
    "an object": {**props(city=TEXT), "required": ["city"]},
    "small letters and numbers": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": 3}}},
    "snake_case": props(a={"any_of": [TEXT], "max_items": None}, b={"type": "ARRAY", "items": TEXT, "max_items": "3"}),
    "no properties": {"type": "OBJECT", "properties": {}},
    "nothing at all": {},
    "properties named like keywords": props(**{"$ref": TEXT, "const": TEXT, "type": TEXT, "properties": TEXT}),
    "null for what is left out": props(a={"type": "STRING", "items": None, "enum": None, "properties": None}),
    "one word of few": props(a={"type": "STRING", "format": "enum", "enum": ["a", "b"]}),
}


@pytest.mark.parametrize("schema", SOUND.values(), ids=SOUND)
def test_a_sound_schema_has_no_flaw(schema: Any) -> None:
    assert found(schema) == []


FLAWED: dict[str, tuple[Any, list[tuple[str, str, str]]]] = {
    "an unknown keyword, deep": (
        props(a={"type": "ARRAY", "items": {"anyOf": [{"type": "STRING", "const": "x"}]}}),
        [("unknown-keyword", "const", "properties.a.items.anyOf.0.const")],
    ),
    "a reference of JSON Schema needs no type": (
        props(a={"$ref": "#/$defs/a"}),
        [("unknown-keyword", "$ref", "properties.a.$ref")],
    ),
    "items beside the list they belong into": (
        props(a={"items": TEXT, "anyOf": [{"type": "ARRAY"}, {"type": "NULL"}]}),
        [("anyof-siblings", "items", "properties.a")],
    ),
    "what only Vertex has": (
        {**props(a=TEXT), "additionalProperties": False},
        [("vertex-keyword", "additionalProperties", "additionalProperties")],
    ),
    "in snake_case too": (
        {**props(a=TEXT), "additional_properties": False},
        [("vertex-keyword", "additional_properties", "additional_properties")],
    ),
    "a tuple is one mistake": (
        props(a={"type": "ARRAY", "prefixItems": [TEXT]}),
        [("unknown-keyword", "prefixItems", "properties.a.prefixItems")],
    ),
    "a dictionary has properties of its own": (
        props(a={"type": "OBJECT", "additionalProperties": TEXT}),
        [("vertex-keyword", "additionalProperties", "properties.a.additionalProperties")],
    ),
    "types in a list": (props(a={"type": ["string", "null"]}), [("type-list", "string, null", "properties.a.type")]),
    "no type, but what JSON Schema has instead": (
        props(a={"oneOf": [TEXT]}, b={"const": 1}),
        [("unknown-keyword", "oneOf", "properties.a.oneOf"), ("unknown-keyword", "const", "properties.b.const")],
    ),
    "no type, but words": (props(a={"enum": ["x"]}), [("type-missing", "a", "properties.a")]),
    "the type that is none": (props(a={"type": "TYPE_UNSPECIFIED"}), [("type-missing", "a", "properties.a")]),
    "true for a type": (props(a={"type": True}), [("type-invalid", "boolean", "properties.a.type")]),
    "a schema that is true": (props(a=True), [("not-object", "boolean", "properties.a")]),
    "no schema at all": ("object", [("not-object", "text", "")]),
    "one for alternatives": (props(a={"anyOf": {"type": "any"}}), [("type-invalid", "any", "properties.a.anyOf.type")]),
    "items beside alternatives": (
        props(a={"items": TEXT, "anyOf": [TEXT]}),
        [("anyof-siblings", "items", "properties.a")],
    ),
    "more than alternatives": (
        props(a={"type": "ARRAY", "items": TEXT, "anyOf": [TEXT], "title": "t"}),
        [("anyof-typed", "items", "properties.a")],
    ),
    "alternatives of a type that only narrow it": (
        props(a={"type": "STRING", "anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}),
        [("anyof-annotated", "type", "properties.a")],
    ),
    "a text as the whole": ({"type": "STRING", "enum": ["a"]}, [("root-not-object", "STRING", "")]),
    "items of any kind": (props(a={"type": "ARRAY", "items": {}}), [("item-untyped", "items", "properties.a.items")]),
    "each that is not defined": (
        {**props(a=TEXT), "required": ["a", "b", "c"]},
        [("required-undefined", "b", "required.1"), ("required-undefined", "c", "required.2")],
    ),
    "a reference with a type": (
        {**props(a={"ref": "#/defs/a", "type": "STRING"}), "defs": {"a": TEXT}},
        [
            ("vertex-keyword", "defs", "defs"),
            ("vertex-keyword", "ref", "properties.a.ref"),
            ("ref-siblings", "type", "properties.a"),
        ],
    ),
}


@pytest.mark.parametrize(("schema", "flawed"), FLAWED.values(), ids=FLAWED)
def test_a_flaw_is_found_once_and_where_it_stands(schema: Any, flawed: list[tuple[str, str, str]]) -> None:
    assert sorted(found(schema)) == sorted(flawed)


def test_a_schema_without_end_is_left_after_a_while() -> None:
    deep: Any = TEXT
    for _ in range(50_000):
        deep = {"type": "ARRAY", "items": deep}
    wide = props(**{f"p{n}": TEXT for n in range(100_000)})
    assert found(deep)[0][0] == "root-not-object"
    assert [flaw[0] for flaw in found(props(a=deep))] == ["too-deep"]
    assert work(lambda: found(wide)) < 2_000_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("type", "properties", "items", "anyOf", "enum", "required", "ref", "format", "a")),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_every_flaw_of_any_schema_leads_to_a_place_in_it(schema: Any) -> None:
    for flaw in flaws(schema):
        value = schema
        for step in flaw.steps[:-1]:
            value = value[step]
        assert not flaw.steps or isinstance(value, dict | list)
