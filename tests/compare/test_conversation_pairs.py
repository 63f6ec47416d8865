"""Which conversation is which."""

import pytest

from tests.compare.sides import Side, chat, side
from wirecheck.compare.conversation_pairs import paired

MORNING = chat("Good morning to you", "Good morning", "What is the time?", "Nine o'clock.")
EVENING = chat("Good evening to you", "Good evening", "What is the time?", "Nine o'clock.")


@pytest.mark.parametrize(
    ("log", "wire", "of", "left"),
    [
        ([MORNING, EVENING], [EVENING, MORNING], {0: [1], 1: [0]}, []),
        ([MORNING], [EVENING, MORNING], {0: [1]}, [0]),
        ([MORNING, EVENING], [EVENING], {1: [0]}, []),
        ([MORNING[:2]], [MORNING], {0: [0]}, []),
        ([MORNING], [MORNING[:2], MORNING[2:]], {0: [1, 0]}, []),  # a session and the one that resumed it
        ([chat("Hi")] * 200, [chat("Hi")] * 200, {n: [n] for n in range(200)}, []),
    ],
    ids=["in another order", "one more on the wire", "one more in the log", "half of it", "in two", "all the same"],
)
def test_a_conversation_is_known_by_what_is_said(
    log: list[Side], wire: list[Side], of: dict[int, list[int]], left: list[int]
) -> None:
    found, rest = paired([side(each)[0] for each in log], [side(each)[0] for each in wire])
    assert {n: sorted(several) for n, several in found.items()} == {n: sorted(several) for n, several in of.items()}
    assert rest == left
