"""What conversations have in common costs nothing extra: time grows with the log and not with its square."""

import time
from typing import Any

import pytest

from tests.stories import call, exchange, model, reply, user
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def taken(rules: Ruleset, histories: list[list[Any]]) -> float:
    lines = [list(exchange(n, history, reply(model(f"r{n}")))) for n, history in enumerate(histories, 1)]
    inspector = Inspector(rules)
    start = time.perf_counter()
    for line in lines:
        for record in line:
            inspector.feed(record)
    inspector.close()
    return time.perf_counter() - start


ALIKE: dict[str, Any] = {
    "the same last words": lambda n: [user(f"hi {n}"), model(f"a {n}"), user("go on")],
    "the same history": lambda n: [user("hi")],
    "nothing": lambda n: [user(f"hi {n}"), model(f"a {n}"), user(f"go on {n}")],
}


@pytest.mark.parametrize("alike", ALIKE.values(), ids=ALIKE)
def test_conversations_that_are_alike_cost_the_same_each(alike: Any, rules: Ruleset) -> None:
    taken(rules, [alike(n) for n in range(50)])
    few, many = taken(rules, [alike(n) for n in range(300)]), taken(rules, [alike(n) for n in range(2400)])
    assert many < 3 * 8 * few  # eight times as many, with room for a busy machine


def test_many_mistakes_in_one_turn_cost_the_same_each(rules: Ruleset) -> None:
    few, many = (taken(rules, [[user("hi"), model(*[call("a")] * n), user("no")]]) for n in (200, 1600))
    assert many < 3 * 8 * few
