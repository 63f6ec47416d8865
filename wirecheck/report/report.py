"""What a run has to say, whatever format says it: what was found, what was checked.

This file knows no format, and not where findings come from.
"""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from wirecheck.finding import Finding, Severity


class Skipped(Struct, frozen=True):
    """Lines that are no traffic, for one reason: how many, and the first of them."""

    path: str
    line: int
    why: str
    count: int


class Checked(Struct, frozen=True, kw_only=True):
    """How much was looked at."""

    files: int = 0
    lines: int = 0
    exchanges: int = 0
    frames: int = 0
    conversations: int = 0
    sessions: int = 0
    rules: int = 0
    skipped: tuple[Skipped, ...] = ()
    open_calls: int = 0
    unjudged: Mapping[str, int] = {}

    @property
    def traffic(self) -> bool:
        """Whether anything was traffic, judged or not."""
        return bool(self.exchanges or self.frames or self.conversations or self.sessions or self.unjudged)


class Summary(Struct, frozen=True, kw_only=True):
    """How many findings of each severity, listed or not; suppressed ones are counted apart."""

    error: int = 0
    warning: int = 0
    info: int = 0
    suppressed: int = 0

    def of(self, severity: Severity) -> int:
        return {"error": self.error, "warning": self.warning, "info": self.info}[severity]


def _unsaid(rule: str) -> str:
    return ""


class Report(Struct, frozen=True, kw_only=True):
    """Everything a format may show.

    `findings` are those to be listed, in the order they were found; `hidden` counts those above the limit;
    `found` are all that count. `why` says of a rule, by its name, why it matters.
    """

    findings: tuple[Finding, ...] = ()
    found: tuple[Finding, ...] = ()
    checked: Checked = Checked()
    summary: Summary = Summary()
    hidden: int = 0
    why: Callable[[str], str] = _unsaid


def count(findings: Iterable[Finding], suppressed: int = 0, counted: Mapping[Severity, int] | None = None) -> Summary:
    """How many there are: those at hand, and those that were counted and not kept."""
    tally = {"error": 0, "warning": 0, "info": 0}
    tally.update(counted or {})  # type: ignore[arg-type]
    for finding in findings:
        tally[finding.severity] += 1
    return Summary(**tally, suppressed=suppressed)
