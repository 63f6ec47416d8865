"""never, shape, schema."""

from typing import Any

import pytest

from tests.rules.make import answer, content, fact, findings, messages, misses, rule
from wirecheck.talk.facts import PartFact, RequestFact


def test_never_finds_every_fact_that_is_asked_for() -> None:
    made = rule({"never": None}, where={"role": ["function", "tool"]}, message="role {role}")
    facts = [content(1), content(2, role="function"), content(3, role="tool"), content(4, role=None)]
    assert messages(made, facts) == ["2: role function", "3: role tool"]


SHAPES: list[tuple[dict[str, Any], list[str]]] = [
    ({"response|type": "object"}, ["1: response is sunny"]),
    ({"name|min-size": 1}, []),
    ({"name|min-size": 1, "response|type": "object", "id|exists": False}, ["1: response is sunny"]),
    ({"value.response|exists": True, "value.more|exists": True}, ["1: more is nothing"]),
]


@pytest.mark.parametrize(("shape", "found"), SHAPES, ids=str)
def test_shape_names_the_first_line_that_does_not_hold(shape: dict[str, Any], found: list[str]) -> None:
    made = rule({"shape": shape}, given="answer", message="{found.field} is {found.value}")
    assert messages(made, [answer(response="sunny", value={"name": "now", "response": "sunny"})]) == found


PLACES = {
    "response|type": "/contents/0/response",  # a field that is written in the payload
    "id|exists": "/contents/0",  # it is not there: its parent
    "value.deep.0.x|exists": "/contents/0/deep/0",  # as far as the payload goes
    "value.longName|exists": "/contents/0/long_name",  # as the payload spells it
    "turn|exists": "/contents/0",  # no part of the payload
}


@pytest.mark.parametrize(("line", "pointer"), PLACES.items())
def test_shape_points_at_the_field(line: str, pointer: str) -> None:
    made = rule({"shape": {line: "object" if line.endswith("type") else True}}, given="answer")
    value = {"response": "sunny", "deep": [{"y": 1}], "long_name": None}
    (found,) = findings(made, [answer(id=None, response="sunny", value=value)])
    assert found.place.pointer == pointer


def test_what_stands_in_a_request_is_pointed_at_in_its_body() -> None:
    made = rule({"shape": {"body.generationConfig.topK|max": 40}}, given="request")
    (found,) = findings(made, [fact(RequestFact, body={"generationConfig": {"topK": 50}})])
    assert found.place.pointer == "/contents/0/generationConfig/topK"


SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}, "n": {"$ref": "#/$defs/small"}},
    "$defs": {"small": {"maximum": 3}},
}
PAYLOADS: list[tuple[Any, list[tuple[str, str]]]] = [
    ({"name": "x", "n": 3}, []),
    (None, []),
    ([], [("", "/contents/0")]),
    ({"n": 4}, [("", "/contents/0"), ("/n", "/contents/0/n")]),
    ({"name": "X"}, [("/name", "/contents/0/name")]),
]


@pytest.mark.parametrize(("value", "found"), PAYLOADS, ids=str)
def test_schema_finds_each_error_at_its_place(value: Any, found: list[tuple[str, str]]) -> None:
    made = rule({"schema": {"of": "value", "is": SCHEMA}}, given="part", message="{found.path}: {found.problem}")
    said = findings(made, [fact(PartFact, value=value)])
    shown = sorted((each.message.partition(": ")[0].replace('""', ""), each.place.pointer) for each in said)
    assert shown == found


def test_a_schema_says_what_is_wrong_and_not_the_value() -> None:
    made = rule({"schema": {"of": "value", "is": SCHEMA}}, given="part", message="{found.problem}")
    assert messages(made, [fact(PartFact, value="x" * 1000)]) == ['1: the value is not of type "object"']


def test_schema_finds_five_errors_and_no_more() -> None:
    made = rule({"schema": {"of": "value", "is": {"items": {"type": "string"}}}}, given="part")
    assert len(misses(made, [fact(PartFact, value=list(range(100)))])) == 5


def test_schema_survives_what_is_no_json_to_its_engine() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    made = rule({"schema": {"of": "value", "is": {"items": {"items": {"type": "string"}}}}}, given="part")
    assert len(misses(made, [fact(PartFact, value=deep)])) == 1
    assert len(misses(made, [fact(PartFact, value=["\ud800"])])) <= 1
