"""Settings by which a call is what the program wanted, as each program writes them."""

import json
from typing import Any

import pytest

from tests.work import work
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.told_messages import messages
from wirecheck.sources.telemetry.typed_messages import ToldMessage
from wirecheck.sources.telemetry.wanted_calls import are_wanted
from wirecheck.wire.records import Origin, Site

AT = Site(Origin("x", 1))
NOTHING = JsonNode(None, AT)


def node(value: Any) -> JsonNode:
    return JsonNode(json.dumps(value).encode(), AT)


def said(name: str) -> list[ToldMessage]:
    return messages([("model", node({"parts": [{"functionCall": {"name": name}}]}))])


@pytest.mark.parametrize("written", [lambda value: value, json.dumps, lambda value: {"config": json.dumps(value)}])
@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"tool_config": {"function_calling_config": {"mode": "ANY"}}}, True),
        ({"toolConfig": {"functionCallingConfig": {"allowedFunctionNames": ["now"], "mode": "ANY"}}}, True),
        ({"tool_config": {"function_calling_config": {"mode": "FunctionCallingConfigMode.ANY"}}}, True),
        ({"tool_config": {"function_calling_config": {"mode": "AUTO"}}}, False),
        ({"tool_config": {"function_calling_config": {"mode": "ANYTHING"}}}, False),
        ({"tool_choice": "required"}, True),
        ({"tool_choice": "any"}, True),
        ({"toolChoice": {"type": "tool", "toolName": "now"}}, True),
        ({"tool_choice": {"type": "function", "function": {"name": "now"}}}, True),
        ({"toolChoice": json.dumps({"type": "required"})}, True),
        ({"tool_choice": {"type": "auto"}}, False),
        ({"tool_choice": "auto"}, False),
        ({"tool_choice": None}, False),
        # An argument is no setting.
        ({"contents": [{"parts": [{"functionCall": {"args": {"mode": "ANY", "type": "tool"}}}]}]}, False),
        ({}, False),
    ],
)
def test_settings(settings: Any, wanted: bool, written: Any) -> None:
    assert are_wanted(said("now"), NOTHING, (node(None), node(written(settings)))) is wanted
    assert not are_wanted(messages([("model", node("Hi"))]), NOTHING, (node(written(settings)),))


@pytest.mark.parametrize(("name", "wanted"), [("final_result", True), ("now", False), ("final", False)])
def test_a_tool_that_is_the_result(name: str, wanted: bool) -> None:
    parameters = {"function_tools": [{"name": "now"}], "output_tools": [{"name": "final_result"}, {"name": None}, 7]}
    for written in (parameters, json.dumps(parameters)):
        assert are_wanted(said(name), node(written), ()) is wanted


def test_a_setting_costs_what_it_is_long() -> None:
    def cost(settings: JsonNode) -> int:
        return work(lambda: are_wanted(said("now"), NOTHING, (settings,)))

    for piece in ('"tool_choice":', '"function_calling_config":{', "function_calling_config", '"mode":', '"' * 9):
        assert cost(node(piece * 2000)) < 3 * cost(node(piece * 1000))
