"""What differs between a log and the wire, as facts for rules to judge."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from wirecheck.compare.conversation_pairs import paired
from wirecheck.compare.spoken import SpokenConversation, Utterance
from wirecheck.compare.utterance_pairs import UtterancePairs
from wirecheck.finding import Line
from wirecheck.talk.facts import Linked, LoggedFact

How = Literal["unsent", "unlogged"]
AROUND = 2  # utterances shown before a difference, and after it
OTHER = {"unsent": "here the wire goes on without it", "unlogged": "here the log goes on without it"}


class LoggedDifference(Struct, frozen=True):
    """A difference, and the utterances around it."""

    fact: LoggedFact
    around: tuple[Line, ...]


class Compared(Struct, frozen=True):
    """How many conversations there are, how many of the log are on the wire, and how those differ."""

    logged: int
    sent: int
    found: int
    differences: list[LoggedDifference]


def compare(log: Sequence[SpokenConversation], wire: Sequence[SpokenConversation]) -> Compared:
    of, left = paired(log, wire)
    differences = list[LoggedDifference]()
    for n, logged in enumerate(log):
        if n in of:
            differences += _between(logged, _joined([wire[m] for m in sorted(of[n])]))
        else:
            differences.append(_alone(logged, "unsent"))
    differences += [_alone(wire[m], "unlogged") for m in left]
    if not of:  # these are logs of different things
        differences.clear()
    return Compared(len(log), len(wire), len(of), differences)


def _joined(several: Sequence[SpokenConversation]) -> SpokenConversation:
    """One conversation of those on the wire that are one in the log."""
    sound = {speaker for each in several for speaker in each.sound}
    joined = replace(several[0], utterances=list(several[0].utterances), sound=sound)
    for each in several[1:]:
        joined.recite(each.utterances)
    return joined


def _alone(conversation: SpokenConversation, how: How) -> LoggedDifference:
    return _difference(conversation, 0, what="conversation", how=how, utterances=len(conversation.utterances))


def _between(logged: SpokenConversation, sent: SpokenConversation) -> Iterator[LoggedDifference]:
    pairs = UtterancePairs(logged.utterances, sent.utterances)
    unheard = sent.unheard
    unsent = {
        n for n in pairs.unsent() if logged.utterances[n].what != "text" or logged.utterances[n].speaker not in unheard
    }
    before = 0
    for n in range(len(logged.utterances)):
        before = pairs.of.get(n, before)
        if n in unsent:
            yield _missing("unsent", logged, n, sent.utterances[before])
        elif n in pairs.of:
            yield from _changes(logged, n, sent.utterances[pairs.of[n]], moved=n in pairs.moved)
    before, unlogged = 0, set(pairs.unlogged())
    for m in range(len(sent.utterances)):
        before = pairs.back.get(m, before)
        if m in unlogged:
            yield _missing("unlogged", sent, m, logged.utterances[before])


def _missing(how: How, has: SpokenConversation, n: int, near: Utterance) -> LoggedDifference:
    """`near` is what the other side has that is nearest before it."""
    return _difference(has, n, how=how, related=(Linked(near.spot, OTHER[how]),))


def _changes(logged: SpokenConversation, n: int, wire: Utterance, *, moved: bool) -> Iterator[LoggedDifference]:
    log = logged.utterances[n]
    there = (Linked(wire.spot, "on the wire it is this"),)
    if moved and not (log.transcribed or wire.transcribed):
        yield _difference(logged, n, how="order", related=there)
    if log.ids and wire.ids and set(log.ids).isdisjoint(wire.ids):
        yield _difference(logged, n, how="id", other=", ".join(wire.ids), related=there)
    if log.name and wire.name and log.name != wire.name:
        yield _difference(logged, n, how="name", other=wire.name, related=there)
    if log.speaker and wire.speaker and log.speaker != wire.speaker:
        yield _difference(logged, n, how="role", other=wire.role, related=there)
    if log.said != wire.said and (log.name == wire.name or log.what == "answer"):
        yield _difference(logged, n, how="content", other=wire.sketch, related=there)


def _difference(
    conversation: SpokenConversation,
    n: int,
    *,
    how: str,
    what: str = "",
    other: str = "",
    related: tuple[Linked, ...] = (),
    utterances: int = 1,
) -> LoggedDifference:
    one = conversation.utterances[n]
    fact = LoggedFact(
        context=conversation.context,
        spot=one.spot,
        turn=one.turn,
        related=related,
        what=what or one.what,
        how=how,
        speaker=one.speaker,
        role=one.role,
        id=one.ids[0] if one.ids else None,
        name=one.name or one.called,
        says=one.sketch,
        other=other,
        utterances=utterances,
    )
    return LoggedDifference(fact, tuple(_around(conversation.utterances, n)))


def _around(utterances: Sequence[Utterance], n: int) -> Iterator[Line]:
    begin = max(n - AROUND, 0)
    for number, each in enumerate(utterances[begin : n + AROUND + 1], begin):
        yield Line(number, each.role, each.sketch, "here" if number == n else "")
