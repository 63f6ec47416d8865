"""A rule, as its file says it."""

from collections.abc import Callable, Mapping
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


class Page(Struct, frozen=True):
    """What of a rule nobody needs who judges by it."""

    doc: str
    good: tuple[Example, ...] = ()
    bad: tuple[Example, ...] = ()


class Rule(Struct, frozen=True, kw_only=True, eq=False):
    """A rule. `path` is its file; `builtin` says whether it came with wirecheck. Its page is read when asked for."""

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
    says: tuple[str, ...] = ()  # texts that lead here and confirm nothing, as those of SDKs and proxies
    empties: tuple[str, ...] = ()  # bands that are known to answer it with nothing
    accepted: Severity = "warning"  # what a warning is where the server took the request
    page: Callable[[], Page]

    @property
    def why(self) -> str:
        """Why it matters: how its documentation begins."""
        return " ".join(self.page().doc.strip().partition("\n\n")[0].split())


class Miss(Struct, frozen=True, kw_only=True):
    """A rule that does not hold, and of which fact."""

    rule: Rule
    fact: Fact
    severity: Severity
    values: Mapping[str, Any] = {}  # what its check found
    related: tuple[Linked, ...] = ()
    steps: tuple[Step, ...] = ()  # from the fact's place further in


def rule(value: Mapping[str, Any], path: str, page: Callable[[], Page], *, builtin: bool) -> Rule:
    """The rule in the value of a file that has been checked."""
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
        **{key: value[key] for key in ("where", "help", "accepted") if key in value},
    )


def page(value: Mapping[str, Any]) -> Page:
    """What else such a value says."""
    examples = value.get("examples") or {}
    good, bad = (tuple(map(_example, examples.get(key, ()))) for key in ("good", "bad"))
    return Page(value["doc"], good, bad)


def _example(value: Mapping[str, Any]) -> Example:
    return Example(**{**value, "finds": tuple(value.get("finds", ()))})
