"""Remembers, by the key of a piece (talk/lazy_facts.py), which of its facts rules have to be asked about.

All rules are asked about the first piece with a key. Where none reports anything, and the key decides all conditions
(decided_conditions.py), the facts of the next piece with that key are not even created.
"""

from collections.abc import Hashable, Iterator

from wirecheck.cache import Cache
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.lazy_facts import LazyFacts

KEYS, CONTEXTS = 16_384, 4096  # that are held


class ShapeMemo:
    """By key: the numbers of the facts to ask about. `heard` counts the pieces it was asked about, `regular` those
    of them whose facts nobody needs; Live frames that are only counted are among both."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._context_classes: Cache[tuple[object, ...], int] = Cache(CONTEXTS)
        self._last_class = 0
        self._asked: Cache[Hashable, tuple[int, ...]] = Cache(KEYS)
        self.heard = self.regular = 0

    def context_class(self, context: Context) -> int | None:
        c = context  # all of it but the conversation: decided_conditions.py relies on that
        same = c.protocol, c.surface, c.version, c.band, c.whole, c.method, self._rules.model_class(c.model)
        if (context_class := self._context_classes.get(same)) is None:
            self._last_class = context_class = self._last_class + 1
            self._context_classes.put(same, context_class)
        return context_class

    def holds(self, key: Hashable) -> bool:
        self.heard += 1
        if self._asked.get(key) == ():
            self.regular += 1
            return True
        return False

    def count_regular(self, pieces: int) -> None:
        self.heard += pieces
        self.regular += pieces

    def worth_asking(self, piece: LazyFacts) -> Iterator[Fact]:
        """Yields the facts of a piece that rules may report. The caller judges each before it takes the next, and
        Ruleset.spoke then tells whether it was reported."""
        known = None if piece.key is None else self._asked.get(piece.key)
        if known is None:
            yield from self._learn(piece)
            return
        for n, fact in enumerate(piece.facts()):
            if n in known:
                yield fact

    def _learn(self, piece: LazyFacts) -> Iterator[Fact]:
        rules, asked = self._rules, list[int]()
        for n, fact in enumerate(piece.facts()):
            yield fact
            if rules.spoke or rules.undecided(fact):
                asked.append(n)
        if piece.key is not None:
            self._asked.put(piece.key, tuple(asked))
            for half in piece.halves if not asked else ():
                self._asked.put(half, ())
