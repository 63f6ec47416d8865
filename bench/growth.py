"""How time and memory grow with hostile logs: `python -m bench hostile [SHAPE…] [--scale N] [--write]`.

Each shape (bench/hostile.py) is judged at one, two and four times its size, each by a process of its own, in turns;
the best times count, less what it takes for a log of one line. Where four times the size takes more than five times as
long, something is not linear: that is bold.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import modes, tables
from bench.hostile import SHAPES
from bench.race import Run, race

PAGE = Path(__file__).parent / "HOSTILE.md"
BEGIN, END = "<!-- results: python -m bench hostile --write -->\n", "<!-- end of results -->\n"
TIMES = (1, 2, 4)
ROUNDS, STARTS, PATIENCE = 3, 4, 6.0
FACTOR = 5.0  # so many times as long four times the size may take
NOISE = 0.05  # seconds: of less no factor is told


def measured(name: str, scale: float, folder: str, idle: Run, rounds: int = ROUNDS) -> dict[int, Run]:
    """The runs at each size. Another process writes the logs: memory of this one would be taken for that of those it
    starts."""
    size = max(round(SHAPES[name].size * scale), 1)
    logs = {times: Path(folder, f"{times}.jsonl") for times in TIMES}
    for times, log in logs.items():
        with log.open("wb") as file:
            subprocess.run([sys.executable, "-m", "bench.hostile", name, str(size * times)], stdout=file, check=True)
    commands = {str(times): judging(str(log)) for times, log in logs.items()}
    return {int(times): run.without(idle) for times, run in race(commands, rounds, PATIENCE).items()}


def judging(log: str) -> list[str]:
    return modes.command(sys.executable, "plain", [log])


def idling(folder: str, rounds: int) -> Run:
    (log := Path(folder, "line.jsonl")).write_bytes(b'{"contents": []}\n')
    return race({"idle": judging(str(log))}, rounds)["idle"]


def row(name: str, scale: float, runs: dict[int, Run]) -> list[str]:
    shape = SHAPES[name]
    times = [f"{runs[times].cpu:.2f}" for times in TIMES]
    memory = [f"{runs[times].memory / tables.MB:.0f}" for times in TIMES]
    return [name, f"{round(shape.size * scale):,} {shape.unit}", *times, factor(runs), *memory]


def factor(runs: dict[int, Run]) -> str:
    """How many times as long the largest takes as the smallest."""
    if runs[TIMES[-1]].cpu < NOISE:
        return tables.NONE
    times = runs[TIMES[-1]].cpu / max(runs[TIMES[0]].cpu, NOISE / FACTOR)
    return f"{times:.1f}" if times <= FACTOR else f"**{times:.1f}**"


def main(asked: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench hostile", description=__doc__)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)}; all where none is named")
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes in the table (default 1)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"so often each runs, at most (default {ROUNDS})")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/HOSTILE.md")
    given = parser.parse_args(asked)
    if missing := [name for name in given.shapes if name not in SHAPES]:
        parser.error(f"there is no shape {', '.join(missing)}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        idle = idling(folder, STARTS * given.rounds)
        for name in given.shapes or SHAPES:
            print(f"  {name}", file=sys.stderr, flush=True)
            rows.append(row(name, given.scale, measured(name, given.scale, folder, idle, given.rounds)))
    head = ["shape", "size", "s", "s at 2 ×", "s at 4 ×", "factor", "MB", "MB at 2 ×", "MB at 4 ×"]
    text = f"{tables.machine()}\n\n{tables.table(head, rows)}\n"
    print(text)
    if given.write:
        tables.keep(text, BEGIN, END, PAGE)
