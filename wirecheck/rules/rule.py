"""A rule, as its file says it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Step
from wirecheck.finding import Severity
from wirecheck.talk.facts import Fact, Linked


class Example(Struct, frozen=True):
    """A log in short, and what a rule finds in it: "LINE: message"."""

    name: str
    log: str
    surface: str = "gemini-api"
    model: str | None = None
    protocol: str | None = None
    finds: tuple[str, ...] = ()
    predict: bool = False


class Rule(Struct, frozen=True, kw_only=True, eq=False):
    """A rule. `path` is its file; `builtin` says whether it came with wirecheck."""

    path: str
    builtin: bool
    name: str
    code: str
    title: str
    severity: Any  # a word, or the list of cases
    doc: str
    links: tuple[str, ...] = ()
    given: str
    where: Mapping[str, Any] = {}
    check: str
    options: Any = None
    message: str
    help: str = ""
    server: tuple[str, ...] = ()
    says: tuple[str, ...] = ()  # texts that lead here and confirm nothing, as those of SDKs and proxies
    empties: tuple[str, ...] = ()  # bands that are known to answer it with nothing
    accepted: Severity = "warning"  # what a warning is where the server took the request
    good: tuple[Example, ...] = ()
    bad: tuple[Example, ...] = ()


class Miss(Struct, frozen=True, kw_only=True):
    """A rule that does not hold, and of which fact."""

    rule: Rule
    fact: Fact
    severity: Severity
    values: Mapping[str, Any] = {}  # what its check found
    related: tuple[Linked, ...] = ()
    steps: tuple[Step, ...] = ()  # from the fact's place further in


def rule(value: Mapping[str, Any], path: str, *, builtin: bool) -> Rule:
    """The rule in the value of a file that has been checked."""
    ((check, options),) = value["check"].items()
    examples = value.get("examples") or {}
    return Rule(
        path=path,
        builtin=builtin,
        check=check,
        options=options,
        links=tuple(value.get("links", ())),
        server=tuple(value.get("server", ())),
        says=tuple(value.get("says", ())),
        empties=tuple(value.get("empties", ())),
        good=tuple(map(_example, examples.get("good", ()))),
        bad=tuple(map(_example, examples.get("bad", ()))),
        **{key: value[key] for key in ("name", "code", "title", "severity", "doc", "given", "message")},
        **{key: value[key] for key in ("where", "help", "accepted") if key in value},
    )


def _example(value: Mapping[str, Any]) -> Example:
    return Example(**{**value, "finds": tuple(value.get("finds", ()))})
