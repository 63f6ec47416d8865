"""Decides which recent finding of a Live session explains its close.

Findings of frames are given at once and are final; if the close confirms one, that is a finding of its own. Findings
before the server's first frame wait for that frame: a server that refuses the client has read none of its frames, and
then these findings are dropped.
"""

from collections import OrderedDict, deque
from collections.abc import Collection

from msgspec.structs import replace

from wirecheck.dialects.messages import Connected, Hangup, Message
from wirecheck.finding import SEVERITIES, Finding
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.close_confirmation import confirmed, explains
from wirecheck.rules.server_word.texts import opaque
from wirecheck.talk.facts import EndedFact, Fact
from wirecheck.talk.sessions.closes import read

_MOST = 32  # findings of a session
_SESSIONS = 1024
_NAMED = 3  # rules that a close without an explanation names


class CloseVerdicts:
    """The last findings of each open session, and whether they came with its close."""

    def __init__(self, unasked: Collection[Rule] = ()) -> None:
        self._unasked = unasked
        self._found: OrderedDict[str, deque[tuple[Rule, Finding, bool]]] = OrderedDict()
        self._unheard: dict[str, list[Finding]] = {}  # by channel: findings that wait for the server's first frame

    def note(self, rule: Rule, fact: Fact, finding: Finding, *, closing: bool) -> None:
        name = fact.context.conversation
        self._found.setdefault(name, deque(maxlen=_MOST)).append((rule, finding, closing))
        self._found.move_to_end(name)
        if len(self._found) > _SESSIONS:
            self._found.popitem(last=False)

    def explain(self, close: EndedFact, given: list[Finding]) -> tuple[EndedFact, list[Finding]]:
        """Returns the end of a session with the rule that explains it, and the findings to give with it.

        If a finding given before explains the close, one more of that rule is given, confirmed, and other findings at
        the close itself are dropped. A finding of severity info does not explain a reason that names nothing.
        Where nothing explains the close, it has the rules of what was found before.
        """
        found = [*self._found.pop(close.context.conversation, ())] if close.refused else []
        suspects = {each.turn for each in close.related}
        found.sort(key=lambda each: _likelihood(each[1], suspects, closing=each[2]))
        for rule, finding, closing in reversed(found):
            if explains(rule, close.reason) and (finding.severity != "info" or not opaque(close.reason)):
                close = replace(close, explained="here" if closing else "earlier", because=rule.name)
                if closing:
                    break
                left = [each for each in given if each.place != close.spot.place()]
                return close, [*left, confirmed(rule, finding, close)]
        if close.refused and not close.explained:
            grave = [rule.name for rule, each, closing in reversed(found) if each.severity != "info" and not closing]
            close = replace(close, found=tuple(dict.fromkeys(grave))[:_NAMED])
        unasked = () if close.explained or opaque(close.reason) else self._unasked
        if any(explains(rule, close.reason) for rule in unasked):
            close = replace(close, explained="unasked")
        return close, given

    def heard(self, message: Message, given: list[Finding]) -> list[Finding]:
        """Returns what may be given now: of the findings in this message and those waiting for the server's first
        frame."""
        channel = message.seen.channel
        if type(message) is Connected:  # perhaps again, if the log lacks the end of an earlier connection
            late, self._unheard[channel] = self._unheard.pop(channel, []), given
            return late
        if (waits := self._unheard.get(channel)) is None:
            return given
        if type(message) is Hangup:
            return _kept(self._unheard.pop(channel), message, given) + given
        if message.seen.sender == "server":
            return self._unheard.pop(channel) + given
        waits += given
        return []

    def rest(self) -> list[Finding]:
        """Returns all waiting findings: the log is over."""
        waits, self._unheard = self._unheard, {}
        return [finding for found in waits.values() for finding in found]


def _likelihood(finding: Finding, suspects: set[int | None], *, closing: bool) -> tuple[bool, bool, int]:
    """A sort key: errors in frames are likelier causes of the close than suspects, these likelier than mild
    findings."""
    grave = finding.severity == "error" and not closing
    return grave, finding.turn in suspects, SEVERITIES.index(finding.severity)


def _kept(waits: list[Finding], hangup: Hangup, given: list[Finding]) -> list[Finding]:
    """The waiting findings to keep at a close; if the client was refused, only those of rules that also fired on it."""
    if read(hangup.reason).meaning != "auth":
        return waits
    rules = {finding.rule for finding in given}
    return [finding for finding in waits if finding.rule in rules]
