"""A signature that the server gave stands on the call it was given for, or on the wrong one."""

from typing import Any

import pytest

from tests.stories.conversations import answer, call, exchange, facts, model, reply, user
from tests.talk.recital.test_recital_check import A, B, signed
from wirecheck.talk.facts import RecitedFact

ASKED = user("Where and when?")
FIRST = [model(signed(call("zone", "c1", city="Rome"))), user(answer("zone", "c1"))]
NAMELESS = [model(signed(call("zone", city="Rome"))), user(answer("zone"))]
WORDS = [model(signed({"text": "Let me see."})), user("Well?")]


def told(first: list[Any], said: Any, recited: Any, *elsewhere: Any) -> list[str]:
    """What is told of the second reply, recited so. `elsewhere`: replies to others who asked something else."""
    others = [exchange(n, [user(f"Hello {n}")], reply(model(each))) for n, each in enumerate(elsewhere, 7)]
    history = [ASKED, *first]
    end = user(answer(said["functionCall"]["name"], said["functionCall"].get("id")))
    heard = facts(
        *others,
        exchange(1, [ASKED], reply(first[0])),
        exchange(2, history, reply(model(said))),
        exchange(3, [*history, model(recited), end]),
        kinds="recited",
    )
    return [f"{fact.how} {fact.sure}" for fact in heard if isinstance(fact, RecitedFact) and fact.what == "call"]


NOW, SAME = call("now", "c2", zone="CET"), call("now", zone="CET")
ROWS: dict[str, tuple[list[Any], list[str]]] = {
    "as it came": ([FIRST, signed(NOW, B), signed(NOW, B)], []),
    "that of the call before": ([FIRST, signed(NOW, B), signed(NOW, A)], ["foreign True"]),
    "likewise, and no ids": ([NAMELESS, signed(SAME, B), signed(SAME, A)], ["foreign False"]),
    "that of words": ([WORDS, signed(NOW, B), signed(NOW, A)], ["foreign True"]),
    "that of the same call in another conversation": (
        [NAMELESS, signed(SAME, B), signed(SAME, "EpQCCpECAdHtim8aWc"), signed(SAME, "EpQCCpECAdHtim8aWc")],
        [],
    ),
    "that of another call in another conversation": (
        [FIRST, signed(NOW, B), signed(NOW, "EpQCCpECAdHtim8aWc"), signed(call("find", "c9"), "EpQCCpECAdHtim8aWc")],
        ["foreign True"],
    ),
}


@pytest.mark.parametrize(("lines", "how"), ROWS.values(), ids=ROWS)
def test_a_signature_belongs_to_the_call_it_was_given_for(lines: list[Any], how: list[str]) -> None:
    assert told(*lines) == how
