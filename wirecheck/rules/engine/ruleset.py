"""Judges facts by a set of rules: facts in, misses out.

All rules about one kind of fact are compiled into one function when its first fact comes. Rules remember nothing. Knows
no protocol.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import asdict, replace

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Spot
from wirecheck.finding import Finding, ServerWord
from wirecheck.models import Models
from wirecheck.rules.checks import CHECKS, Check, Found
from wirecheck.rules.engine.decided_conditions import decided
from wirecheck.rules.engine.findings import RuleTexts
from wirecheck.rules.language.compiler import GeneratedFunction
from wirecheck.rules.language.fields import path
from wirecheck.rules.language.modifiers import REFERENCES
from wirecheck.rules.language.rule import Miss, Rule
from wirecheck.rules.language.severity import Severities
from wirecheck.rules.language.where import line, lines
from wirecheck.talk.facts import NOBODY, Fact, UnreadFact
from wirecheck.wire.records import Origin, Site

JudgeFact = Callable[[Fact, float | None, list[Miss]], None]
MODELS = 1024  # names of models whose class is cached


class RuleCrashed(Exception):
    """A rule or check raised: a bug in wirecheck. The message says which line of the log."""


class PreparedRule:
    """A rule with its check and its severities."""

    def __init__(self, rule: Rule, models: Models) -> None:
        self.rule = rule
        self.check: Check = CHECKS[rule.check](rule.given, rule.options)
        self._models = models
        self.where = tuple(lines(rule.given, rule.where))

    @cached_property
    def severities(self) -> Severities:
        return Severities(self.rule.given, self.rule.severity, self._models)

    def report(self, found: Iterable[Found], at: float | None, misses: list[Miss]) -> None:
        for each in found:
            severity = self.severities.of(each.fact, at)
            if severity is not None:
                misses.append(Miss(rule=self.rule, severity=severity, **asdict(each)))

    def look(self, fact: Fact, at: float | None, misses: list[Miss]) -> None:
        if self.severities.of(fact, at) is not None:
            self.report(self.check.look(fact), at, misses)


class Ruleset:
    """A set of rules that judges facts."""

    def __init__(self, rules: Sequence[Rule], models: Models, unasked: Collection[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self.unasked = tuple(unasked)  # ignored or not selected; their server texts still explain a rejection
        self.models = models
        self.named = {rule.name: rule for rule in self.rules}
        self._judged: dict[int, PreparedRule] = {}
        self._about: dict[str, list[int]] = {}  # by kind of fact: the numbers of the rules about it
        for number, rule in enumerate(self.rules):
            self._about.setdefault(rule.given, []).append(number)
        self.builtin = all(rule.builtin for rule in self.rules)
        self._judges: dict[str, JudgeFact] = {}
        self._texts: dict[str, RuleTexts] = {}
        self.spoke = False  # whether a rule would report the last fact, perhaps at another time only
        self._undecided: dict[str, Callable[[Fact], bool]] = {}
        self._model_classes: Cache[str | None, tuple[object, ...]] = Cache(MODELS)

    def judge(self, fact: Fact, at: float | None = None) -> list[Miss]:
        """The misses that a fact shows. `at` is the time of its record."""
        misses: list[Miss] = []
        self.spoke = False
        try:
            judge = self._judges.get(fact.kind)
            if judge is None:
                judge = self._judges[fact.kind] = self._judging(fact.kind)
            judge(fact, at, misses)
        except Exception as error:
            origin = fact.spot.site.origin
            raise RuleCrashed(f"rules about a fact '{fact.kind}' at {origin.path}:{origin.line}") from error
        return misses

    def why(self, name: str) -> str:
        """Why the rule of this name matters; "" where there is none."""
        return self.named[name].why if name in self.named else ""

    def finding(self, miss: Miss, server: ServerWord | None = None) -> Finding:
        """Turns a miss into a finding, with the server's verdict."""
        name = miss.rule.name
        if name not in self._texts:
            self._texts[name] = RuleTexts(miss.rule)
        return self._texts[name].finding(miss, server or ServerWord())

    def _act(self, number: int, fact: Fact, at: float | None, misses: list[Miss]) -> None:
        prepared = self._prepared(number)
        prepared.look(fact, at, misses)
        self.spoke = self.spoke or bool(misses) or not prepared.severities.fixed

    def _judging(self, kind: str) -> JudgeFact:
        """Compiles the rules about a kind of fact into one function."""
        function = GeneratedFunction(kind, "fact, at, misses")
        for number in self._about.get(kind, ()):
            prepared = self._prepared(number)
            function.guard(prepared.where)
            if test := prepared.check.broken(function):
                function.when(test)
            function.done(f"_act({number}, fact, at, misses)")
        return function.make(self._act)

    def undecided(self, fact: Fact) -> bool:
        """Whether a rule could report another fact from a piece with the same key, though it did not report this
        one."""
        if fact.kind not in self._undecided:
            self._undecided[fact.kind] = self._doubting(fact.kind)
        return self._undecided[fact.kind](fact)

    def _doubting(self, kind: str) -> Callable[[Fact], bool]:
        """Compiles `undecided` for a kind of fact. A rule is decided where the key decides all of its conditions, or
        where one that the key decides does not hold."""
        function = GeneratedFunction(kind, "fact")
        for number in self._about.get(kind, ()):
            prepared = self._prepared(number)
            sure = [each for each in prepared.where if decided(kind, each)]
            reads = prepared.check.reads
            if reads is None or not all([decided(kind, each) for each in (*prepared.where, *reads)]):
                function.guard(sure)
                function.done("return True")
        function.done("return False")
        return function.make()

    def model_class(self, model: str | None) -> tuple[object, ...]:
        """The results of all conditions on the name of a model, and the name where a rule compares it with another
        field. Models with equal results are the same to all rules."""
        if (known := self._model_classes.get(model)) is None:
            context, spot = replace(NOBODY, model=model), Spot(Site(Origin("", 0)))
            known = self._model_tests(UnreadFact(context=context, spot=spot, what="", why=""))
            self._model_classes.put(model, known)
        return known

    @cached_property
    def _model_tests(self) -> Callable[[Fact], tuple[object, ...]]:
        function, asked = GeneratedFunction("unread", "fact"), dict[str, str]()
        for where in [where for rule in self.rules for where in _wheres(rule)]:
            for key, argument in where.items():
                name, _, modifier = key.partition("|")
                if modifier in REFERENCES and "model" in (name, argument):
                    asked["model"] = function.read(path("unread", "model"))
                elif name == "model" and repr((key, argument)) not in asked:
                    asked[repr((key, argument))] = line("unread", key, argument).write(function)
        function.done(f"return ({''.join([f'{test}, ' for test in asked.values()])})")
        return function.make()

    def _prepared(self, number: int) -> PreparedRule:
        if number not in self._judged:
            self._judged[number] = PreparedRule(self.rules[number], self.models)
        return self._judged[number]


def _wheres(rule: Rule) -> list[Mapping[str, Any]]:
    """All conditions of a rule: of `where`, of its check, and of its severities."""
    cases = rule.severity if isinstance(rule.severity, list) else []
    shape = [rule.options] if rule.check == "shape" else []
    return [rule.where, *shape, *[case["where"] for case in cases if "where" in case]]
