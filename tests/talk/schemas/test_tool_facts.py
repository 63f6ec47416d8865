"""Tools through the whole of it: each mistake once however often it is sent, and what the model calls against them."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from tests.stories.conversations import answer, call, exchange, facts, model, reply, session, user
from tests.stories.test_fixtures import SOUND, log
from wirecheck.api import repeated
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader
from wirecheck.talk.facts import MisfitFact
from wirecheck.talk.schemas.toolbox import Toolboxes

Json = dict[str, Any]
WEATHER: Json = {
    "name": "weather",
    "description": "The weather of a city.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
}
MCP: Json = {"mcpServers": [{"name": "w"}]}


HISTORY = [
    user("Rome?"),
    model(call("weather", city="Rome")),
    user(answer("weather", response={"output": "18C"})),
    model("18C"),
    user("And Oslo?"),
]
REQUESTS = [HISTORY[:1], HISTORY[:3], HISTORY]


def offering(contents: list[Json], *declarations: Json, **more: Any) -> Json:
    return {"contents": contents, "tools": [{"functionDeclarations": list(declarations or (WEATHER,))}], **more}


def wrong(keyword: str) -> Json:
    return {**WEATHER, "parameters": {**WEATHER["parameters"], keyword: True}}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(rules: Ruleset, bodies: list[Json], *, memo: bool = True) -> list[Finding]:
    inspector = Inspector(rules, memo=memo)
    given: list[Finding] = []
    for number, body in enumerate(bodies, 1):
        said = HISTORY[len(body["contents"])] if len(body["contents"]) < len(HISTORY) else model("ok")
        for record in exchange(number, body, reply(said), name="gemini-2.5-flash"):
            given += inspector.feed(record)
    return repeated(inspector, given + inspector.close())


@pytest.mark.parametrize("memo", [True, False])
def test_tools_that_are_sent_again_are_one_mistake(rules: Ruleset, memo: bool) -> None:
    found = judged(rules, [offering(one, wrong("strict")) for one in REQUESTS], memo=memo)
    assert [(each.rule, each.place.line, each.repeated) for each in found] == [("schema-unknown-keyword", 1, 2)]


def test_a_mistake_that_comes_later_is_another(rules: Ruleset) -> None:
    tools = [WEATHER], [wrong("strict")], [wrong("strict"), {**wrong("const"), "name": "other"}]
    found = judged(rules, [offering(one, *those) for one, those in zip(REQUESTS, tools, strict=True)])
    assert [(each.place.line, each.message.partition(";")[0], each.repeated) for each in found] == [
        (2, "Gemini's Schema has no strict: parameters of weather", 1),
        (3, "Gemini's Schema has no const: parameters of other", 0),
    ]


def test_a_keyword_in_every_function_is_one_finding_with_its_places(rules: Ruleset) -> None:
    declarations = [{**wrong("strict"), "name": f"f{n}"} for n in range(50)]
    (found,) = judged(rules, [offering(REQUESTS[0], WEATHER, *declarations)])
    assert found.place.pointer == "/request/body/tools/0/functionDeclarations/1/parameters/strict"
    assert found.message.startswith("Gemini's Schema has no strict: parameters of f0, f1, f2 and 47 more (50 places)")
    assert len(found.related) == 5


# Which calls of a reply do not fit: what is sent, what the model says, and what is said of it.
FITS: dict[str, tuple[Json, Json, list[tuple[str, str, str]]]] = {
    "as declared": (offering(REQUESTS[0]), reply(model(call("weather", city="Rome"))), []),
    "another function": (
        offering(REQUESTS[0]),
        reply(model(call("wether", city="Rome"))),
        [("undeclared", "wether", "/parts/0/functionCall")],
    ),
    "other arguments": (
        offering(REQUESTS[0]),
        reply(model("so", call("weather", city=5))),
        [("args", "weather", "/parts/1/functionCall/args/city")],
    ),
    "no arguments": (
        offering(REQUESTS[0]),
        reply(model({"functionCall": {"name": "weather"}})),
        [("args", "weather", "/parts/0/functionCall")],
    ),
    "cut short": (offering(REQUESTS[0]), reply(model(call("weather")), "MAX_TOKENS"), []),
    "in pieces, put together": (
        offering(REQUESTS[0]),
        reply(
            model({"functionCall": {"name": "weather", "partialArgs": [{"jsonPath": "$.city", "stringValue": "Rome"}]}})
        ),
        [],
    ),
    "arguments in a text are another mistake": (
        offering(REQUESTS[0]),
        reply(model({"functionCall": {"name": "weather", "args": '{"city": 5}'}})),
        [],
    ),
    "declared twice": (offering(REQUESTS[0], WEATHER, WEATHER), reply(model(call("weather"))), []),
    "two schemas": (
        offering(REQUESTS[0], {**WEATHER, "parametersJsonSchema": {"type": "object"}}),
        reply(model(call("weather"))),
        [],
    ),
    "no functions": ({"contents": REQUESTS[0]}, reply(model(call("weather"))), []),
    "a server of functions": (
        {"contents": REQUESTS[0], "tools": [MCP, {"functionDeclarations": [WEATHER]}]},
        reply(model(call("w_search"))),
        [],
    ),
    "cached tools": (
        offering(REQUESTS[0], cached_content="cachedContents/x"),
        reply(model(call("cached"))),
        [],
    ),
}


@pytest.mark.parametrize(("sent", "said", "misfits"), FITS.values(), ids=FITS)
def test_which_calls_do_not_fit(sent: Json, said: Json, misfits: list[tuple[str, str, str]]) -> None:
    heard = [fact for fact in facts(exchange(1, sent, said)) if isinstance(fact, MisfitFact)]
    places = [fact.spot.place().pointer.removeprefix("/response/body/candidates/0/content") for fact in heard]
    assert [(fact.how, fact.name, place) for fact, place in zip(heard, places, strict=True)] == misfits


def test_a_call_in_another_chunk_is_looked_at_when_the_reply_is_over() -> None:
    said = [reply(model(call("weather")), "STOP"), reply(model(call("other")), "STOP")]
    heard = [fact for fact in facts(exchange(1, offering(REQUESTS[0]), said)) if isinstance(fact, MisfitFact)]
    assert [(fact.how, fact.name) for fact in heard] == [("args", "weather"), ("undeclared", "other")]


@pytest.mark.parametrize("memo", [True, False])
def test_a_function_that_is_declared_no_more_is_told_of_where_it_was_called(memo: bool) -> None:
    other = {**WEATHER, "name": "other"}
    sent = [offering(REQUESTS[1]), offering(REQUESTS[2], other)]
    records = [exchange(number, body, reply(model("ok"))) for number, body in enumerate(sent, 1)]
    heard = [fact for fact in facts(*records, memo=memo) if isinstance(fact, MisfitFact)]
    assert [(fact.name, fact.sender, fact.turn, fact.spot.place().line) for fact in heard] == [
        ("weather", "client", 1, 2)
    ]
    assert heard[0].spot.place().pointer == "/request/body/contents/1/parts/0"


def test_a_call_that_comes_twice_in_a_live_session_is_looked_at_once() -> None:
    said = {"functionCall": {"id": "c1", "name": "weather", "args": {"city": 5}}}
    heard = facts(
        session(
            (">", {"setup": {"model": "models/gemini-live-2.5-flash", "tools": [{"functionDeclarations": [WEATHER]}]}}),
            ("<", {"setupComplete": {}}),
            ("<", {"serverContent": {"modelTurn": model(said)}}),
            ("<", {"toolCall": {"functionCalls": [said["functionCall"]]}}),
        )
    )
    misfits = [fact for fact in heard if isinstance(fact, MisfitFact)]
    assert [(fact.how, fact.path, fact.spot.place().line) for fact in misfits] == [("args", "args.city", 4)]


def test_only_so_many_tools_are_remembered() -> None:
    boxes = Toolboxes()
    long = "d" * 10_000
    lists = [
        msgspec.json.encode([{"functionDeclarations": [{"name": f"f{n}", "description": long}]}]) for n in range(99)
    ]
    first = boxes.of(lists[0])
    assert boxes.of(lists[0]) is first
    assert [next(iter(boxes.of(raw).names)) for raw in lists] == [f"f{n}" for n in range(99)]
    assert boxes.of(lists[0]) is not first
    huge = msgspec.json.encode([{"functionDeclarations": [{"name": long * 60}]}])
    assert boxes.of(huge) is not boxes.of(huge)
    assert boxes.of(b"[").value is None


def declarations(setup: Json) -> list[Json]:
    return [
        one for tool in setup["tools"] for one in tool.get("functionDeclarations", tool.get("function_declarations"))
    ]


def schema(setup: Json) -> Json:
    """The schema of the last function, made one of Gemini's."""
    last = declarations(setup)[-1]
    last.pop("parametersJsonSchema", None)
    last["parameters"] = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
    made: Json = last["parameters"]
    return made


