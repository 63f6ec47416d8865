"""One mistake in a request is one finding, whatever else it upsets, and its words say what to look at."""

from typing import Any

import pytest

from tests.stories import answer, call, exchange, model, user
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


def found(contents: list[Any], name: str, url: str | None = None) -> list[Finding]:
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
    (one,) = found(contents, name)
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
