"""Rules at work: facts in, misses out.

The rules about a kind of fact are made ready when the first fact of it comes. What checks with memory remember is kept
by conversation, and can be saved and put back. Knows no protocol.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from wirecheck.dialects.messages import Spot
from wirecheck.finding import Finding, ServerWord
from wirecheck.models import Models
from wirecheck.rules.checks import CHECKS, Check, Found, Listens, Watch, Watching
from wirecheck.rules.code import Function, made
from wirecheck.rules.findings import Texts
from wirecheck.rules.rule import Miss, Rule
from wirecheck.rules.severity import KEYS, Severities
from wirecheck.rules.where import lines
from wirecheck.talk.facts import NOBODY, Fact
from wirecheck.wire.record import Origin, Site

HTTP = "generate-content"  # what is asked whether a rule spares some contexts
OF_CONTEXTS = frozenset(KEYS) - {"protocol"}  # what is not told apart in wide forms
Judge = Callable[[Fact, float | None, list[Miss]], None]
Memory = Mapping[int, Mapping[str, Any]]  # by the number of the rule
Kept = tuple[tuple[Rule, ...], Mapping[str, bytes]]  # rules about a kind of fact, and what they became: precompiled.py
NOTHING: Kept = ((), {})
NONE: Mapping[str, Kept] = {}


class RuleCrashed(Exception):
    """A fault of ours, and where in the log it showed."""


class Judged:
    """A rule made ready: its check, and its severities."""

    def __init__(self, rule: Rule, number: int, models: Models) -> None:
        self.rule = rule
        self.number = number
        self.check: Check = CHECKS[rule.check](rule.given, rule.options)
        self._models = models
        own = Listens("given", rule.given, tuple(lines(rule.given, rule.where)))
        self.listens = (own, *(self.check.listens() if isinstance(self.check, Watching) else ()))

    @cached_property
    def severities(self) -> Severities:
        return Severities(self.rule.given, self.rule.severity, self._models)

    def report(self, found: Iterable[Found], at: float | None, misses: list[Miss]) -> None:
        for each in found:
            severity = self.severities.of(each.fact, at)
            if severity is not None:
                misses.append(self._miss(each, severity))

    def look(self, fact: Fact, at: float | None, misses: list[Miss]) -> None:
        if self.severities.of(fact, at) is not None:
            self.report(self.check.look(fact), at, misses)

    def _miss(self, found: Found, severity: Any) -> Miss:
        return Miss(
            rule=self.rule,
            fact=found.fact,
            severity=severity,
            values=found.values,
            related=found.related,
            steps=found.steps,
        )


class Ruleset:
    """Rules, ready to judge facts."""

    def __init__(
        self, rules: Sequence[Rule], models: Models, unasked: Collection[Rule] = (), kept: Mapping[str, Kept] = NONE
    ) -> None:
        self.rules = tuple(rules)
        self.unasked = tuple(unasked)  # known, but ignored or not selected: what servers say of them is no riddle
        self.models = models
        self.named = {rule.name: rule for rule in self.rules}
        self._kept = kept
        self._judged: dict[int, Judged] = {}
        self._hearing: dict[str, list[int]] = {}  # by the kind of fact: the numbers of the rules that hear of it
        for number in range(len(self.rules)):
            for kind in self._kinds(number):
                self._hearing.setdefault(kind, []).append(number)
        self.builtin = all(rule.builtin for rule in self.rules)
        self.wants = frozenset(self._hearing)  # the kinds of facts any rule asks for
        self.remembers = any(map(_watches, self.rules))
        self._judges: dict[str, Judge] = {}
        self._watches: dict[str, dict[int, Watch]] = {}
        self._texts: dict[str, Texts] = {}
        self._spares: dict[str, Callable[[Fact], bool]] = {}
        self._tells: dict[str, Callable[[Fact], tuple[bool, ...]]] = {}

    def kept(self) -> dict[str, tuple[list[str], dict[str, bytes]]]:
        """The functions that these rules become, by kinds of facts, with the paths of the rules in them. Raises Unknown
        where one names what there is not."""
        for number in range(len(self.rules)):
            _ = self._ready(number).severities
        found: dict[str, tuple[list[str], dict[str, bytes]]] = {}
        for kind, numbers in sorted(self._hearing.items()):
            with suppress(ValueError):  # a check that is more than a condition
                functions = {purpose: write(self, kind).kept() for purpose, write in WRITERS.items()}
                found[kind] = [self.rules[number].path for number in numbers], functions
        return found

    def judge(self, fact: Fact, at: float | None = None) -> list[Miss]:
        """What is wrong with a fact of a record of this time, or has been shown to be wrong by it."""
        misses: list[Miss] = []
        try:
            judge = self._judges.get(fact.kind)
            if judge is None:
                judge = self._judges[fact.kind] = self._function("judge", fact.kind)
            judge(fact, at, misses)
        except Exception as error:
            origin = fact.spot.site.origin
            raise RuleCrashed(f"rules about a fact '{fact.kind}' at {origin.path}:{origin.line}") from error
        return misses

    def end(self, conversation: str, *, cut: bool, at: float | None = None) -> list[Miss]:
        """A conversation is over, and forgotten; `cut` where the log merely has no more of it."""
        misses: list[Miss] = []
        for number, watch in self._watches.pop(conversation, {}).items():
            self._judged[number].report(watch.end(cut), at, misses)
        return misses

    @property
    def watched(self) -> list[str]:
        """The conversations of which checks remember something."""
        return list(self._watches)

    def save(self, conversation: str) -> Memory:
        """What the rules remember of a conversation."""
        return {number: watch.save() for number, watch in self._watches.get(conversation, {}).items()}

    def restore(self, conversation: str, memory: Memory) -> None:
        """Remember of a conversation what was saved of it, or of the one it goes on from."""
        watches = {number: self._watch(number) for number in memory}
        for number, watch in watches.items():
            watch.restore(memory[number])
        self._watches[conversation] = watches

    def kin(self, model: str | None, kinds: Collection[str]) -> tuple[bool, ...]:
        """Models for which this is the same are the same to all rules about facts of these kinds."""
        fact = Fact(context=replace(NOBODY, model=model), spot=Spot(Site(Origin("", 0)), ()))
        for kind in kinds:
            if kind not in self._tells:
                self._tells[kind] = self._function("models", kind)
        return tuple([fits for kind in kinds for fits in self._tells[kind](fact)])

    def _telling(self, kind: str) -> Function:
        """What rules about a kind of fact ask of the name of a model."""
        function, tests = Function(kind, "fact"), ""
        for rule in [self.rules[number] for number in self._hearing.get(kind, ()) if self.rules[number].given == kind]:
            for where in (rule.where, *_wheres(rule)):
                asked = {key: where[key] for key in where if _field(key) == "model"}
                tests += "".join([f"{line.write(function)}, " for line in lines(kind, asked)])
        function.done(f"return ({tests})")
        return function

    def spares(self, fact: Fact) -> bool:
        """Whether a rule that is not asked in all contexts may find this wrong in another band or version, or on
        another surface that is known."""
        if fact.kind not in self._spares:
            self._spares[fact.kind] = self._function("spares", fact.kind)
        return self._spares[fact.kind](fact)

    def _sparing(self, kind: str) -> Function:
        function = Function(kind, "fact")
        for _, judged, listens in self._heard(kind):
            if not self._is_off(judged):
                continue
            function.guard([each for each in listens.lines if each.path.text not in OF_CONTEXTS])
            if test := judged.check.broken(function):
                function.when(test)
            function.done("return True")
        function.done("return False")
        return function

    def _is_off(self, judged: Judged) -> bool:
        """Whether a context may tell that a rule is not asked."""
        if not OF_CONTEXTS.isdisjoint(_asked(judged.rule)):
            return True
        cases = judged.rule.severity if isinstance(judged.rule.severity, list) else []
        if OF_CONTEXTS.isdisjoint({key for case in cases for key in (*case, *_fields(case.get("where", {})))}):
            return False
        if not judged.severities.ever_off:  # as most are not: to ask of each context takes long
            return False
        surfaces = (judged.severities.by_band(HTTP, each) for each in self.models.surfaces if each != "unknown")
        off = on = False
        for severities in chain.from_iterable(bands.values() for bands in surfaces):
            off, on = off or None in severities, on or severities != (None,)
            if off and on:
                return True
        return False

    def everywhere(self, finding: Finding) -> bool:
        """Whether its rule is the same in all contexts, but for what it asks of the name of a model."""
        rule = self.named[finding.rule]
        return isinstance(rule.severity, str) and OF_CONTEXTS.isdisjoint(_asked(rule))

    def why(self, name: str) -> str:
        """Why a rule of this name matters, nothing where there is none."""
        return self.named[name].why if name in self.named else ""

    def finding(self, miss: Miss, server: ServerWord | None = None) -> Finding:
        """The finding a miss is, with what the server says of it."""
        name = miss.rule.name
        if name not in self._texts:
            self._texts[name] = Texts(miss.rule)
        return self._texts[name].finding(miss, server or ServerWord())

    def _function(self, purpose: str, kind: str) -> Callable[..., Any]:
        """As it is kept, if it was made of the very rules that are asked."""
        numbers = self._hearing.get(kind, ())
        act, (rules, kept) = partial(self._act, numbers), self._kept.get(kind, NOTHING)
        if kept and rules == tuple([self.rules[number] for number in numbers]):
            return made(kept[purpose], act)
        return WRITERS[purpose](self, kind).make(act)

    def _act(self, numbers: Sequence[int], n: int, tag: str, fact: Fact, at: float | None, misses: list[Miss]) -> None:
        judged = self._ready(numbers[n])
        if isinstance(judged.check, Watching):
            self._see(judged, tag, fact, at, misses)
        else:
            judged.look(fact, at, misses)

    def _judging(self, kind: str) -> Function:
        function = Function(kind, "fact, at, misses")
        for n, judged, listens in self._heard(kind):
            function.guard(listens.lines)
            if test := judged.check.broken(function):
                function.when(test)
            function.done(f"_act({n}, {function.put(listens.tag)}, fact, at, misses)")
        return function

    def _heard(self, kind: str) -> Iterator[tuple[int, Judged, Listens]]:
        """The rules that hear of a kind of fact, each with its number among these, and as what."""
        for n, number in enumerate(self._hearing.get(kind, ())):
            judged = self._ready(number)
            yield from ((n, judged, listens) for listens in judged.listens if listens.kind == kind)

    def _ready(self, number: int) -> Judged:
        if number not in self._judged:
            self._judged[number] = Judged(self.rules[number], number, self.models)
        return self._judged[number]

    def _kinds(self, number: int) -> Iterable[str]:
        """The kinds of facts that a rule hears of."""
        if not _watches(rule := self.rules[number]):
            return (rule.given,)
        return dict.fromkeys(listens.kind for listens in self._ready(number).listens)

    def _see(self, judged: Judged, tag: str, fact: Fact, at: float | None, misses: list[Miss]) -> None:
        watches = self._watches.setdefault(fact.context.conversation, {})
        if judged.number not in watches:
            watches[judged.number] = self._watch(judged.number)
        judged.report(watches[judged.number].see(tag, fact), at, misses)

    def _watch(self, number: int) -> Watch:
        check = self._judged[number].check
        assert isinstance(check, Watching)
        return check.watch()


WRITERS: dict[str, Callable[[Ruleset, str], Function]] = {
    "judge": Ruleset._judging,
    "spares": Ruleset._sparing,
    "models": Ruleset._telling,
}


def _watches(rule: Rule) -> bool:
    return issubclass(CHECKS[rule.check], Watching)


def _asked(rule: Rule) -> set[str]:
    """The fields a rule looks at."""
    return _fields(rule.where) | (_fields(rule.options) if rule.check == "shape" else set())


def _fields(lines: Iterable[str]) -> set[str]:
    return set(map(_field, lines))


def _field(line: str) -> str:
    return line.partition("|")[0]


def _wheres(rule: Rule) -> list[Mapping[str, Any]]:
    """What the cases of its severity ask of a fact."""
    cases = rule.severity if isinstance(rule.severity, list) else []
    return [case["where"] for case in cases if "where" in case]
