"""Facts and rules by hand, with only what a test is about."""

from collections.abc import Sequence
from typing import Any

from wirecheck.data.shipped import models
from wirecheck.dialects.messages import Call, Spot
from wirecheck.finding import Finding
from wirecheck.rules import Miss, Page, Rule, Ruleset
from wirecheck.talk.facts import (
    AnswerFact,
    CallFact,
    CallSettledFact,
    ContentFact,
    Context,
    Fact,
    FrameFact,
    PartFact,
    RequestFact,
)
from wirecheck.wire.records import Origin, Site


def spot(line: int = 1, *steps: str | int) -> Spot:
    return Spot(Site(Origin("log.jsonl", line)), steps)


def context(**known: Any) -> Context:
    usual: dict[str, Any] = {
        "protocol": "generate-content",
        "surface": "gemini-api",
        "version": "v1beta",
        "model": "gemini-3.6-flash",
        "band": "gemini-3.6",
        "whole": True,
        "conversation": "c1",
    }
    return Context(**{**usual, **known})


_CONTENT: dict[str, Any] = {"sender": "client", "role": "user", "speaker": "user", "container": "contents"}
_USUAL: dict[type[Fact], dict[str, Any]] = {
    ContentFact: {
        **_CONTENT,
        "shape": "list",
        "keys": ("role", "parts"),
        "parts": 1,
        "calls": 0,
        "answers": 0,
        "answered": (),
        "strays": (),
        "after": "nothing",
        "only": True,
        "last": True,
        "beside": (),
        "tail": (),
        "value": {"role": "user", "parts": [{"text": "hi"}]},
    },
    PartFact: {**_CONTENT, "keys": ("text",), "data": ("text",), "meant": "", "value": {"text": "hi"}},
    CallFact: {
        **_CONTENT,
        "role": "model",
        "speaker": "model",
        "id": "c1",
        "name": "now",
        "args": {},
        "keys": ("name",),
        "value": {"name": "now", "args": {}},
    },
    AnswerFact: {
        "dangling": (),
        **_CONTENT,
        "id": "c1",
        "name": "now",
        "response": {},
        "keys": ("name",),
        "value": {"name": "now", "response": {}},
    },
    CallSettledFact: {
        "how": "answered",
        "id": "c1",
        "name": "now",
        "siblings": 1,
        "sibling_answers": 1,
        "by": "answer",
        "echo": "",
    },
    RequestFact: {"contents": 1, "streams": False, "keys": ("tools",), "body": {}},
    FrameFact: {
        "sender": "client",
        "keys": ("setup",),
        "says": "setup",
        "enveloped": True,
        "state": "connected",
        "form": "object",
        "at": None,
        "number": 0,
        "value": {"setup": {}},
    },
}


def fact(made: type[Fact], line: int = 1, **known: Any) -> Any:
    """A fact with what is said of it, and usual values else; fields of the context may be among them."""
    of_context = {key: known.pop(key) for key in list(known) if key in Context.__struct_fields__}
    usual = {"context": context(**of_context), "spot": spot(line, "contents", 0), **_USUAL[made]}
    return made(**{**usual, **known})


def content(line: int = 1, **known: Any) -> Any:
    return fact(ContentFact, line, **known)


def call(name: str | None = "now", id: str | None = "c1", line: int = 1, **known: Any) -> Any:
    made = Call(id=id, name=name, spot=spot(line, "contents", 0, "parts", 0, "functionCall"))
    return fact(CallFact, line, name=name, id=id, call=made, **known)


def answer(name: str | None = "now", id: str | None = "c1", line: int = 1, **known: Any) -> Any:
    return fact(AnswerFact, line, name=name, id=id, **known)


_PAGE: dict[str, Any] = {"doc": "Why.", "good": (), "bad": (), "seen": None}


def rule(check: dict[str, Any], **known: Any) -> Rule:
    """A rule that says nothing but its own name, where nothing else is said of it."""
    ((name, options),) = check.items()
    page = Page(*[known.pop(key, default) for key, default in _PAGE.items()])
    usual: dict[str, Any] = {
        "path": "rules/test/a-rule.yaml",
        "builtin": True,
        "name": "a-rule",
        "code": "WC999",
        "title": "All is well",
        "severity": "error",
        "given": "content",
        "message": "a-rule",
    }
    return Rule(page=lambda: page, **{**usual, "check": name, "options": options, **known})


def ruleset(*rules: Rule) -> Ruleset:
    return Ruleset(rules, models())


def misses(made: Rule | Ruleset, facts: Sequence[Fact]) -> list[Miss]:
    """What is wrong with facts."""
    rules = made if isinstance(made, Ruleset) else ruleset(made)
    return [miss for each in facts for miss in rules.judge(each)]


def findings(made: Rule, facts: Sequence[Fact]) -> list[Finding]:
    rules = ruleset(made)
    return [rules.finding(miss) for miss in misses(rules, facts)]


def messages(made: Rule, facts: Sequence[Fact]) -> list[str]:
    """What is found, as "LINE: message"."""
    return [f"{each.place.line}: {each.message}" for each in findings(made, facts)]
