"""Which utterance of a log is which on the wire: the same, nearly the same, or the same at another place."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from wirecheck.compare.alignment import aligned, gaps
from wirecheck.compare.spoken import Utterance

Sign = Callable[[Utterance], Iterable[Hashable]]  # what two utterances have in common that are taken for one


class UtterancePairs:
    """`of` leads from the number in the log to that on the wire, `back` from there. Those in `moved` stand in another
    order; `pieces_log` and `pieces_wire` are texts that are the same on both sides, in other pieces."""

    def __init__(self, log: Sequence[Utterance], wire: Sequence[Utterance]) -> None:
        self._log, self._wire = log, wire
        self.of: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.moved: set[int] = set()
        self.pieces_log: set[int] = set()
        self.pieces_wire: set[int] = set()
        pairs = aligned([each.key for each in log], [each.key for each in wire], [each.weight for each in log])
        for n, m in pairs:
            self._pair(n, m)
        for here, there in gaps(pairs, len(log), len(wire)):
            self._between(here, there)
        for sign in (_ids, _content):
            self.moved.update(self._pair_alike(range(len(log)), range(len(wire)), sign))

    def unsent(self) -> Iterator[int]:
        return (n for n in range(len(self._log)) if n not in self.of and n not in self.pieces_log)

    def unlogged(self) -> Iterator[int]:
        return (m for m in range(len(self._wire)) if m not in self.back and m not in self.pieces_wire)

    def _between(self, here: range, there: range) -> None:
        """Pairs what stands between the same two others and is not quite the same."""
        if not here or not there:
            return
        self._pair_alike(here, there, _ids)
        # Of one name; where both sides have ids, these tell.
        self._pair_alike(here, [m for m in there if not self._wire[m].ids], _name)
        self._pair_alike([n for n in here if not self._log[n].ids], there, _name)
        texts = (
            [n for n in here if n not in self.of and self._log[n].what == "text"],
            [m for m in there if m not in self.back and self._wire[m].what == "text"],
        )
        if _spoken([self._log[n] for n in texts[0]]) == _spoken([self._wire[m] for m in texts[1]]):
            self.pieces_log.update(texts[0])
            self.pieces_wire.update(texts[1])
        else:
            self._pair_alike(here, there, _speaker)

    def _pair_alike(self, here: Iterable[int], there: Iterable[int], sign: Sign) -> list[int]:
        """Pairs the first with the first that has this sign in common, and returns those of the log."""
        paired = list[int]()
        waiting: dict[Hashable, list[int]] = {}
        for m in there:
            for each in sign(self._wire[m]) if m not in self.back else ():
                waiting.setdefault(each, []).append(m)
        for several in waiting.values():
            several.reverse()
        for n in here:
            for each in sign(self._log[n]) if n not in self.of else ():
                several = waiting.get(each, [])
                while several and several[-1] in self.back:
                    several.pop()
                if several and n not in self.of:
                    self._pair(n, several.pop())
                    paired.append(n)
        return paired

    def _pair(self, n: int, m: int) -> None:
        self.of[n], self.back[m] = m, n


def _ids(one: Utterance) -> Iterable[Hashable]:
    return [(one.what, each) for each in one.ids]


def _name(one: Utterance) -> Iterable[Hashable]:
    """Of a response without a name, that of its call."""
    return [(one.what, one.name or one.called)] if one.what != "text" else ()


def _speaker(one: Utterance) -> Iterable[Hashable]:
    return [one.speaker] if one.what == "text" else ()


def _content(one: Utterance) -> Iterable[Hashable]:
    return [one.key]


def _spoken(texts: Iterable[Utterance]) -> tuple[tuple[str, str], ...]:
    """What is said by whom, all texts of one speaker together."""
    said: dict[str, str] = {}
    for each in texts:
        said[each.speaker] = said.get(each.speaker, "") + each.letters
    return tuple(said.items())
