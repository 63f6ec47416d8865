"""Conversations that were taken in at once are put under their marks when somebody asks, as if they had been before."""

from array import array
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from wirecheck.talk.conversation import Conversation, Kind, Taken
from wirecheck.talk.reply import Reply
from wirecheck.talk.threads import Threads

KIND = Kind(1 << 40, 1 << 41)
FEW = 6  # contents, words and replies that there are


def taken(rng: Random, conversation: Conversation | None, number: int) -> Taken:
    told: Any = SimpleNamespace(asked=[rng.randrange(FEW)], signs=[], called=(), state="user")
    said: Any = SimpleNamespace(called=[], model="", sign=rng.randrange(FEW), signatures=[])
    hashes = array("Q", [rng.randrange(FEW), rng.randrange(FEW)])
    begin = 0 if conversation is None else len(conversation.hashes)
    return Taken(KIND, conversation, None, begin, [b"a", b"b"], hashes, [0, 1000 + number], told, said, Reply())


def under_marks(threads: Threads) -> dict[int, list[str]]:
    return {key: [one.name for one in threads._by_marks().latest(key)] for key, _ in threads._by_marks().rows()}


@pytest.mark.parametrize("seed", range(30))
def test_it_does_not_matter_when_somebody_asks(seed: int) -> None:
    asked, late = Threads(most=12), Threads(most=12)
    twins, choices = list[tuple[Conversation, Conversation]](), Random(seed)
    for number in range(100):
        going = [(one, twin) for one, twin in twins if one.hashes]  # others were let go
        goes_on = choices.choice(going) if going and choices.random() < 0.6 else (None, None)
        said = choices.random()
        twin, one = (
            threads.go_on(taken(Random(said), known, number))
            for threads, known in zip((asked, late), goes_on, strict=True)
        )
        if goes_on[0] is None:
            twins.append((twin, one))
        under_marks(asked)
        if choices.random() < 0.05:
            assert under_marks(late) == under_marks(asked)
    assert under_marks(late) == under_marks(asked)
