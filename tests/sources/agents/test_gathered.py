"""Contents that were put together: findings point to where each piece of them stands in the file."""

import json

import pytest

from wirecheck.dialects.messages import Spot, Step
from wirecheck.sources.agents import gathered
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.composed_node import ComposedNode
from wirecheck.wire.records import Origin, Site

WRITTEN = {
    "say": "I look.",
    "calls": [{"call_id": "n1", "name": "needed", "arguments": {"a/b": [1]}}],
    "out": {"call_id": "n1", "output": "leeks"},
    "part": {"text": "Hi", "more": {"x": 1}},
    "bare": {"id": "n2", "name": "f", "args": {"y": 1}},
}
AT = JsonNode(json.dumps(WRITTEN).encode(), Site(Origin("x", 3), "/held"))
CALL = next(iter(AT["calls"]))
PARTS = [
    gathered.text(AT["say"]),
    gathered.call(CALL, id=CALL["call_id"], name=CALL["name"], args=CALL["arguments"]),
    gathered.response(AT["out"], id=AT["out"]["call_id"], name=AT["out"]["name"], output=AT["out"]["output"]),
    gathered.part(AT["part"]),
    gathered.wrapped("functionCall", AT["bare"]),
]


def test_the_content() -> None:
    assert json.loads(gathered.content(AT.site, "model", PARTS).raw) == {
        "role": "model",
        "parts": [
            {"text": "I look."},
            {"functionCall": {"id": "n1", "name": "needed", "args": {"a/b": [1]}}},
            {"functionResponse": {"id": "n1", "response": {"output": "leeks"}}},
            {"text": "Hi", "more": {"x": 1}},
            {"functionCall": {"id": "n2", "name": "f", "args": {"y": 1}}},
        ],
    }


@pytest.mark.parametrize(
    ("steps", "pointer"),
    [
        ((), "/held"),
        (("parts",), "/held"),
        (("parts", 0), "/held/say"),
        (("parts", 0, "text"), "/held/say"),
        (("parts", 1), "/held/calls/0"),
        (("parts", 1, "functionCall"), "/held/calls/0"),
        (("parts", 1, "functionCall", "id"), "/held/calls/0/call_id"),
        (("parts", 1, "functionCall", "args", "a/b", 0), "/held/calls/0/arguments/a~1b/0"),
        (("parts", 2, "functionResponse", "id"), "/held/out/call_id"),
        (("parts", 2, "functionResponse", "name"), "/held/out"),
        (("parts", 2, "functionResponse", "response", "output"), "/held/out"),
        (("parts", 3, "more", "x"), "/held/part/more/x"),
        (("parts", 4), "/held/bare"),
        (("parts", 4, "functionCall", "args", "y"), "/held/bare/args/y"),
    ],
)
def test_the_places(steps: tuple[Step, ...], pointer: str) -> None:
    place = Spot(gathered.content(AT.site, "model", PARTS).site, steps).place()
    assert (place.line, place.pointer, place.inner) == (3, pointer, None)


@pytest.mark.parametrize("role", ['"', 'x","parts":[', "\\", "\n", "ü", ""])
def test_any_role(role: str) -> None:
    assert json.loads(gathered.content(AT.site, role, []).raw) == {"role": role, "parts": []}


def test_within_a_text() -> None:
    node = JsonNode(json.dumps(json.dumps(WRITTEN)).encode(), Site(Origin("x", 1), "/log")).inner()
    place = Spot(gathered.content(node.site, "model", [gathered.part(node["part"])]).site, ("parts", 0, "more")).place()
    assert (place.pointer, place.inner and place.inner.pointer) == ("/log", "/part/more")


def test_parts_that_are_not_shown_and_texts_that_are_none() -> None:
    parts = [gathered.named(AT["part"], "blob"), gathered.text(AT["calls"]), gathered.text(AT["say"], thought=True)]
    assert json.loads(gathered.content(AT.site, "user", parts).raw)["parts"] == [
        {"text": "[blob]"},
        {"text": ""},
        {"text": "I look.", "thought": True},
    ]
    long = gathered.named(AT["part"], "x" * 1000)
    assert len(long.raw) < 100


def test_a_place_does_not_lead_on_into_a_text() -> None:
    """Nor into a value that was put together."""
    written = {"id": "n1", "name": "f", "args": '{"a": 1}', "list": []}
    call = JsonNode(json.dumps(written).encode(), Site(Origin("x", 3), "/held"))
    within = gathered.call(call, id=call["id"], name=call["name"], args=call["args"].inner())
    composed = ComposedNode(Site(Origin("x", 3), "/held/list"), {"a": call["id"]})
    beside = gathered.call(call, id=call["id"], name=call["name"], args=composed)
    spot = Spot(gathered.content(call.site, "model", [within, beside]).site)
    assert spot.to("parts", 0, "functionCall", "args", "a").place().pointer == "/held/args"
    assert spot.to("parts", 1, "functionCall", "args", "a").place().pointer == "/held/list"
