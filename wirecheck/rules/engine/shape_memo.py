"""Which facts of a piece are worth asking about, remembered by its key.

The first piece of a shape is asked about in full. Where no rule has anything to say of its facts, and the key decides
all that rules look at, facts of the next one are not even made.
"""

from collections.abc import Hashable, Iterator

from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.lazy_facts import LazyFacts

MOST = 8192  # keys that are kept at least; twice as many at most


class ShapeMemo:
    """By key: the numbers of the facts that rules have something to say of. `heard` and `regular` count pieces."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules, self.remembers = rules, rules.remembers
        self._kins: dict[tuple[object, ...], int] = {}
        self._young: dict[Hashable, tuple[int, ...]] = {}
        self._old: dict[Hashable, tuple[int, ...]] = {}
        self.heard = self.regular = 0

    def kin(self, context: Context) -> int | None:
        c = context
        same = c.protocol, c.surface, c.version, c.band, c.whole, c.method, self._rules.model_class(c.model)
        return self._kins.setdefault(same, len(self._kins))

    def holds(self, key: Hashable) -> bool:
        self.heard += 1
        if (asked := self._young.get(key)) is None:
            asked = self._known(key)
        if asked == ():
            self.regular += 1
            return True
        return False

    def worth_asking(self, piece: LazyFacts) -> Iterator[Fact]:
        """The facts of a piece of which rules may have something to say. Who asks says of each fact if they do."""
        known = None if piece.key is None else self._known(piece.key)
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
            self._keep(piece.key, tuple(asked))
            for half in piece.halves if not asked else ():
                self._keep(half, ())

    def _keep(self, key: Hashable, asked: tuple[int, ...]) -> None:
        if len(self._young) >= MOST:
            self._old, self._young = self._young, {}
        self._young[key] = asked

    def _known(self, key: Hashable) -> tuple[int, ...] | None:
        known = self._young.get(key)
        if known is None and (known := self._old.get(key)) is not None:
            self._young[key] = known
        return known
