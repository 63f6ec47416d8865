"""What conversations have in common costs nothing extra: work grows with the log and not with its square."""

from typing import Any

import pytest

from tests.stories.conversations import call, exchange, model, reply, user
from tests.work import work
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def taken(rules: Ruleset, histories: list[list[Any]]) -> int:
    lines = [list(exchange(n, history, reply(model(f"r{n}")))) for n, history in enumerate(histories, 1)]

    def judge() -> None:
        inspector = Inspector(rules)
        for record in (record for line in lines for record in line):
            inspector.feed(record)
        inspector.close()

    return work(judge)


ALIKE: dict[str, Any] = {
    "the same last words": lambda n: [user(f"hi {n}"), model(f"a {n}"), user("go on")],
    "the same history": lambda n: [user("hi")],
    "nothing": lambda n: [user(f"hi {n}"), model(f"a {n}"), user(f"go on {n}")],
}


@pytest.mark.parametrize("alike", ALIKE.values(), ids=ALIKE)
def test_conversations_that_are_alike_cost_the_same_each(alike: Any, rules: Ruleset) -> None:
    few, many = (taken(rules, [alike(n) for n in range(count)]) for count in (300, 1200))
    assert many < 1.3 * 4 * few


def test_many_mistakes_in_one_turn_cost_the_same_each(rules: Ruleset) -> None:
    few, many = (taken(rules, [[user("hi"), model(*[call("a")] * n), user("no")]]) for n in (200, 1600))
    assert many < 1.3 * 8 * few
