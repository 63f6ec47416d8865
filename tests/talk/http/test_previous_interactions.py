"""Conversations of which the server keeps the history: each request names the interaction before it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.stories.conversations import exchange
from tests.work import work
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.talk.facts import Fact
from wirecheck.wire.records import Record

URL = "https://generativelanguage.googleapis.com/v1beta/interactions"
Line = tuple[Any, Any]


def asks(said: Any, previous: str | None = None, **more: Any) -> dict[str, Any]:
    return {"model": "gemini-3.8-flash", "input": said, "previous_interaction_id": previous, **more}


def says(interaction: str | None, *steps: Any, status: str = "completed") -> dict[str, Any]:
    return {"status": status, "steps": list(steps), **({"id": interaction} if interaction else {})}


def call(id_: str) -> dict[str, Any]:
    return {"type": "function_call", "id": id_, "name": "now", "arguments": {}}


def result(id_: str) -> dict[str, Any]:
    return {"type": "function_result", "call_id": id_, "name": "now", "result": "12:00"}


WORDS = {"type": "model_output", "content": [{"type": "text", "text": "Hello"}]}


def records(lines: list[Line]) -> Iterator[Record]:
    for n, (body, answered) in enumerate(lines, 1):
        yield from exchange(n, body, answered, url=URL)


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def found(lines: list[Line], rules: Ruleset) -> list[tuple[int, str]]:
    inspector = Inspector(rules, predict=True)
    given = [finding for record in records(lines) for finding in inspector.feed(record)] + inspector.close()
    return [(finding.place.line, finding.rule) for finding in given if finding.severity != "info"]


def turns(lines: list[Line], rules: Ruleset) -> list[tuple[str, int | None]]:
    heard: list[Fact] = []
    inspector = Inspector(rules, listen=heard.append, memo=False)
    for record in records(lines):
        inspector.feed(record)
    return [(fact.context.conversation, fact.turn) for fact in heard if fact.kind == "content"]


CHAIN: list[Line] = [
    (asks("Time?"), says("a", call("c1"), status="requires_action")),
    (asks([result("c1")], "a"), says("b", WORDS)),
    (asks("Thanks", "b"), says("c", WORDS)),
]


def test_a_chain_is_one_conversation_counted_on(rules: Ruleset) -> None:
    assert turns(CHAIN, rules) == [("c1", n) for n in range(6)]


def test_chains_do_not_mix(rules: Ruleset) -> None:
    other = [(asks("Time?"), says("x", WORDS)), (asks("Thanks", "x"), says("y", WORDS))]
    woven = [CHAIN[0], other[0], CHAIN[1], other[1], CHAIN[2]]
    assert [name for name, _ in turns(woven, rules)] == ["c1", "c1", "c2", "c2", "c1", "c1", "c2", "c2", "c1", "c1"]


def test_what_is_asked_for_again_belongs_to_its_conversation(rules: Ruleset) -> None:
    lines = [*CHAIN, (None, says("b", WORDS))]
    assert turns(lines, rules)[-1][0] == "c1"


CHAINS: dict[str, tuple[list[Line], list[tuple[int, str]]]] = {
    "sound": (CHAIN, []),
    "the same request twice": ([*CHAIN[:2], CHAIN[1], CHAIN[2]], []),
    "a branch": ([*CHAIN, (asks("And?", "b"), says("d", WORDS))], []),
    "a call passed over": ([CHAIN[0], (asks("Thanks", "a"), None)], [(2, "ix-unanswered-requires-action")]),
    "the same mistake at another place": (
        [
            CHAIN[0],
            (asks("No", "a"), says("b", call("c1"), status="requires_action")),
            (asks("No", "b"), None),
        ],
        [(2, "ix-unanswered-requires-action"), (3, "ix-unanswered-requires-action")],
    ),
    "the log lacks the beginning": (CHAIN[1:], []),
    "the log lacks the beginning, not the call": (
        [
            (asks([result("c0")], "0"), says("a", call("c1"), status="requires_action")),
            (asks("No", "a"), None),
        ],
        [(2, "ix-unanswered-requires-action")],
    ),
    "a reply that did not end": ([(asks("Time?"), says("a", call("c1"), status="in_progress")), CHAIN[1]], []),
    "nothing is stored": ([(asks("Time?", store=False), says(None, WORDS)), (asks("And?", ""), says(None, WORDS))], []),
    "an agent": ([({"agent": "deep-research", "input": "Why?"}, says("a", WORDS)), (asks("And?", "a"), None)], []),
}


@pytest.mark.parametrize(("lines", "expected"), CHAINS.values(), ids=CHAINS)
def test_what_is_found_in_a_chain(lines: list[Line], expected: list[tuple[int, str]], rules: Ruleset) -> None:
    assert found(lines, rules) == expected


def test_a_repeated_request_repeats_its_mistake(rules: Ruleset) -> None:
    wrong = (asks("Thanks", "a"), None)
    inspector = Inspector(rules, predict=True)
    for record in records([CHAIN[0], wrong, wrong, wrong]):
        inspector.feed(record)
    inspector.close()
    assert [repeated.times for repeated in inspector.repeats] == [2]


def test_a_long_chain_costs_the_same_each_time(rules: Ruleset) -> None:
    def taken(count: int) -> int:
        lines = [(asks("Go on", f"i{n}" if n else None), says(f"i{n + 1}", WORDS)) for n in range(count)]
        fed = list(records(lines))

        def judge() -> None:
            inspector = Inspector(rules)
            for record in fed:
                inspector.feed(record)

        return work(judge)

    assert taken(1200) < 1.3 * 4 * taken(300)