# How tools are broken, and which rule says so where servers reject it.
BREAKS: dict[str, Callable[[Json], Any]] = {
    "schema-unknown-keyword": lambda setup: schema(setup).update({"$schema": "x"}),
    "schema-type-list": lambda setup: schema(setup)["properties"].update(a={"type": ["string", "null"]}),
    "schema-type-invalid": lambda setup: schema(setup)["properties"].update(a={"type": ""}),
    "schema-type-missing": lambda setup: schema(setup)["properties"].update(a={"description": "d"}),
    "schema-anyof-siblings": lambda setup: schema(setup)["properties"].update(
        a={"items": {}, "anyOf": [{"type": "NULL"}]}
    ),
    "schema-array-items-missing": lambda setup: schema(setup)["properties"].update(a={"type": "ARRAY"}),
    "schema-enum-non-string": lambda setup: schema(setup)["properties"].update(a={"type": "INTEGER", "enum": [1]}),
    "schema-required-undefined": lambda setup: schema(setup).update(required=["b"]),
    "schema-properties-on-non-object": lambda setup: schema(setup)["properties"]["city"].update(properties={"a": {}}),
    "schema-items-on-non-array": lambda setup: schema(setup)["properties"]["city"].update(items={"type": "STRING"}),
    "schema-not-object": lambda setup: schema(setup)["properties"].update(a=True),
    "schema-root-not-object": lambda setup: schema(setup).pop("type"),
    "parameters-and-json-schema": lambda setup: declarations(setup)[-1].update(
        parameters={"type": "OBJECT"}, parametersJsonSchema={"type": "object"}
    ),
    "function-name-invalid": lambda setup: setup["tools"].append(
        {"functionDeclarations": [{"name": "a b", "description": "d"}]}
    ),
    "duplicate-function-declaration": lambda setup: setup["tools"].append(
        {"functionDeclarations": declarations(setup)[:1]}
    ),
    "empty-tool-entry": lambda setup: setup["tools"].append({}),
    "cached-content-conflict": lambda setup: setup.update(cachedContent="cachedContents/x"),
    "allowed-names-mode": lambda setup: setup.update(
        toolConfig={"functionCallingConfig": {"allowedFunctionNames": [declarations(setup)[0]["name"]]}}
    ),
    "allowed-name-undeclared": lambda setup: setup.update(
        toolConfig={"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["nobody"]}}
    ),
}
WITH_TOOLS = [story for story in SOUND if "live" not in story and b'"functionDeclarations"' in log(story).read_bytes()]


def broken(story: str, how: Callable[[Json], Any]) -> list[Json]:
    """The lines of a story, with the tools of each request broken."""
    lines: list[Json] = [msgspec.json.decode(line) for line in log(story).read_bytes().splitlines()]
    for line in lines:
        body = line.get("body") or line.get("request", {}).get("body")
        body = body.get("request", body) if isinstance(body, dict) else None
        if isinstance(body, dict) and "tools" in body:
            how(body)
    return lines


@pytest.mark.parametrize("story", WITH_TOOLS)
@pytest.mark.parametrize("rule", BREAKS)
def test_tools_that_are_broken_are_found_out_by_one_rule(story: str, rule: str, rules: Ruleset, tmp_path: Any) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(line) for line in deepcopy(broken(story, BREAKS[rule]))))
    inspector = Inspector(rules, predict=True)
    found = [finding for record in Reader([path]) for finding in inspector.feed(record)] + inspector.close()
    assert {each.rule for each in found if each.severity != "info"} == {rule}
    assert {each.place.line for each in found if each.rule == rule} == {1}
