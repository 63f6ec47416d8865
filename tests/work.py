"""How much work something is, on any machine and however busy it is: the calls of functions it takes."""

import cProfile
from collections.abc import Callable


def work(do: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    with profile:
        do()
    return sum(entry.callcount for entry in profile.getstats())
