"""What holds for any log: findings are final, given once, and the same however they were come by."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stories.conversations import answer, call, error, exchange, model, reply, session, user
from wirecheck.api import repeated
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.wire.records import Closed, Record

NAMES = ("get_weather", "get_time")
BANDS = ("gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.6-flash", "gemini-flash-latest")


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def turn(dice: random.Random) -> list[dict[str, Any]]:
    """A few contents, whole or broken in one of many ways."""
    ids = [dice.choice((None, f"c{dice.randrange(3)}")) for _ in range(dice.choice((1, 1, 2)))]
    called = [(dice.choice(NAMES), one) for one in ids]
    calls = model(*(call(name, one, n=dice.randrange(2)) for name, one in called))
    answers = [answer(name, one) for name, one in called]
    said = f"{dice.randrange(3)}"
    return dice.choice(
        (
            [user(said), model(said)],
            [user(said), calls, user(*answers)],
            [user(said), calls, user(*answers), model(said)],
            [user(said), calls, *(user(one) for one in answers)],
            [user(said), calls, user(answers[0])],
            [user(said), calls, user("never mind"), model(said)],
            [user(said), calls],
            [user(answers[0])],
            [{"role": "function", "parts": answers}],
            [model(answers[0])],
            [{"role": "assistant", "parts": [{"text": said}]}],
            [model()],
            [{"role": "user", "parts": said}],
            [user({"text": "a", **answers[0]})],
        )
    )


def requests(dice: random.Random) -> Iterator[Iterator[Record]]:
    """A conversation, every request reciting it, with what clients do to a history on the way."""
    history: list[dict[str, Any]] = []
    name = dice.choice(BANDS)
    for number in range(1, dice.randrange(2, 9)):
        history += turn(dice)
        if dice.random() < 0.15:
            history = history[dice.randrange(len(history)) :]
        if dice.random() < 0.15:
            history = history[:-1] or history
        if dice.random() < 0.1:
            history[dice.randrange(len(history))] = turn(dice)[0]
        said = dice.choice(
            (
                reply(model("ok"), modelVersion="gemini-3.6-flash"),
                reply(model(call("get_time", "c9"))),
                error("no"),
                None,
            )
        )
        status = 400 if said and "error" in said else 200
        yield exchange(number, list(history), said, status, name)


def interleaved(seed: int) -> list[Record]:
    """The records of some conversations at once, each exchange whole."""
    dice = random.Random(seed)
    lines = [list(line) for _ in range(dice.randrange(1, 4)) for line in requests(dice)]
    dice.shuffle(lines) if dice.random() < 0.3 else None
    return [record for line in lines for record in line]


def live(seed: int) -> list[Record]:
    dice = random.Random(seed)
    frames: list[tuple[str, dict[str, Any]]] = [(">", {"setup": {"model": "models/gemini-live-2.5-flash-preview"}})]
    for _ in range(dice.randrange(12)):
        one = dice.choice((None, "c1", "c2"))
        frames.append(
            dice.choice(
                (
                    ("<", {"toolCall": {"functionCalls": [call("get_time", one)["functionCall"]]}}),
                    (">", {"toolResponse": {"functionResponses": [answer("get_time", one)["functionResponse"]]}}),
                    ("<", {"toolCallCancellation": {"ids": [one or "c3"]}}),
                    (">", {"clientContent": {"turns": [user("more")], "turnComplete": True}}),
                    (">", {"functionResponses": []}),
                    ("<", {"serverContent": {"turnComplete": True}}),
                )
            )
        )
    return list(
        session(*frames, close=dice.choice((None, (1000, ""), (1007, "Request contains an invalid argument."))))
    )


ENDINGS = {rule.name for rule in load().rules if rule.given == "ended"}
LOGS = st.builds(lambda make, seed: make(seed), st.sampled_from((interleaved, live)), st.integers(0, 2**32))


def whole(records: list[Record], rules: Ruleset, **options: Any) -> list[Finding]:
    inspector = Inspector(rules, **options)
    return repeated(inspector, [finding for record in records for finding in inspector.feed(record)])


@settings(max_examples=300, deadline=None)
@given(records=LOGS)
def test_recognising_a_history_changes_no_finding(records: list[Record], rules: Ruleset) -> None:
    assert whole(records, rules) == whole(records, rules, memo=False)


@settings(max_examples=150, deadline=None)
@given(records=LOGS, cut=st.floats(0, 1))
def test_what_was_given_stays_given_wherever_a_log_is_cut(records: list[Record], cut: float, rules: Ruleset) -> None:
    first, then = Inspector(rules), Inspector(rules)
    before = [finding for record in records[: int(cut * len(records))] for finding in first.feed(record)]
    assert [finding for record in records for finding in then.feed(record)][: len(before)] == before


@settings(max_examples=150, deadline=None)
@given(records=LOGS)
def test_predicting_finds_the_same_mistakes_in_what_was_sent(records: list[Record], rules: Ruleset) -> None:
    closes = {record.origin.line for record in records if isinstance(record, Closed)}

    def mistakes(findings: list[Finding]) -> set[tuple[str, int, str]]:
        sent = [finding for finding in findings if not is_close(finding)]
        return {(finding.rule, finding.place.line, finding.place.pointer) for finding in sent}

    def is_close(finding: Finding) -> bool:
        """The close of a session is a finding of its own, and what it leaves undone may be its fault: nothing of that
        was sent."""
        said = finding.message.startswith("the server closed the session")
        return said or finding.rule in ENDINGS or finding.place.line in closes

    def of_the_answer(finding: Finding) -> bool:
        return rules.named[finding.rule].given == "rejection"

    found = [finding for finding in whole(records, rules) if not of_the_answer(finding)]
    assert mistakes(found) == mistakes(whole(records, rules, predict=True))


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_mistake_recited_is_counted_and_not_found_again(seed: int, rules: Ruleset) -> None:
    dice = random.Random(seed)
    history = [content for _ in range(3) for content in turn(dice)]
    once = whole(list(exchange(1, history)), rules)
    again = whole([record for n in range(1, 21) for record in exchange(n, history)], rules)
    assert [finding.repeated for finding in again] == [19] * len(once)
    assert [(finding.rule, finding.place) for finding in again] == [(finding.rule, finding.place) for finding in once]
