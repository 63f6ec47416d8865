"""Attributes by name, whoever wrote them, and values that were flattened."""

import json
from typing import Any

import pytest

from tests.sources.telemetry.traces import key_values
from wirecheck.sources.formats.node import JsonNode, text
from wirecheck.sources.telemetry.attributes import any_value, attributes, composed
from wirecheck.wire.records import Origin, Site


def node(value: Any) -> JsonNode:
    return JsonNode(json.dumps(value).encode(), Site(Origin("x", 1), "/held"))


FOUND = {"a": "x", "b.c": "y", "n": 7, "list": ["x", {"k": "v"}], "object": {"k": {"deep": ["z"]}}, "none": None}


def test_both_forms_hold_the_same() -> None:
    plain, typed = attributes(node(FOUND)), attributes(node(key_values(FOUND)))
    assert {name: each.value() for name, each in plain.items()} == FOUND
    assert {name: each.value() for name, each in typed.items()} == {**FOUND, "n": "7"}


def test_places_in_otlp() -> None:
    """Each leads to what stands there."""
    written = key_values(FOUND)
    found = attributes(node(written))
    item, member = list(found["list"])[1]["k"], next(iter(found["object"]["k"]["deep"]))
    for each in (found["a"], item, member):
        held: Any = written
        for step in each.site.pointer.removeprefix("/held").split("/")[1:]:
            held = held[int(step)] if isinstance(held, list) else held[step]
        assert held == text(each)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"stringValue": "x"}, "x"),
        ({"string_value": "x"}, "x"),
        ({"boolValue": True}, True),
        ({"doubleValue": 1.5}, 1.5),
        ({"arrayValue": {}}, []),
        ({"array_value": {"values": [{"intValue": "1"}, {}]}}, ["1", None]),
        ({"kvlistValue": {"values": [{"key": "k"}, {"value": {"stringValue": "v"}}, 7]}}, {"k": None, "": None}),
        ({"bytesValue": "eA=="}, None),
        ({}, None),
        (7, None),
        (None, None),
    ],
)
def test_any_value(value: Any, found: Any) -> None:
    assert any_value(node(value)).value() == found


@pytest.mark.parametrize("written", [7, "x", None, [], [7, {"key": 7}, {"key": "", "value": {}}, {"x": 1}], {}])
def test_what_is_none(written: Any) -> None:
    assert attributes(node(written)) == {}


def test_what_was_flattened() -> None:
    flat = {
        "m.10.x": "k",
        "m.0.x": "a",
        "m.2": "c",
        "m.0.y.1.z": "b",
        "m.0.y.0": "d",
        "mm.0": "no",
        "n.a": "e",
        "n": "",
    }
    found = attributes(node(flat))
    assert composed(found, "m").value() == [{"x": "a", "y": ["d", {"z": "b"}]}, "c", {"x": "k"}]
    assert composed(found, "n").value() == {"a": "e"}
    assert not composed(found, "o")
    first = next(iter(composed(found, "m")))
    assert (first.site.pointer, first["x"].site.pointer) == ("/held/m.0.x", "/held/m.0.x")
    assert text(first["nobody"]) == ""
    assert list(first["y"])[1].site.pointer == "/held/m.0.y.1.z"


def test_names_that_contradict_each_other_and_long_ones() -> None:
    for flat in ({"m.a": "x", "m.a.b": "y"}, {"m.a.b": "y", "m.a": "x"}):
        assert composed(attributes(node(flat)), "m").value() == {"a": {"b": "y"}}
    deep = composed(attributes(node({"m" + ".a" * 50_000: "x"})), "m")
    assert deep.raw.count(b'{"a":') == 16
