"""One mistake in a request is one finding, whatever else it upsets, and its words say what to look at."""

from typing import Any

import msgspec
import pytest

from tests.stories.conversations import answer, call, exchange, model, user
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import load

RULES = load()
MODELS = ("gemini-1.5-pro", "gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.8-flash")
SIGNED = {**call("now", "c1"), "thoughtSignature": "Ep4C"}
WRONG_ROLES = {
    "assistant": "invalid-role",
    "Model": "invalid-role",
    "developer": "invalid-role",
    "robot": "invalid-role",
    "system": "system-role-in-contents",
    "tool": "tool-role",
    "function": "function-role",
}


def found(contents: Any, name: str, url: str | None = None) -> list[Finding]:
    """What is worth telling of a request, before it is sent."""
    inspector = Inspector(RULES, predict=True)
    findings = [each for record in exchange(1, contents, name=name, url=url) for each in inspector.feed(record)]
    return [each for each in findings + inspector.close() if each.severity != "info"]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("role", WRONG_ROLES)
def test_a_wrong_role_is_told_once(role: str, n: int, name: str) -> None:
    contents = [user("Time?"), model(SIGNED), user(answer("now", "c1")), model("Noon."), user("Thanks")]
    contents[n]["role"] = role
    # That a response does not come from the model is told of `assistant` in whatever it stands.
    (one,) = [each for each in found(contents, name) if each.rule != "function-response-in-model-role" or n != 2]
    assert (one.rule, one.place.pointer) == (WRONG_ROLES[role], f"/request/body/contents/{n}")


ALONE = {
    "a text of nobody": ({"role": "assistant", "parts": [{"text": "Hello."}]}, "invalid-role"),
    "a text of the model": (model("Hello."), "single-turn-not-user"),
    "a call": (model(SIGNED), "function-call-not-after-user"),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("content", "rule"), ALONE.values(), ids=ALONE)
def test_a_single_content_that_cannot_stand_alone_is_told_once(content: Any, rule: str, name: str) -> None:
    assert [one.rule for one in found([content], name)] == [rule]


def test_a_response_too_many_is_named_and_shown() -> None:
    (one,) = found([user("Time?"), model(SIGNED), user(answer("now", "c1"), answer("zone", "c2"))], MODELS[-1])
    assert one.message == "function calls: 1 (now); responses: 2; of no call: zone (c2)"
    assert one.related[-1].label == "a response of no call"
    assert one.related[-1].place.pointer == "/request/body/contents/2/parts/1"


def test_a_call_without_a_name_is_named_so() -> None:
    nameless: list[Any] = [{"functionCall": {"args": {"n": n}}} for n in (1, 2)]
    (*_, one) = found([user("Time?"), model(SIGNED, *nameless), user(answer("now", "c1"))], MODELS[1])
    assert one.message.endswith("unanswered: no name (no id), no name (no id)")


PIECES: list[Any] = [
    {"functionCall": {"name": "now", "willContinue": True}, "thoughtSignature": "Ep4C"},
    {"functionCall": {"partialArgs": [{"jsonPath": "$.zone", "stringValue": "CET"}], "willContinue": True}},
    {"functionCall": {}},
]
VERTEX = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/{}:generateContent"


@pytest.mark.parametrize("made", [[model(*PIECES)], [model(*PIECES[:1]), model(*PIECES[1:])]])
def test_a_call_recited_in_the_pieces_it_came_in_is_one_call(made: list[Any]) -> None:
    contents = [user("Time?"), *made, user(answer("now"))]
    told = found(contents, MODELS[2], VERTEX.format(MODELS[2]))
    assert [one.rule for one in told] == ["partial-args-replayed"]


FLAG = {"toolConfig": {"includeServerSideToolInvocations": True}}


@pytest.mark.parametrize(("url", "rules"), [(VERTEX, ["unknown-field"]), (None, [])])
def test_only_the_gemini_api_has_the_flag_for_tools_of_the_server(url: str | None, rules: list[str]) -> None:
    body = {"contents": [user("Time?")], "tools": [{"googleSearch": {}}], **FLAG}
    assert [one.rule for one in found(body, MODELS[-1], url and url.format(MODELS[-1]))] == rules


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("key", ["result", "output", "content"])
def test_a_response_under_another_name_is_told_once_with_the_right_one(key: str, name: str) -> None:
    half = {"id": "c1", "name": "now", key: {"hour": 12}}
    (one,) = found([user("Time?"), model(SIGNED), user({"functionResponse": half})], name)
    assert one.message == f"functionResponse has no field {key}; Gemini has response"


MISPLACED = {
    "in the call": (model({"functionCall": {"name": "now", "args": {}, "thoughtSignature": "Ep4C"}}), "parts/0/"),
    "in the content": ({**model(call("now")), "thought_signature": "Ep4C"}, ""),
}


@pytest.mark.parametrize(("made", "steps"), MISPLACED.values(), ids=MISPLACED)
def test_a_signature_in_the_wrong_place_is_not_missing_as_well(made: Any, steps: str) -> None:
    (one,) = found([user("Time?"), made, user(answer("now"))], MODELS[-1])
    assert one.rule == ("misplaced-thought-signature" if steps else "unknown-field")
    assert one.place.pointer.startswith(f"/request/body/contents/1/{steps}")


GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
STREAM = GEMINI.replace("generateContent", "streamGenerateContent")
GATEWAY = "https://llm.example/models/gemini-3.6-flash:generateContent"
CONTENTS = [user("Hi")]
LISTED = msgspec.Raw(msgspec.json.encode(CONTENTS))
NAMED = {
    "a slip": ({"contets": CONTENTS}, GEMINI, ["unknown-field"]),
    "a capital": ({"Contents": CONTENTS}, GEMINI, ["unknown-field"]),
    "of another API": ({"input": CONTENTS}, GEMINI, ["unknown-field"]),
    "like nothing known": ({"foo": CONTENTS}, GEMINI, ["unknown-field"]),
    "one content": ({"content": CONTENTS[0]}, GEMINI, ["unknown-field"]),
    "a slip in what is wrapped": ({"request": {"contets": CONTENTS}}, GEMINI, ["unknown-field"]),
    "streamed": ({"contets": CONTENTS}, STREAM, ["unknown-field"]),
    "messages": ({"messages": CONTENTS}, GEMINI, ["contents-missing"]),
    "a list": (LISTED, GEMINI, ["contents-missing"]),
    "what a recorder wrote in its place": (msgspec.Raw(b"[redacted]"), GEMINI, ["unreadable-line"]),
    "an empty list": (msgspec.Raw(b"[]"), STREAM, ["contents-missing"]),
    "as it should be": ({"contents": CONTENTS}, GEMINI, []),
    "kept elsewhere": ({"stored": {"text": "body-1.bin"}}, GEMINI, []),
    "a gateway": ({"foo": CONTENTS}, GATEWAY, []),
    "a list for a gateway": (LISTED, GATEWAY, []),
    "another verb": ({"content": CONTENTS[0]}, GEMINI.replace("generateContent", "embedContent"), []),
    "tokens counted": ({"foo": CONTENTS}, GEMINI.replace("generateContent", "countTokens"), []),
}


@pytest.mark.parametrize(("body", "url", "rules"), NAMED.values(), ids=NAMED)
def test_contents_under_another_name_are_told_once(body: Any, url: str, rules: list[str]) -> None:
    assert [each.rule for each in found(body, MODELS[-1], url)] == rules
