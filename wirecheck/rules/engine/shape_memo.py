"""Which facts of a piece are worth asking about, remembered by its key.

The first piece of a shape is asked about in full. Where no rule has anything to say of its facts, and the key decides
all that rules look at, facts of the next one are not even made.
"""

from collections.abc import Hashable, Iterator

from wirecheck.cache import Cache
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.talk.facts import Context, Fact
from wirecheck.talk.lazy_facts import LazyFacts

KEYS, KINS = 16_384, 4096  # that are held


class ShapeMemo:
    """By key: the numbers of the facts that rules have something to say of. `heard` and `regular` count pieces."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules, self.remembers = rules, rules.remembers
        self._kins: Cache[tuple[object, ...], int] = Cache(KINS)
        self._last_kin = 0
        self._asked: Cache[Hashable, tuple[int, ...]] = Cache(KEYS)
        self.heard = self.regular = 0

    def kin(self, context: Context) -> int | None:
        c = context
        same = c.protocol, c.surface, c.version, c.band, c.whole, c.method, self._rules.model_class(c.model)
        if (kin := self._kins.get(same)) is None:
            self._last_kin = kin = self._last_kin + 1
            self._kins.put(same, kin)
        return kin

    def holds(self, key: Hashable) -> bool:
        self.heard += 1
        if self._asked.get(key) == ():
            self.regular += 1
            return True
        return False

    def worth_asking(self, piece: LazyFacts) -> Iterator[Fact]:
        """The facts of a piece of which rules may have something to say. Who asks says of each fact if they do."""
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
