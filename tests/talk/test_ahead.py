"""Who hears a log from its middle on finds what one finds who has heard all of it, or knows that this is not sure."""

from array import array
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from wirecheck.talk import ahead
from wirecheck.talk.ahead import Asked, Mixed
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.memory import Memory
from wirecheck.talk.retelling import Signatures
from wirecheck.talk.threads import Threads

OWNER = Conversation("c1", 0)
Step = Callable[[Any, int, bool], bool]  # of one who remembers; whether it was found


def goes_on(threads: Threads, key: int, new: bool) -> bool:
    """A conversation begins, or goes on if it is known."""
    one = None if new else threads.indexes()[0].alone(key)
    found = one is not None
    if one is None:
        one = Conversation(threads.name(), 0, array("Q", [key] * (1 + key % 3)), chain=key)
    threads._unlist(one)
    threads._list(one)
    return found


def prefix(memory: Memory, key: int, new: bool) -> bool:
    found = memory.again(key)
    if new or not found:
        memory.leave(0, [key], OWNER)
    return found


def signature(signatures: Signatures, key: int, new: bool) -> bool:
    found = signatures._given(key)
    if new or not found:
        signatures.add([key])
    return found


MEMORIES: dict[str, tuple[Any, Any, Any, Step]] = {
    "conversations": (Threads, ahead._Threads, (0,), goes_on),
    "prefixes": (Memory, ahead._Memory, (), prefix),
    "signatures": (Signatures, ahead._Signatures, (), signature),
}


@pytest.mark.parametrize("which", MEMORIES)
@pytest.mark.parametrize("others", [1, 2, 5, 9, 10, 11, 15, 19, 20, 25, 1000])
def test_what_was_let_go_by_one_was_let_go_by_the_other_or_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch, which: str, others: int
) -> None:
    """One thing comes, `others` come again and again, then the first comes again: after any time, begun at any time."""
    whole, part, given, step = MEMORIES[which]
    monkeypatch.setattr(whole.__init__, "__defaults__", (*given, 10))
    sure = 0
    for before in range(21):
        one, other = whole(), part(*given, lambda *_: None)
        for n in range(before):
            step(one, 10**6 + n, False)
        other.asked.start()
        for since in range(80):
            first, second = deepcopy(one), deepcopy(other)
            try:
                found = [step(each, 0, False) for each in (first, second)]
                second.asked.heed()
                assert found[0] is found[1]
                sure += 1
                for each in (one, other):
                    step(each, 0 if since == 0 else 1000 + since % others, False)
                other.asked.heed()
            except Mixed:
                break
    assert sure > 21 * 4
    assert sure == 21 * 80 or others > 2


@pytest.mark.parametrize("which", MEMORIES)
@pytest.mark.parametrize("seed", range(50))
def test_what_was_known_before_is_noted(monkeypatch: pytest.MonkeyPatch, which: str, seed: int) -> None:
    whole, part, given, step = MEMORIES[which]
    rng, most = Random(f"{seed} {which}"), Random(seed).choice((4, 10, 30))
    monkeypatch.setattr(whole.__init__, "__defaults__", (*given, most))
    one, other = whole(), part(*given, lambda *_: None)
    some, often = range(most * rng.randrange(1, 9) // 4 + 1), rng.random()
    for _ in range(rng.randrange(100)):
        step(one, rng.choice(some), rng.random() < 0.1)
    held, differ = _keys(one), set[int]()
    other.asked.start()
    try:
        for n in range(rng.choice((50, 500))):
            key, new = (rng.choice(some), rng.random() < 0.1) if rng.random() < often else (1000 + n, False)
            if step(one, key, new) is not step(other, key, new):
                differ.add(key)
            other.asked.heed()
    except Mixed:
        return
    assert differ <= held.intersection(other.asked.noted)


def _keys(one: Threads | Memory | Signatures) -> set[int]:
    if isinstance(one, Threads):
        return {key for index in one.indexes() for key, _ in index.rows()}
    return one.digests() if isinstance(one, Signatures) else {key for key, _ in one.kept()}


@pytest.mark.parametrize("which", MEMORIES)
def test_what_is_heard_for_the_first_time_is_never_in_doubt(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    whole, part, given, step = MEMORIES[which]
    monkeypatch.setattr(whole.__init__, "__defaults__", (*given, 10))
    other = part(*given, lambda *_: None)
    other.asked.start()
    for n in range(1000, 1200):
        assert step(other, n, False) is False
        assert step(other, n, False) is True
        other.asked.heed()
    assert len(other.asked.noted) < 200


def test_no_more_is_noted_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "MOST", 100)
    asked = Asked(10)
    asked.start()
    asked.keys.extend(range(100))
    asked.heed()
    asked.keys.append(1)
    with pytest.raises(Mixed):
        asked.heed()
