"""The memory of the check `pair` for one conversation: facts that wait for their partner.

A turn lasts until another speaker begins. A fact without a tie is ignored.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Spot
from wirecheck.rules.checks.base import Found, Watch, tie
from wirecheck.rules.language.fields import FieldPath, pick
from wirecheck.talk.facts import Fact, Linked


class PairTerms(Struct, frozen=True):
    """The options of a pair, looked up."""

    ties: Mapping[str, FieldPath | None]  # by the role of the fact: given, with, cancel
    before: bool
    needed: bool
    next_turn: bool
    role: str | None
    same: tuple[str, ...]


class OpenPair(Struct, frozen=True):
    """A given fact without a partner so far, and its turn."""

    fact: Fact
    turn: int


class Partner(Struct, frozen=True):
    """The first partner of a tie."""

    spot: Spot
    role: Any


class PairWatch(Watch):
    """The pairs of one conversation."""

    KEPT = ("_turn", "_speaker", "_open", "_partners", "_asked", "_answered")

    def __init__(self, terms: PairTerms) -> None:
        self._terms = terms
        self._turn = 0
        self._speaker = ""
        self._open: dict[Any, tuple[OpenPair, ...]] = {}
        self._partners: dict[Any, Partner] = {}
        self._asked: tuple[tuple[Any, OpenPair], ...] = ()  # for `same`: given facts of the last turn with any
        self._answered: tuple[Any, ...] = ()  # the ties of the partners in the following turn

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        yield from self._turns(getattr(fact, "speaker", ""))
        if tag == "content":
            return
        by = self._terms.ties[tag]
        key = tie(pick(fact, by)) if by is not None else ""
        if key is not None:
            yield from SEEN[tag](self, key, fact)

    def end(self, cut: bool) -> Iterator[Found]:
        if not cut:
            yield from self._compare()
            yield from self._missing(sum(self._open.values(), ()))

    def given(self, key: Any, fact: Fact) -> Iterator[Found]:
        if self._terms.before:
            partner = self._partners.get(key)
            if partner is not None and self._misplaced(partner.role):
                yield _miss(fact, "role", Linked(partner.spot, "its partner"))
            elif partner is None and self._terms.needed:
                yield _miss(fact, "missing")
            return
        opened = OpenPair(fact, self._turn)
        self._open[key] = (*self._open.get(key, ()), opened)
        if self._terms.same:
            if self._asked and self._asked[-1][1].turn != self._turn:
                yield from self._compare()
            self._asked = (*self._asked, (key, opened))

    def partner(self, key: Any, fact: Fact) -> Iterator[Found]:
        role = getattr(fact, "role", None)
        first = self._partners.setdefault(key, here := Partner(fact.spot, role))
        waiting = self._open.pop(key, ())
        if len(waiting) > 1:
            self._open[key] = waiting[1:]
        if self._asked:
            self._answered = (*self._answered, key)
        if waiting and self._misplaced(role):
            yield _miss(fact, "role", Linked(waiting[0].fact.spot, "what it belongs to"))
        elif not waiting and first is not here and self._terms.ties["with"] is not None and not self._terms.before:
            yield _miss(fact, "again", Linked(first.spot, "the first"))

    def cancel(self, key: Any, fact: Fact) -> Iterator[Found]:
        self._open.pop(key, None)
        self._asked = tuple(each for each in self._asked if each[0] != key)
        yield from ()

    def _misplaced(self, role: Any) -> bool:
        return self._terms.role is not None and role != self._terms.role

    def _turns(self, speaker: str) -> Iterator[Found]:
        """Another turn begins: what had to come in the one before has come or is missing."""
        if not self._terms.next_turn or speaker in ("", self._speaker):
            return
        self._speaker = speaker
        self._turn += 1
        if self._asked and self._asked[0][1].turn + 1 < self._turn:
            yield from self._compare()
        waiting = [(key, each) for key, several in self._open.items() for each in several]
        self._open = {}
        for key, each in waiting:
            if each.turn + 1 < self._turn:
                yield from self._missing((each,))
            else:
                self._open[key] = (*self._open.get(key, ()), each)

    def _missing(self, waiting: tuple[OpenPair, ...]) -> Iterator[Found]:
        if self._terms.needed:
            yield from (_miss(each.fact, "missing") for each in waiting)

    def _compare(self) -> Iterator[Found]:
        """Compares the number and order of the partners of a turn with those of the given facts."""
        asked, answered = self._asked, self._answered
        self._asked, self._answered = (), ()
        if not asked or not answered:
            return
        first = asked[0][1].fact
        if "count" in self._terms.same and len(asked) != len(answered):
            yield _miss(first, "count", count=len(answered), wanted=len(asked))
        keys = [key for key, _ in asked if key in answered]
        if "order" in self._terms.same and keys != [key for key in answered if key in keys]:
            yield _miss(first, "order", count=len(answered), wanted=len(asked))


SEEN = {"given": PairWatch.given, "with": PairWatch.partner, "cancel": PairWatch.cancel}


def _miss(fact: Fact, why: str, *related: Linked, **more: int) -> Found:
    return Found(fact, {"why": why, **more}, related)
