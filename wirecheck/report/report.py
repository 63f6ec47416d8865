"""The data of a report, for all formats: what was found, and what was checked.

Knows no format, and not where findings come from.
"""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import asdict

from wirecheck.finding import Finding, Severity


class Skipped(Struct, frozen=True):
    """Lines that are no traffic, by reason: their number, and the first of them."""

    path: str
    line: int
    why: str
    count: int


class Guess(Struct, frozen=True):
    """A file that is of no known form: traffic was found by searching its values. It was read as these formats."""

    path: str
    formats: tuple[str, ...]


class Checked(Struct, frozen=True, kw_only=True):
    """How much was checked. `prefixed` lines had something before their JSON; `passed_over` are the files of folders
    that are no logs, by ending."""

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
    guesses: tuple[Guess, ...] = ()
    prefixed: int = 0
    passed_over: Mapping[str, int] = {}

    @property
    def judged(self) -> bool:
        """Whether anything was traffic that is judged."""
        return bool(self.exchanges or self.frames or self.conversations or self.sessions)

    @property
    def traffic(self) -> bool:
        """Whether anything was traffic, judged or not."""
        return self.judged or bool(self.unjudged)


def checked(statistics: Struct, **more: object) -> Checked:
    """How much an Inspector judged, by its statistics, and of how many files, lines and rules."""
    counts = asdict(statistics) | more
    counts["skipped"] = tuple(Skipped(*entry) for entry in counts["skipped"])
    return Checked(**counts)


class Summary(Struct, frozen=True, kw_only=True):
    """The number of findings of each severity, listed or not; suppressed ones are counted separately."""

    error: int = 0
    warning: int = 0
    info: int = 0
    suppressed: int = 0

    def of(self, severity: Severity) -> int:
        return {"error": self.error, "warning": self.warning, "info": self.info}[severity]


class Report(Struct, frozen=True, kw_only=True):
    """Everything that a format may show.

    `findings` are those to list, in order; `hidden` is the number of those above --max-findings; `found` are all that
    count. `why` returns why a rule matters, by its name. `settings` is the file that options come from.
    """

    findings: tuple[Finding, ...] = ()
    found: tuple[Finding, ...] = ()
    checked: Checked = Checked()
    summary: Summary = Summary()
    hidden: int = 0
    why: Callable[[str], str] = lambda rule: ""
    settings: str = ""


def count(findings: Iterable[Finding], suppressed: int = 0, counted: Mapping[Severity, int] | None = None) -> Summary:
    """Counts the findings, together with those that were only counted and not kept."""
    tally = {"error": 0, "warning": 0, "info": 0}
    tally.update(counted or {})  # type: ignore[arg-type]
    for finding in findings:
        tally[finding.severity] += 1
    return Summary(**tally, suppressed=suppressed)
