"""Logs to measure with, the same for the same seed: `python -m bench.logs long --scale 0.01 > long.jsonl`.

Each workload has nothing wrong in it, unless mistakes are asked for. `NAME.records` is the same traffic in wirecheck's
own format. With --scale 1 they are as large as the budgets mean them: 0.6 GB (small), 1.5 GB (long), 0.7 GB (live).
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import NamedTuple

from bench import forms, live, words
from bench.agent import MISTAKES, Agent, Exchange
from bench.forms import FORMS, FRAME_FORMS

AT_ONCE = 16  # so many agents work side by side
TURNS = 100  # of a long conversation
WINDOW = 24  # contents
MEGABYTE = 1_000_000

Talk = Callable[[Agent], Iterator[Exchange]]


class Workload(NamedTuple):
    size: int  # conversations, or frames
    least: int
    talk: Talk
    form: str = "exchanges"


def small(agent: Agent) -> Iterator[Exchange]:
    """The last exchange of a short conversation: nothing of it was heard before."""
    turns = agent.rng.choices((1, 2, 3), (8, 2, 1))[0] + (agent.mistake is not None)
    *_, last = agent.turns(turns)
    yield last


def long(agent: Agent) -> Iterator[Exchange]:
    return agent.turns(TURNS)


def window(agent: Agent) -> Iterator[Exchange]:
    agent.window, agent.keep_first = WINDOW, agent.rng.random() < 0.5
    return agent.turns(TURNS)


def media(agent: Agent) -> Iterator[Exchange]:
    size = agent.rng.randint(1, 10) * MEGABYTE * 3 // 4
    picture = {"inlineData": {"mimeType": "image/png", "data": words.data(agent.rng, size)}}
    return agent.turns(2 if agent.mistake else 1, [picture])


WORKLOADS = {
    "small": Workload(200_000, 20, small),
    "long": Workload(200, 2, long),
    "live": Workload(500_000, 300, lambda agent: iter(())),
    "media": Workload(200, 2, media),
    "window": Workload(200, 2, window),
    "strings": Workload(100, 2, long, "strings"),
}
NAME = rf"({'|'.join(WORKLOADS)}|[1-9]\d*)(\.records)?"


def named(name: str, spelled: str = NAME) -> str:
    """Whether there is such a log."""
    if re.fullmatch(spelled, name) is None:
        raise argparse.ArgumentTypeError(f"there is no log {name!r}")
    return name


def turns_of(turns: int) -> Workload:
    """Conversations of so many turns: to see how cost grows with them."""
    return Workload(2_000_000 // turns**2, 1, lambda agent: agent.turns(turns))


def lines(name: str, scale: float, seed: int = 0, mistakes: int = 0) -> Iterator[bytes]:
    """The log of a workload: NAME, NAME.records, or a number of turns."""
    kind, _, records = name.partition(".")
    work = turns_of(int(kind)) if kind.isdigit() else WORKLOADS[kind]
    size = max(work.least, round(work.size * scale))
    form = "records" if records else work.form
    if kind == "live":
        return FRAME_FORMS[form](live.URL, live.session(Random(f"{seed} live"), size, mistakes))
    talks = (work.talk(agent) for agent in agents(f"{seed} {kind}", size, mistakes))
    return told(FORMS[form], beside(Random(f"{seed} {kind} order"), talks))


def agents(seed: str, size: int, mistakes: int) -> Iterator[Agent]:
    chosen = Random(f"{seed} mistakes").sample(range(size), min(mistakes, size))
    wrong = dict(zip(chosen, cycle(MISTAKES), strict=False))
    for number in range(size):
        yield Agent(Random(f"{seed} {number}"), mistake=wrong.get(number))


def beside(rng: Random, talks: Iterator[Iterator[Exchange]]) -> Iterator[Exchange]:
    """Several conversations at a time, one exchange of one after one of another."""
    running = [talk for talk, _ in zip(talks, range(AT_ONCE), strict=False)]
    while running:
        place = rng.randrange(len(running))
        if (one := next(running[place], None)) is not None:
            yield one
        elif (new := next(talks, None)) is not None:
            running[place] = new
        else:
            del running[place]


def told(form: forms.Form, talk: Iterator[Exchange]) -> Iterator[bytes]:
    return (line for number, one in enumerate(talk, 1) for line in form(number, one))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.logs", description=__doc__)
    parser.add_argument("name", type=named, help=f"{', '.join(WORKLOADS)}; with .records behind; or a number of turns")
    parser.add_argument("--scale", type=float, default=0.01, help="of the full size (default 0.01)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mistakes", type=int, default=0, help="so many conversations go wrong")
    sys.stdout.buffer.writelines(lines(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
