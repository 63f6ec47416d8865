"""Logs to measure with, the same for the same seed: `python -m bench.logs long --scale 0.01 > long.jsonl`.

Nothing is wrong in them unless mistakes are asked for; only `mixed` has some of itself, and none with --mistakes 0.
Another seed is other words, ids, numbers, clients and orders of keys. `NAME.records` is the same traffic in wirecheck's
own format. With --scale 1 they are as large as the budgets mean them.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import NamedTuple, TypeVar

from bench import forms, live, mixed, wide, words
from bench.agent import MISTAKES, Agent, Exchange
from bench.client import CLIENTS, anyone
from bench.forms import FORMS, FRAMES

AT_ONCE = 16  # so many agents work side by side
TURNS = 100  # of a long conversation
WINDOW = 24  # contents
MEGABYTE = 1_000_000
LENGTHS = {"live.sessions": (60, 600)}  # frames of a session; of others:
LENGTH = (200, 4000)

Talk = Callable[[Agent], Iterator[Exchange]]
T = TypeVar("T")


class Workload(NamedTuple):
    size: int  # conversations, frames or lines
    least: int
    talk: Talk | None = None
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
    "small": Workload(170_000, 40, small),
    "mixed": Workload(80_000, 80),
    "long": Workload(200, 2, long),
    "strings": Workload(100, 2, long, "strings"),
    "window": Workload(200, 2, window),
    "media": Workload(200, 2, media),
    **{name: Workload(500_000, 300) for name in FRAMES},
    "large": Workload(2_000, 300),
    "tiny": Workload(1, 1),
}
HTTP = "|".join(name for name, work in WORKLOADS.items() if work.talk or name == "mixed")
OTHERS = "|".join(re.escape(name) for name in [*FRAMES, *wide.LINES])
NAME = rf"({HTTP}|[1-9]\d*)(\.records)?|{OTHERS}"


def named(name: str) -> str:
    """Whether there is such a log."""
    if re.fullmatch(NAME, name) is None:
        raise argparse.ArgumentTypeError(f"there is no log {name!r}")
    return name


def turns_of(turns: int) -> Workload:
    """Conversations of so many turns: to see how cost grows with them."""
    return Workload(2_000_000 // turns**2, 1, lambda agent: agent.turns(turns))


def work(name: str) -> Workload:
    kind = name.removesuffix(".records")
    if kind.isdigit():
        return turns_of(int(kind))
    return WORKLOADS[name if name in WORKLOADS else kind]


def lines(name: str, scale: float, seed: int = 0, mistakes: int | None = None) -> Iterator[bytes]:
    """The log of a workload, or of conversations of so many turns."""
    kind, of = name.removesuffix(".records"), work(name)
    size, form = max(of.least, round(of.size * scale)), "records" if name != kind else of.form
    if name in FRAMES:
        sessions = live.sessions(f"{seed} live", size, LENGTHS.get(name, LENGTH), mistakes or 0)
        told = (FRAMES[name](session) for session in sessions)
        return beside(Random(f"{seed} {name} order"), told, forms.AT_ONCE.get(name, 1))
    if kind == "mixed":
        return _mixed(form, f"{seed} mixed", size, mistakes)
    if of.talk is None:
        return wide.LINES[kind](seed, size)
    talks = (of.talk(agent) for agent in agents(f"{seed} {kind}", size, mistakes or 0))
    return told_in(form, beside(Random(f"{seed} {kind} order"), talks, AT_ONCE))


def _mixed(form: str, seed: str, size: int, mistakes: int | None) -> Iterator[bytes]:
    wrong = chosen(seed, size, mistakes or 0)
    talks = (mixed.talk(seed, number, wrong.get(number), mistakes is not None) for number in range(size))
    kept = beside(Random(f"{seed} order"), talks, AT_ONCE)
    rng = Random(f"{seed} lines")
    if form == "records":
        return told_in(form, (exchange for exchange, _ in kept))
    return (recorder.line(rng, number, exchange) for number, (exchange, recorder) in enumerate(kept, 1))


def agents(seed: str, size: int, mistakes: int) -> Iterator[Agent]:
    """Conversations of some programs; the first programs are used most."""
    clients = [anyone(Random(f"{seed} client {number}")) for number in range(CLIENTS)]
    often, wrong = [1 / place for place in range(1, CLIENTS + 1)], chosen(seed, size, mistakes)
    for number in range(size):
        rng = Random(f"{seed} {number}")
        yield Agent(rng, rng.choices(clients, often)[0], mistake=wrong.get(number))


def chosen(seed: str, size: int, mistakes: int) -> dict[int, str]:
    """Which conversations go wrong, and how."""
    places = Random(f"{seed} mistakes").sample(range(size), min(mistakes, size))
    return dict(zip(places, cycle(MISTAKES), strict=False))


def beside(rng: Random, talks: Iterator[Iterator[T]], at_once: int) -> Iterator[T]:
    """Several conversations at a time, one exchange of one after one of another."""
    running = [talk for talk, _ in zip(talks, range(at_once), strict=False)]
    while running:
        place = rng.randrange(len(running))
        try:
            yield next(running[place])
        except StopIteration:
            if (new := next(talks, None)) is not None:
                running[place] = new
            else:
                del running[place]


def told_in(form: str, talk: Iterator[Exchange]) -> Iterator[bytes]:
    return (line for number, one in enumerate(talk, 1) for line in FORMS[form](number, one))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.logs", description=__doc__)
    parser.add_argument(
        "name", type=named, help=f"{', '.join(WORKLOADS)}; those of HTTP with .records behind; or a number of turns"
    )
    parser.add_argument("--scale", type=float, default=0.01, help="of the full size (default 0.01)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mistakes", type=int, default=None, help="so many conversations go wrong")
    sys.stdout.buffer.writelines(lines(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
