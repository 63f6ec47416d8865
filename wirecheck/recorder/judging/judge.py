"""Judges records as they are written. An exception in judging switches judging off, and nothing else.

Knows no proxy, no file and no screen.
"""

from collections import Counter
from collections.abc import Callable

from wirecheck.api import repeated
from wirecheck.faults import REPORT, Fault, fault
from wirecheck.finding import Finding, at_least
from wirecheck.inspector import Inspector
from wirecheck.recorder.judging.call_watch import CallWatch, LateCall
from wirecheck.report import Report
from wirecheck.report.report import checked, count
from wirecheck.rules import Ruleset
from wirecheck.wire.records import Record


class Judge:
    """`alarm` is called with a few lines when judging had to stop."""

    def __init__(
        self, rules: Ruleset, alarm: Callable[[str], None], *, predict: bool = False, call_timeout: float = 0.0
    ) -> None:
        self._rules, self._alarm = rules, alarm
        self._inspector = Inspector(rules, predict=predict)
        self._watch = CallWatch(call_timeout)
        self._paths: set[str] = set()
        self._recited: Counter[int] = Counter()
        self.findings: list[Finding] = []  # after `end` with how often they were recited
        self.lines = 0
        self.faulty = False

    def see(self, record: Record) -> list[Finding]:
        """Returns the findings that this record gives."""
        self.lines += 1
        self._paths.add(record.origin.path)
        given: list[Finding] = []
        if not self.faulty:
            try:
                given = self._inspector.feed(record)
            except Exception as error:
                self._switch_off(fault(error, record.origin.path, record.origin.line))
        self.findings += given
        return given

    def late(self, channel: str, now: float) -> list[LateCall]:
        """The calls of an open Live session that became late since this was asked last."""
        return [] if self.faulty else list(self._watch.late(channel, self._inspector.held_up(channel), now))

    def over(self, channel: str) -> None:
        self._watch.over(channel)

    def as_findings(self, late: LateCall) -> list[Finding]:
        """What there would be to say if the session ended now. Nothing of it is given yet."""
        return [self._rules.finding(miss) for miss in self._rules.judge(late.fact)]

    def recited(self) -> list[Finding]:
        """The findings that were recited again since the last call."""
        new = [each for each in self._inspector.repeats if each.times > self._recited[id(each.finding)]]
        self._recited.update({id(each.finding): each.times - self._recited[id(each.finding)] for each in new})
        return [each.finding for each in new]

    def end(self) -> list[Finding]:
        """Ends judging and returns the findings that were held until now."""
        if self.faulty:
            return []
        before = len(self.findings)
        try:
            self.findings = repeated(self._inspector, self.findings)
        except Exception as error:
            self._switch_off(fault(error, next(iter(self._paths), ""), 0))
        return self.findings[before:]

    def report(self, listed: tuple[str, ...], settings: str = "") -> Report:
        """The report on all findings; those of the severities `listed` are shown."""
        return Report(
            findings=tuple(finding for finding in self.findings if finding.severity in listed),
            found=tuple(self.findings),
            checked=checked(
                self._inspector.checked, files=len(self._paths), lines=self.lines, rules=len(self._rules.rules)
            ),
            summary=count(self.findings),
            why=self._rules.why,
            settings=settings,
        )

    def fails(self, fail_on: str) -> bool:
        """Whether a finding is at least this severe."""
        return any(finding.severity in at_least(fail_on) for finding in self.findings)

    def _switch_off(self, found: Fault) -> None:
        self.faulty = True
        calls = "".join([f"  {call}\n" for call in found.trace])
        self._alarm(
            f"{found.place}: {found.why}\n{calls}judging is switched off, traffic and recording go on; {REPORT}"
        )
