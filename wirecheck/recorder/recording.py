"""One recording: captured records are written, then judged, then reported. Its end gives the exit code.

Passes flows to `capture` and knows nothing else of them; the caller catches exceptions.
"""

from collections import deque
from collections.abc import Callable, Mapping

from mitmproxy.http import HTTPFlow

from wirecheck.data.shipped import models
from wirecheck.finding import Finding
from wirecheck.recorder.capture.capture import Capture
from wirecheck.recorder.capture.journal import Journal, JournalLost
from wirecheck.recorder.capture.recorded_hosts import RecordedHosts
from wirecheck.recorder.capture.unanswered import Unanswered
from wirecheck.recorder.judging.judge import Judge
from wirecheck.recorder.judging.live_output import LiveOutput
from wirecheck.recorder.mitm.settings import Settings
from wirecheck.report import Screen
from wirecheck.report.screen import clean
from wirecheck.secrets.redaction import Written

FINE, FOUND, FAILED = 0, 1, 2
NOTHING = (
    "wirecheck: nothing went through that could be judged: does the client use the proxy, or does it need mode reverse?"
    " (--allow-empty, in mitmproxy wirecheck_allow_empty, lets this pass)"
)


class Recording:
    """Captured records wait until `settle` is called."""

    def __init__(self, settings: Settings, say: Callable[[str], None], screen: Screen) -> None:
        self._settings, self._say = settings, say
        self._journal = Journal(settings.log or None)
        self.judge = Judge(settings.ruleset, self.fail, predict=settings.enforce, call_timeout=settings.call_timeout)
        self._teller = LiveOutput(say, screen, settings.min_severity, settings.report)
        wanted = RecordedHosts(models(), upstream=settings.upstream, hosts=settings.host, all_hosts=settings.all_hosts)
        self._waiting: deque[Written] = deque()
        self.capture = Capture(self._waiting.append, wanted, keep_media=settings.keep_media, run=self._journal.run)
        self._unanswered = Unanswered()
        self._failed = False

    def settle(self) -> list[Finding]:
        """Writes, judges and reports what was captured. Returns its findings."""
        found: list[Finding] = []
        while self._waiting:
            written = self._journal.write(self._waiting.popleft())
            self._unanswered.see(written)
            new = self.judge.see(written)
            for finding in new:
                self._teller.tell(finding)
            # With --enforce a recited mistake is refused again.
            found += new + (self.judge.recited() if self._settings.enforce else [])
        return found

    def late(self, flow: HTTPFlow, now: float) -> list[Finding]:
        """Tells of calls of an open Live session that wait too long. Returns what a server would close it for: a call
        whose time is up, or one that was left out while others of its message were answered."""
        channel = self.capture.channel(flow)
        found: list[Finding] = []
        for late in self.judge.late(channel, now) if channel else ():
            self._teller.notice(late.words)
            if late.seconds is not None or late.fact.sibling_answers:
                found += self.judge.as_findings(late)
        return found

    def over(self, flow: HTTPFlow) -> None:
        """The session is about to end."""
        if channel := self.capture.channel(flow):
            self.judge.over(channel)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Learns secrets from headers meant for the proxy, which are not logged but may reappear elsewhere."""
        self._journal.learn(headers)

    def look(self) -> None:
        """Checks that the log can still be written; else raises JournalLost."""
        self._journal.look()

    def fail(self, why: str) -> None:
        """Reports that not everything was recorded and judged. The exit code will be 2."""
        self._failed = True
        self._say(f"wirecheck: {why}")

    def end(self) -> int:
        """Writes the reports and returns the exit code."""
        self.close()
        for finding in self.judge.end():
            self._teller.tell(finding)
        report = self.judge.report(self._teller.listed, self._settings.settings)
        self._teller.story(report)
        if why := self._unanswered.line():
            self._say(f"wirecheck: {clean(why)}")
        empty = not (report.checked.traffic or self._settings.allow_empty or self._failed)
        if empty:
            self._say(NOTHING)
        if empty or self._unanswered.all or self._failed or self._teller.failed or self.judge.faulty:
            return FAILED
        return FOUND if self.judge.fails(self._settings.fail_on) else FINE

    def close(self) -> None:
        """Writes what is left and closes the log."""
        try:
            self.capture.close()
            self.settle()
            self._journal.look()  # it may have been removed after its last record
        except JournalLost as error:
            if not self._failed:
                self.fail(str(error))
        self._journal.close()
