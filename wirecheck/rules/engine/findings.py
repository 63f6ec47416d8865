"""Turns a Miss into a Finding: fills in its texts and works out its places."""

from collections.abc import Iterable

from xxhash import xxh3_64_hexdigest

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Spot
from wirecheck.finding import CallName, Finding, Place, Related, ServerWord
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.language.rule import Miss, Rule
from wirecheck.talk.facts import Fact

TEXTS = 256  # of one rule that are known again


class RuleTexts:
    """The message and help of a rule, as compiled templates."""

    def __init__(self, rule: Rule) -> None:
        from wirecheck.rules.language.template import Template  # imported late: most rules find nothing

        found = CHECKS[rule.check].FOUND
        self._message = Template(rule.given, rule.message, found)
        self._help = Template(rule.given, rule.help, found, code=True)
        self._texts: Cache[str, str] = Cache(TEXTS)

    def finding(self, miss: Miss, server: ServerWord) -> Finding:
        rule, fact, context = miss.rule, miss.fact, miss.fact.context
        place, call = fact.spot.to(*miss.steps).place(), call_name(fact)
        return Finding(
            rule=rule.name,
            code=rule.code,
            severity=miss.severity,
            message=self._once(self._message.fill(fact, miss.values)),
            place=place,
            help=self._once(self._help.fill(fact, miss.values)),
            url=url(rule),
            surface=context.surface,
            model=context.model,
            band=context.band,
            conversation=context.conversation,
            turn=fact.turn,
            call=call,
            related=tuple(_related(place, [(each.spot, each.label) for each in fact.related])),
            server=server,
            fingerprint=self._once(fingerprint(rule.name, context.surface, call, place)),
        )

    def _once(self, text: str) -> str:
        """The text, in memory once: findings are kept, and many say the same."""
        return self._texts.get_or_make(text, lambda: text)


def url(rule: Rule) -> str:
    """The first of the rule's links. The page of the rule itself is printed by `wirecheck explain`."""
    return next(iter(rule.links), "")


def call_name(fact: Fact) -> CallName | None:
    """The call a fact is about: its own, the one a response names, or the declared function."""
    if fact.call is not None:
        return CallName(fact.call.name, fact.call.id)
    if hasattr(fact, "name"):
        return CallName(fact.name, getattr(fact, "id", None))
    return None


def fingerprint(rule: str, surface: str, call: CallName | None, place: Place) -> str:
    """A hash that is the same for the same mistake in another log: without lines, indices and ids."""
    tool = call.name if call and call.name else ""
    return xxh3_64_hexdigest("\0".join((rule, surface, tool, *place.pattern)).encode(errors="surrogatepass"))


def _related(place: Place, linked: Iterable[tuple[Spot, str]]) -> Iterable[Related]:
    """The related places, without duplicates."""
    seen = {(place, "")}
    for spot, label in linked:
        other = (spot.place(), label)
        if other not in seen:
            seen.add(other)
            yield Related(*other)
