"""A rule, as read from its file."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Step
from wirecheck.finding import Severity
from wirecheck.talk.facts import Fact


class Example(Struct, frozen=True):
    """A short log, and what a rule finds in it: "LINE: message". With `wire` it is compared with that."""

    name: str
    log: str
    surface: str = "gemini-api"
    model: str | None = None
    protocol: str | None = None
    finds: tuple[str, ...] = ()
    predict: bool = False
    wire: str = ""


class Page(Struct, frozen=True):
    """The parts of a rule that judging does not need."""

    doc: str
    good: tuple[Example, ...] = ()
    bad: tuple[Example, ...] = ()
    seen: str | None = None  # the day of the newest evidence


class Rule(Struct, frozen=True, kw_only=True, eq=False):
    """A rule. `path` is its file, `builtin` whether it ships with wirecheck. Its page is loaded on demand."""

    path: str
    builtin: bool
    name: str
    code: str
    title: str
    severity: Any  # a word, or the list of cases
    links: tuple[str, ...] = ()
    given: str
    where: Mapping[str, Any] = {}
    check: str
    options: Any = None
    message: str
    help: str = ""
    server: tuple[str, ...] = ()
    says: tuple[str, ...] = ()  # other texts for `explain`, such as those of SDKs; they confirm nothing
    empties: tuple[str, ...] = ()  # bands that are known to answer with an empty reply
    accepted: Severity = "warning"  # the severity of a warning where the server accepted the request
    bare: bool = False  # where it is an error, the server's answer is a rejection that gives no reason
    page: Callable[[], Page]

    @property
    def why(self) -> str:
        """Why the rule matters: the first paragraph of its documentation."""
        return " ".join(self.page().doc.strip().partition("\n\n")[0].split())


class Miss(Struct, frozen=True, kw_only=True):
    """A rule that does not hold of a fact."""

    rule: Rule
    fact: Fact
    severity: Severity
    values: Mapping[str, Any] = {}  # what its check found
    steps: tuple[Step, ...] = ()  # from the fact's place to the place of the miss


def rule(value: Mapping[str, Any], path: str, page: Callable[[], Page], *, builtin: bool) -> Rule:
    """Makes a rule of the value of a validated file."""
    ((check, options),) = value["check"].items()
    return Rule(
        path=path,
        builtin=builtin,
        check=check,
        options=options,
        page=page,
        links=tuple(value.get("links", ())),
        server=tuple(value.get("server", ())),
        says=tuple(value.get("says", ())),
        empties=tuple(value.get("empties", ())),
        **{key: value[key] for key in ("name", "code", "title", "severity", "given", "message")},
        **{key: value[key] for key in ("where", "help", "accepted", "bare") if key in value},
    )


def page(value: Mapping[str, Any]) -> Page:
    """Makes its page of the same value."""
    examples = value.get("examples") or {}
    good, bad = (tuple(map(_example, examples.get(key, ()))) for key in ("good", "bad"))
    return Page(value["doc"], good, bad, value.get("seen"))


def _example(value: Mapping[str, Any]) -> Example:
    return Example(**{**value, "finds": tuple(value.get("finds", ()))})
