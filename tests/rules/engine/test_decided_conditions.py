"""Which conditions the key of a piece decides; for the built-in rules, all of them over HTTP."""

from typing import Any

import pytest

from tests.rules.make import fact, rule, ruleset
from wirecheck.rules import load
from wirecheck.rules.engine.decided_conditions import decided
from wirecheck.rules.language.where import line
from wirecheck.talk.facts import CallFact, ContentFact
from wirecheck.talk.lazy_facts import SHAPED, SMALL

BUILTIN = load()

DECIDED: list[tuple[str, str, Any]] = [
    ("content", "role", "user"),
    ("content", "role|pattern", "^us"),
    ("content", "parts", SMALL - 1),
    ("content", "parts|min", SMALL - 1),
    ("content", "answered|min-size", 1),
    ("content", "answered|size", SMALL - 1),
    ("content", "answered|min-size", SMALL),
    ("content", "value.name|exists", True),
    ("part", "value.videoMetadata.fps", 1),
    ("call", "value.partialArgs|exists", True),
    ("content", "band", ["gemini-2", "gemini-3"]),
    ("content", "model|pattern", "flash$"),
    ("part", "value.text", ""),
    ("part", "value.text|exists", False),
    ("part", "value.thoughtSignature", "skip_thought_signature_validator"),
    ("part", "value.thought", True),
    ("call", "id|exists", True),
    ("call", "name", None),
    ("call", "args|max-size", 0),
    ("answer", "response|contains", ["output", "error"]),
    ("answer", "response|lacks", "error"),
    ("answer-settled", "ids|other-than", "names"),
    ("reply", "counted|other-than", "total"),
    ("reply", "total|same-as", "counted"),
    ("reply", "keys|only", ["candidates"]),
    ("request", "contents", 1),
    ("request", "body.generationConfig.topK|min", 3),
    ("request", "body.tools|exists", True),
    ("request", "body.systemInstruction|exists", False),
    ("declaration", "value.description|pattern", "a"),
    ("schema", "word", "x"),
]
OPEN: list[tuple[str, str, Any]] = [
    ("content", "parts", SMALL),
    ("content", "parts|min", SMALL),
    ("content", "parts|max", 100),
    ("content", "answered|size", SMALL),
    ("content", "answered|max-size", SMALL),
    ("content", "answered|contains", "find"),
    ("content", "value.parts.0.text", "yes"),
    ("content", "value.parts.0.functionCall.args.city|exists", True),
    ("content", "turn", 1),
    ("part", "value.text", "yes"),
    ("part", "value.text|pattern", "."),
    ("part", "value.thoughtSignature", "mine"),
    ("part", "value.thoughtSignature|min-size", 9),
    ("call", "id", "c1"),
    ("call", "args.city", "Rome"),
    ("call", "args|min-size", 2),
    ("call", "name|same-as", "id"),
    ("answer", "response|contains", "result"),
    ("answer", "response.result|exists", True),
    ("answer-settled", "id|other-than", "called_id"),
    ("call-turn", "names|contains", "find"),
    ("reply", "counted", 5),
    ("reply", "counted|more-than", "total"),
    ("candidate", "value.content.parts.0.text", "yes"),
    ("request", "contents", SMALL),
    ("request", "body.systemInstruction.parts.0.text|pattern", "secret"),
    ("request", "body.tools.0.functionDeclarations.0.name", "find"),
    ("ended", "code", 1007),
]


@pytest.mark.parametrize(("given", "key", "argument"), DECIDED, ids=str)
def test_what_a_key_holds_decides(given: str, key: str, argument: Any) -> None:
    assert decided(given, line(given, key, argument))


@pytest.mark.parametrize(("given", "key", "argument"), OPEN, ids=str)
def test_what_no_key_holds_is_asked_each_time(given: str, key: str, argument: Any) -> None:
    assert not decided(given, line(given, key, argument))


@pytest.mark.parametrize("kind", SHAPED)
def test_keys_decide_every_line_of_the_built_in_rules(kind: str) -> None:
    """A rule with another one would have facts made of everything: say in SHAPED what its key is to tell."""
    undecided = {
        prepared.rule.name: [each.key for each in conditions if not decided(kind, each)]
        for prepared in map(BUILTIN._prepared, BUILTIN._about.get(kind, ()))
        for conditions in [[*prepared.where, *(prepared.check.reads or ())]]
    }
    assert {name: keys for name, keys in undecided.items() if keys} == {}


def test_no_built_in_rule_reads_at_will() -> None:
    """Else every fact would be created."""
    for kind in SHAPED:
        assert [one.rule.name for one in map(BUILTIN._prepared, BUILTIN._about[kind]) if one.check.reads is None] == []


def test_a_line_that_does_not_hold_decides_beside_one_that_is_open() -> None:
    mine = rule({"never": None}, given="call", where={"sender": "server", "args.city": "Rome"})
    rules = ruleset(mine)
    assert rules.undecided(fact(CallFact, sender="server", args={"city": "Oslo"}))
    assert not rules.undecided(fact(CallFact, sender="client", args={"city": "Rome"}))


def test_a_kind_nobody_hears_of_is_decided() -> None:
    assert not ruleset(rule({"never": None}, given="call")).undecided(fact(ContentFact))


def test_what_a_check_reads_counts_too() -> None:
    looks = rule({"shape": {"value.parts.0.text": "yes"}}, given="content", where={"role": "user"})
    assert ruleset(looks).undecided(fact(ContentFact))
    assert not ruleset(looks).undecided(fact(ContentFact, role="model"))
    at_will = rule({"schema": {"of": "value", "is": {}}}, given="content")
    assert ruleset(at_will).undecided(fact(ContentFact))


def test_models_of_one_class_are_one_to_all_rules() -> None:
    asks = ruleset(rule({"never": None}, where={"model|ends": "-lite"}))
    assert asks.model_class("gemini-3-flash") == asks.model_class("gemini-3-pro") != asks.model_class("gemini-3-lite")
    assert asks.model_class(None) == asks.model_class("gemini-3-flash")
