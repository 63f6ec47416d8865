"""The examples of all rules, good and bad: said once, and said again when much is remembered of them."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tests.memo.agree import same
from wirecheck import sources
from wirecheck.rules import Example, Rule, Ruleset, load
from wirecheck.rules.pages.examples import records
from wirecheck.talk.facts import LoggedFact
from wirecheck.wire.records import Record

RULES = load()


def again_and_again(examples: tuple[Example, ...]) -> Iterator[Record]:
    """All of them one after another, and then once more, in one file."""
    for n, example in enumerate(2 * examples):
        for record in records(example, sources.read_file):
            yield replace(record, channel=f"{n} {record.channel}")


# A log and the wire are compared without any memo.
@pytest.mark.parametrize(
    "rule", [each for each in RULES.rules if each.given != LoggedFact.kind], ids=lambda rule: rule.name
)
def test_the_same_is_found_in_the_examples_of_a_rule(rule: Rule) -> None:
    page = rule.page()
    examples = (*page.bad, *page.good)
    found = same(RULES, lambda: again_and_again(examples))
    predicted = same(RULES, lambda: again_and_again(examples), predict=True)
    assert found or predicted or not page.bad
    same(Ruleset([rule], RULES.models), lambda: again_and_again(examples), pictures=False)
