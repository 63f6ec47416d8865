"""A share remembers what one process would, and knows besides when it heard it."""

from random import Random

import pytest

from wirecheck.talk.apart import _Memory
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.memory import Memory

MOST = 3


@pytest.mark.parametrize("seed", range(20))
def test_a_share_hears_again_what_one_process_hears_again(seed: int) -> None:
    rng, alone, share, owner = Random(seed), Memory(MOST), _Memory(), Conversation("c1", 0)
    share._most = MOST
    for line in range(1, 200):
        share.line = line
        key = rng.randrange(8)
        if rng.random() < 0.5:
            for memory in (alone, share):
                memory.leave(0, [key], owner)
        else:
            assert share.again(key) is alone.again(key)
