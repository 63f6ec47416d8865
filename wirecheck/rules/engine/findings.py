"""From a miss to a finding: texts filled in, places worked out."""

from collections.abc import Iterable

from xxhash import xxh3_64_hexdigest

from wirecheck.dialects.messages import Spot
from wirecheck.finding import CallName, Finding, Place, Related, ServerWord
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.language.rule import Miss, Rule
from wirecheck.talk.facts import Fact


class RuleTexts:
    """What a rule says: its message and its help, ready to be filled."""

    def __init__(self, rule: Rule) -> None:
        from wirecheck.rules.language.template import Template  # most rules say nothing

        found = CHECKS[rule.check].FOUND
        self._message = Template(rule.given, rule.message, found)
        self._help = Template(rule.given, rule.help, found, code=True)

    def finding(self, miss: Miss, server: ServerWord) -> Finding:
        rule, fact, context = miss.rule, miss.fact, miss.fact.context
        place, call = fact.spot.to(*miss.steps).place(), call_name(fact)
        return Finding(
            rule=rule.name,
            code=rule.code,
            severity=miss.severity,
            message=self._message.fill(fact, miss.values),
            place=place,
            help=self._help.fill(fact, miss.values),
            url=url(rule),
            surface=context.surface,
            model=context.model,
            band=context.band,
            conversation=context.conversation,
            turn=fact.turn,
            call=call,
            related=tuple(_related(place, [(each.spot, each.label) for each in (*fact.related, *miss.related)])),
            server=server,
            fingerprint=fingerprint(rule.name, context.surface, call, place),
        )


def url(rule: Rule) -> str:
    """Where to read on: the first of the rule's links. Its own page is what `wirecheck explain` prints."""
    return next(iter(rule.links), "")


def call_name(fact: Fact) -> CallName | None:
    """The call a fact speaks of: its own, what a response names as its call, or the function that is declared."""
    if fact.call is not None:
        return CallName(fact.call.name, fact.call.id)
    if hasattr(fact, "name"):
        return CallName(fact.name, getattr(fact, "id", None))
    return None


def fingerprint(rule: str, surface: str, call: CallName | None, place: Place) -> str:
    """The same for the same mistake in another capture: no line, no index, no id."""
    tool = call.name if call and call.name else ""
    return xxh3_64_hexdigest("\0".join((rule, surface, tool, *place.pattern)).encode(errors="surrogatepass"))


def _related(place: Place, linked: Iterable[tuple[Spot, str]]) -> Iterable[Related]:
    """The other places, each once."""
    seen = {(place, "")}
    for spot, label in linked:
        other = (spot.place(), label)
        if other not in seen:
            seen.add(other)
            yield Related(*other)
