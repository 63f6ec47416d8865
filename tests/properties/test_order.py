"""Order matters only where it must, and where it is missing that is told."""

import itertools
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.properties.mutations import URL, judged, logs
from tests.properties.pointing import missing
from wirecheck.finding import Finding

INTERACTIONS = "https://generativelanguage.googleapis.com/v1beta/interactions"
UNORDERED = "log-out-of-order"
TOOLS = [{"type": "function", "name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}]
Json = dict[str, Any]


def user(text: str) -> Json:
    return {"type": "user_input", "content": [{"type": "text", "text": text}]}


def call(call_id: str) -> Json:
    return {"type": "function_call", "id": call_id, "name": "f", "arguments": {"x": 1}, "signature": f"c2ln{call_id}"}


def result(call_id: str) -> Json:
    return {"type": "function_result", "call_id": call_id, "name": "f", "result": {"ok": 1}}


def text(said: str) -> Json:
    return {"type": "model_output", "content": [{"type": "text", "text": said}]}


def interaction(previous: str | None, asked: list[Json], name: str, said: list[Json]) -> Json:
    body: Json = {"model": "gemini-3.6-flash", "input": asked, "tools": TOOLS}
    if previous is not None:
        body["previous_interaction_id"] = previous
    status = "requires_action" if said[-1]["type"] == "function_call" else "completed"
    reply = {"id": name, "status": status, "steps": said}
    request = {"method": "POST", "url": INTERACTIONS, "body": body}
    return {"request": request, "response": {"status": 200, "body": reply}}


CHAINS: dict[str, list[Json]] = {
    "sound": [
        interaction(None, [user("a")], "v1", [call("1")]),
        interaction("v1", [result("1")], "v2", [call("2")]),
        interaction("v2", [result("2")], "v3", [text("k")]),
        interaction("v3", [user("b")], "v4", [text("k")]),
    ],
    "the same again and again": [
        interaction(None, [user("a")], "v1", [call("1")]),
        interaction("v1", [result("1")], "v2", [call("1")]),
        interaction("v2", [result("1")], "v3", [call("1")]),
        interaction("v3", [result("1")], "v4", [text("k")]),
    ],
    "not answered": [
        interaction(None, [user("a")], "v1", [call("1")]),
        interaction("v1", [user("b")], "v2", [text("k")]),
        interaction("v2", [user("b")], "v3", [text("k")]),
    ],
    "another id": [
        interaction(None, [user("a")], "v1", [call("1")]),
        interaction("v1", [result("9")], "v2", [text("k")]),
        interaction("v2", [user("b")], "v3", [text("k")]),
    ],
    "one of two": [
        interaction(None, [user("a")], "v1", [call("1"), call("2")]),
        interaction("v1", [result("1")], "v2", [text("k")]),
        interaction("v2", [user("b")], "v3", [text("k")]),
    ],
    "the same words": [
        interaction(None, [user("a")], "v1", [text("k")]),
        interaction("v1", [user("go on")], "v2", [text("k")]),
        interaction("v2", [user("go on")], "v3", [call("1")]),
        interaction("v3", [user("go on")], "v4", [text("k")]),
    ],
    "recited as well": [
        interaction(None, [text("x"), result("2")], "v0", [text("x")]),
        interaction("v0", [result("2")], "v1", [call("1")]),
        interaction("v0", [result("2"), call("1"), user("b"), result("1"), call("2")], "v2", [call("1")]),
    ],
}


def told(log: list[Any], order: tuple[int, ...]) -> set[tuple[int, str, str]]:
    """What is found, with the numbers that lines have in the log, both ways."""
    lines = [json.dumps(log[n]).encode() for n in order]
    found = judged(lines)
    assert _told(found, order) == _told(judged(lines, memo=False), order)
    assert list(missing(found, lines)) == []
    return _told(found, order)


def _told(found: list[Finding], order: tuple[int, ...]) -> set[tuple[int, str, str]]:
    return {(order[finding.place.line - 1], finding.rule, finding.place.pointer) for finding in found}


@pytest.mark.parametrize("name", CHAINS)
def test_interactions_out_of_order_are_judged_as_in_order_or_said_to_be_out_of_it(name: str) -> None:
    chain = CHAINS[name]
    numbers = tuple(range(len(chain)))
    named = [line["request"]["body"].get("previous_interaction_id") for line in chain]
    given = [line["response"]["body"]["id"] for line in chain]
    expected = told(chain, numbers)
    for order in itertools.permutations(numbers):
        found = told(chain, order)
        late = [n for n in numbers if any(named[m] == given[n] for m in order[: order.index(n)])]
        assert [n for n, rule, _ in sorted(found) if rule == UNORDERED] == late
        # One mistake in two branches is told in the first.
        assert late or {each[1:] for each in found} == {each[1:] for each in expected}, order


def test_a_chain_in_order_is_in_order() -> None:
    assert told(CHAINS["sound"], (0, 1, 2, 3)) == set()


def channel(name: str, begun: float, length: int, *, changed: bool) -> Iterator[list[Json]]:
    """Exchanges of one conversation in our own log, each some lines. `changed`: signatures do not come back."""
    history: list[Json] = []
    for n in range(length):
        at, own = begun + 10 * n, f"{name}-{n}"
        called: Json = {"name": "f", "args": {"of": name, "n": n}}
        signed = {"functionCall": called, "thoughtSignature": f"c2ln{name}{n:02}AA=="}
        asked: Json = {"text": f"{name} asks"}
        if history:
            asked = {"functionResponse": {"name": "f", "response": {"output": n}}}
        history = [*history, {"role": "user", "parts": [asked]}]
        lines: list[Json] = [
            {"kind": "opened", "method": "POST", "url": URL, "body": {"contents": history}, "at": at},
            {"kind": "replied", "status": 200, "at": at + 1},
            {"kind": "frame", "from": "server", "at": at + 2,
             "data": {"candidates": [{"content": {"role": "model", "parts": [signed]}, "finishReason": "STOP"}]}},
            {"kind": "closed", "at": at + 3},
        ]  # fmt: skip
        yield [{"v": 1, "channel": own, **line} for line in lines]
        kept = {key: value for key, value in signed.items() if not changed or key == "functionCall"}
        history = [*history, {"role": "model", "parts": [kept]}]


def rules_of(log: list[Json]) -> dict[str, int]:
    found = judged([json.dumps(line).encode() for line in log])
    counted: dict[str, int] = {}
    for finding in found:
        counted[finding.rule] = counted.get(finding.rule, 0) + 1
    return counted


@pytest.mark.parametrize("seed", range(20))
def test_conversations_side_by_side_are_judged_as_one_after_another(seed: int) -> None:
    dice = Random(seed)
    several = [[line for one in channel(name, 0, 4, changed=name == "b") for line in one] for name in ("a", "b", "c")]
    expected = rules_of([line for one in several for line in one])
    assert expected
    waiting, mixed = [[*one] for one in several], list[Json]()
    while any(waiting):
        mixed.append(dice.choice([one for one in waiting if one]).pop(0))
    # The times of the three are not those of the lines, but within each they are: no conversation is out of order.
    assert rules_of(mixed) == expected


@pytest.mark.parametrize("seed", range(20))
def test_lines_out_of_order_by_their_times_are_said_to_be(seed: int) -> None:
    """Also a reply that stands after the request that recites it."""
    dice = Random(seed)
    exchanges = list(channel("a", 0, 3, changed=True))
    lines = [line for one in exchanges for line in one]
    expected = rules_of(lines)
    assert UNORDERED not in expected
    if seed % 2:
        order = [1, 0, 2] if seed % 4 == 1 else dice.choice(([2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]))
        moved = [line for n in order for line in exchanges[n]]
    else:  # the reply to one comes after the next request
        n = dice.randrange(2)
        moved = [*lines[: 4 * n + 1], lines[4 * n + 4], *lines[4 * n + 1 : 4 * n + 4], *lines[4 * n + 5 :]]
    found = rules_of(moved)
    assert found == expected or UNORDERED in found


@pytest.mark.parametrize("name", [name for name in logs() if name.endswith("-sound")])
def test_a_sound_log_is_in_order(name: str) -> None:
    lines = [json.dumps(line).encode() for line in logs()[name]]
    assert UNORDERED not in {finding.rule for finding in judged(lines)}
