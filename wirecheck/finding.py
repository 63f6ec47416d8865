"""A finding: its rule, severity, message, place, help, and the server's verdict.

The same object everywhere: from the library, in every format, in live output.
"""

from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct

Severity = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)  # mildest first
Verdict = Literal["confirmed", "tolerated", "unknown"]


def at_least(severity: str) -> tuple[Severity, ...]:
    """The severities from this one up; none for "never".

    >>> from wirecheck.finding import at_least
    >>> at_least("warning")
    ('warning', 'error')
    """
    return next((SEVERITIES[n:] for n, each in enumerate(SEVERITIES) if each == severity), ())


def milder_than(severity: str) -> tuple[Severity, ...]:
    """The severities below this one."""
    return tuple(each for each in SEVERITIES if each not in at_least(severity))


class Inner(Struct, frozen=True, gc=False):
    """A place inside a string of the line: the event of an SSE text, and the pointer in its JSON."""

    pointer: str
    event: int | None = None


class Place(Struct, frozen=True, gc=False):
    """A place in a log: file, line, and an RFC 6901 pointer into the JSON value of that line."""

    path: str
    line: int
    pointer: str = ""
    inner: Inner | None = None

    @property
    def pattern(self) -> tuple[str, str]:
        """The pointers with `*` in place of indices."""
        return _unnumbered(self.pointer), _unnumbered(self.inner.pointer) if self.inner else ""


@lru_cache(maxsize=1024)
def _unnumbered(pointer: str) -> str:
    return "/".join(["*" if step.isdecimal() else step for step in pointer.split("/")])


class Related(Struct, frozen=True, gc=False):
    """Another place that belongs to a finding, with a label."""

    place: Place
    label: str


class CallName(Struct, frozen=True, gc=False):
    """The call that a finding is about."""

    name: str | None
    id: str | None


class ServerWord(Struct, frozen=True, gc=False):
    """What the recorded reply says about a finding: `confirmed`, `tolerated` or `unknown`."""

    verdict: Verdict = "unknown"
    status: int | None = None
    text: str | None = None


class Line(Struct, frozen=True, gc=False):
    """One short line of the turns around a mistake, already scrubbed, plain and cut.

    `mark` is "here" for the mistake, "related" for a place that belongs to it (with a `label`), "" for context.
    """

    turn: int
    role: str
    text: str
    mark: Literal["", "here", "related"] = ""
    label: str = ""


class Finding(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that is wrong, final when given.

    >>> from wirecheck import check
    >>> (finding,) = check([{"role": "user", "parts": []}], model="gemini-3.6-flash", surface="gemini-api")
    >>> finding.rule, finding.code, finding.severity
    ('content-parts-empty', 'WC103', 'error')
    >>> finding.place.pointer, finding.band, finding.server.verdict
    ('/0', 'gemini-3.6', 'unknown')
    """

    rule: str
    code: str
    severity: Severity
    message: str
    place: Place
    help: str = ""
    url: str = ""
    surface: str | None = None
    model: str | None = None
    band: str | None = None
    conversation: str | None = None
    turn: int | None = None
    call: CallName | None = None
    related: tuple[Related, ...] = ()
    repeated: int = 0
    server: ServerWord = ServerWord()
    fingerprint: str = ""
    around: tuple[Line, ...] = ()


class Repeated(Struct, frozen=True, gc=False):
    """How many later requests recited the mistake of a finding."""

    finding: Finding
    times: int
