"""Sound requests, broken in one way each: the rule for it tells of it, at its place, and no other error is found."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.stories.conversations import answer, call, exchange, model, user
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load

Json = dict[str, Any]
Change = Callable[[Json], object]
MEDIA = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/{}:generateContent"
AIPLATFORM = (
    "https://aiplatform.googleapis.com/{}/projects/p/locations/global/publishers/google/models/{}:generateContent"
)
GEMINI_API, VERTEX, VERTEX_V1 = "gemini-api", "vertex", "vertex v1"
SURFACES: dict[str, Callable[[str], str]] = {
    GEMINI_API: GEMINI.format,
    VERTEX: lambda name: AIPLATFORM.format("v1beta1", name),
    VERTEX_V1: lambda name: AIPLATFORM.format("v1", name),
}
MODELS = ["gemini-1.5-pro", "gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.8-flash"]
SIGNED = {"thoughtSignature": "Ep4C"}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def sound() -> Json:
    """Two calls and their responses, without ids, which every surface takes."""
    asked = model({**call("left"), **SIGNED}, call("right"))
    return {"contents": [user("go"), asked, user(answer("left"), answer("right")), model("Done."), user("Thanks")]}


def found(body: Json, name: str, surface: str, rules: Ruleset) -> list[Finding]:
    inspector = Inspector(rules, predict=True)
    records = exchange(1, body, url=SURFACES[surface](name))
    return [finding for record in records for finding in inspector.feed(record)] + inspector.close()


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", MODELS)
def test_the_sound_request_is_sound_everywhere(name: str, surface: str, rules: Ruleset) -> None:
    assert [each.rule for each in found(sound(), name, surface, rules) if each.severity != "info"] == []


def settings(**values: Any) -> Change:
    return lambda body: body.update(generationConfig=values)


def ends_with(part: Json) -> Change:
    """The responses are the last thing, with a part after them."""

    def change(body: Json) -> None:
        body["contents"] = body["contents"][:3]
        body["contents"][2]["parts"].append(part)

    return change


def contents(*indices: int) -> Change:
    def pick(body: Json) -> None:
        body["contents"] = [copy.deepcopy(body["contents"][n]) for n in indices]

    return pick


def split_calls(body: Json) -> None:
    left, right = body["contents"][1]["parts"]
    body["contents"][1:2] = [model(left), model(right)]


def turn_responses(body: Json) -> None:
    body["contents"][2]["parts"].reverse()


def response(key: str, value: Any) -> Change:
    def change(body: Json) -> None:
        body["contents"][2]["parts"][0]["functionResponse"].update({key: value})

    return change


def ids(body: Json) -> None:
    for content, kind in ((body["contents"][1], "functionCall"), (body["contents"][2], "functionResponse")):
        content["parts"][0][kind]["id"] = "call_1"


OLDEST, OLD, MIDDLE, NEW = "gemini-1.5-pro", "gemini-2.5-flash", "gemini-3.5-flash", "gemini-3.8-flash"
TEXT = {"text": "So?"}
# How it is broken, on which model and surface; how bad that is, what tells of it, and where.
BREAKS: dict[str, tuple[Change, str, str, str]] = {
    "no contents": (contents(), NEW, GEMINI_API, "error contents-missing"),
    "null contents": (lambda body: body.update(contents=None), OLD, VERTEX, "error contents-missing"),
    "the model first": (contents(3, 4), OLD, VERTEX, "info first-content-model /contents/0"),
    "the user twice": (contents(0, 4), NEW, VERTEX, "info consecutive-same-role /contents/1"),
    "the user twice, long ago": (contents(0, 4), OLDEST, GEMINI_API, "warning consecutive-same-role /contents/1"),
    "calls apart": (split_calls, OLD, VERTEX, "warning function-calls-split /contents/1/parts/0"),
    "calls apart, taken": (split_calls, NEW, GEMINI_API, "info function-calls-split /contents/1/parts/0"),
    "responses turned": (turn_responses, OLD, GEMINI_API, "warning parallel-response-order /contents/1/parts/0"),
    "ids where none are known": (
        ids,
        OLD,
        VERTEX_V1,
        "warning function-id-unsupported-surface /contents/1/parts/0/functionCall",
    ),
    "a text after the responses": (ends_with(TEXT), NEW, VERTEX, "error text-after-function-response /contents/2"),
    "a text there, on the Gemini API": (
        ends_with(TEXT),
        NEW,
        GEMINI_API,
        "info text-after-function-response /contents/2",
    ),
    "a text there, answered by nothing": (
        ends_with(TEXT),
        MIDDLE,
        GEMINI_API,
        "warning text-after-function-response /contents/2",
    ),
    "a text there, in the past": (
        lambda body: body["contents"][2]["parts"].append(TEXT),
        NEW,
        VERTEX,
        "warning text-after-function-response /contents/2",
    ),
    "a picture beside them": (ends_with(MEDIA), NEW, VERTEX, "warning media-beside-function-response /contents/2"),
    "a picture beside them, in its time": (
        ends_with(MEDIA),
        OLD,
        VERTEX,
        "info media-beside-function-response /contents/2",
    ),
    "no response in it": (
        response("response", None),
        OLD,
        GEMINI_API,
        "warning function-response-missing-response /contents/2/parts/0/functionResponse",
    ),
    "parts too early": (
        response("parts", [MEDIA]),
        OLD,
        VERTEX,
        "error function-response-parts-unsupported /contents/2/parts/0/functionResponse",
    ),
    "a reference to nothing": (
        lambda body: (response("parts", [MEDIA])(body), response("response", {"$ref": "x.png"})(body)),
        NEW,
        VERTEX,
        "error function-response-ref /contents/2/parts/0/functionResponse",
    ),
    "scheduling": (
        response("scheduling", "SILENT"),
        OLD,
        VERTEX,
        "warning nonblocking-fields-in-unary /contents/2/parts/0/functionResponse/scheduling",
    ),
    "an empty text": (
        lambda body: body["contents"].append(user("")),
        OLD,
        VERTEX,
        "warning empty-text-part /contents/5/parts/0",
    ),
    "sampling": (settings(topP=0.5), NEW, VERTEX, "info sampling-params-ignored /generationConfig/topP"),
    "a penalty": (
        settings(presencePenalty=1),
        NEW,
        VERTEX,
        "error penalty-params-unsupported /generationConfig/presencePenalty",
    ),
    "candidates": (
        settings(candidateCount=3),
        MIDDLE,
        GEMINI_API,
        "warning candidate-count /generationConfig/candidateCount",
    ),
    "both limits of thinking": (
        settings(thinkingConfig={"thinkingLevel": "low", "thinkingBudget": 0}),
        MIDDLE,
        VERTEX,
        "error thinking-level-and-budget /generationConfig/thinkingConfig/thinkingBudget",
    ),
    "too little thinking": (
        settings(thinkingConfig={"thinkingLevel": "MINIMAL"}),
        NEW,
        GEMINI_API,
        "error thinking-level-unsupported /generationConfig/thinkingConfig/thinkingLevel",
    ),
    "too hot": (settings(temperature=2.5), OLD, VERTEX, "error temperature-range /generationConfig/temperature"),
    "a slip of the pen": (
        settings(maxOutputToken=5),
        OLD,
        VERTEX,
        "error unknown-field /generationConfig/maxOutputToken",
    ),
    "a list of settings": (
        lambda body: body.update(generationConfig=[]),
        NEW,
        VERTEX,
        "error scalar-where-array-expected /generationConfig",
    ),
    "a text for a content": (
        lambda body: body.update(systemInstruction="Be brief."),
        OLD,
        VERTEX,
        "error field-wrong-type /systemInstruction",
    ),
    "two spellings": (settings(top_k=1, topK=1), OLD, GEMINI_API, "warning field-name-style /generationConfig/top_k"),
}


@pytest.mark.parametrize(("change", "name", "surface", "told"), BREAKS.values(), ids=BREAKS)
def test_a_request_broken_in_one_way_has_the_one_mistake(
    change: Change, name: str, surface: str, told: str, rules: Ruleset
) -> None:
    body, rule = sound(), told.split()[1]
    change(body)
    heard = found(body, name, surface, rules)
    places = {each: each.place.pointer.removeprefix("/request/body") for each in heard if each.rule == rule}
    assert [f"{each.severity} {rule} {place}".strip() for each, place in places.items()] == [told.strip()]
    assert [each.rule for each in heard if each.severity in ("error", "warning") and each.rule != rule] == []
