"""What was found in the frames of a Live session lately, and which of it explains the close.

A finding is final when given; the close, which may confirm it, is a finding of its own. What is found before the first
word of the server is given with that: where it does not let the client in, it read no frames, and these are not judged.
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


class CloseVerdicts:
    """The last findings of each session that is open, and whether they were given with its close."""

    def __init__(self, unasked: Collection[Rule] = ()) -> None:
        self._unasked = unasked
        self._found: OrderedDict[str, deque[tuple[Rule, Finding, bool]]] = OrderedDict()
        self._unheard: dict[str, list[Finding]] = {}  # by channel: of frames to which the server has said nothing yet

    def note(self, rule: Rule, fact: Fact, finding: Finding, *, closing: bool) -> None:
        name = fact.context.conversation
        self._found.setdefault(name, deque(maxlen=_MOST)).append((rule, finding, closing))
        self._found.move_to_end(name)
        if len(self._found) > _SESSIONS:
            self._found.popitem(last=False)

    def explain(self, close: EndedFact, given: list[Finding]) -> tuple[EndedFact, list[Finding]]:
        """The end of a session with what explains it, and what is found with it.

        Where that was found before, the end is one more finding of it, and what else the close left undone is none.
        What is only said explains no words that name nothing.
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
        unasked = () if close.explained or opaque(close.reason) else self._unasked
        if any(explains(rule, close.reason) for rule in unasked):
            close = replace(close, explained="unasked")
        return close, given

    def heard(self, message: Message, given: list[Finding]) -> list[Finding]:
        """What may be given now, of what was found in this message and of what waits for the server's first word."""
        channel = message.seen.channel
        if type(message) is Connected:  # perhaps anew, and the log has no more of the one before
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
        """The log is over, and the server said nothing."""
        waits, self._unheard = self._unheard, {}
        return [finding for found in waits.values() for finding in found]


def _likelihood(finding: Finding, suspects: set[int | None], *, closing: bool) -> tuple[bool, bool, int]:
    """An error in a frame is likelier to lead to the close than what is amiss in the last frame, or was left undone."""
    grave = finding.severity == "error" and not closing
    return grave, finding.turn in suspects, SEVERITIES.index(finding.severity)


def _kept(waits: list[Finding], hangup: Hangup, given: list[Finding]) -> list[Finding]:
    """What was found before a close; where the client was not let in, no more than what that was for."""
    if read(hangup.reason).meaning != "auth":
        return waits
    rules = {finding.rule for finding in given}
    return [finding for finding in waits if finding.rule in rules]
