"""wirecheck beside those who only parse: `python -m bench [LOG…] [--scale N] [--write]`.

Every log is read by all in turns, each time by a process of its own; the best time of each counts, less what it takes
for a log of one line. Logs are those of `python -m bench.logs`, also numbers of turns, and NAME/8 in eight files.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO

from bench import tables
from bench.logs import NAME, WORKLOADS, lines, named
from bench.race import Run, race
from bench.rivals import LINT, RIVALS
from bench.tables import Log

LOGS = ["small", "small.records", "long", "long.records", "strings", "window", "live", "live.records", "media"]
TURNS = ["10", "50", "100", "200", "400"]
# Measured at their full size.
WHOLE = ["small", "small/8", "small.records", "long", "long/8", "long.records", "window", "window/8", "live"]
SCALE = 0.06
ROUNDS, PATIENCE = 5, 12.0  # so often, but nobody again who has taken so many seconds at a log
STARTS = 20


# A log, or one in so many files.
known = partial(named, spelled=NAME + r"(/[1-9]\d*)?")


def form(name: str) -> str:
    kind, _, records = name.partition("/")[0].partition(".")
    if kind == "live":
        return kind
    return records or (WORKLOADS[kind].form if kind in WORKLOADS else "exchanges")


def log(folder: str, name: str, scale: float) -> Log:
    """In one file, or in several with other seeds."""
    kind, _, files = name.partition("/")
    count, paths, lines = int(files or 1), [], 0
    for seed in range(count):
        paths.append(path := Path(folder, f"{kind}.{seed}.jsonl"))
        with path.open("wb") as file:
            _write(file, kind, scale / count, seed)
        with path.open("rb") as file:
            lines += sum(1 for _ in file)
    return Log(name, [str(path) for path in paths], sum(path.stat().st_size for path in paths), lines)


def _write(file: IO[bytes], name: str, scale: float, seed: int) -> None:
    """By another process: the memory of this one would be taken for that of those it starts."""
    asked = [name, "--scale", str(scale), "--seed", str(seed)]
    subprocess.run([sys.executable, "-m", "bench.logs", *asked], stdout=file, check=True)


def commands(name: str, paths: list[str], among: list[str]) -> dict[str, list[str]]:
    return {rival: RIVALS[rival].command(form(name), paths) for rival in among if RIVALS[rival].there()}


def starts(folder: str) -> dict[str, Run]:
    """What each takes for one line, and what Python takes for nothing."""
    line = Path(folder, "line.jsonl")
    line.write_bytes(b"".join(islice(lines("small", 0), 1)))
    python = {"python": [sys.executable, "-c", "pass"], "wirecheck --help": [*LINT, "--help"]}
    return race(python | commands("small", [str(line)], [*RIVALS]), STARTS)


def measured(
    folder: str, names: list[str], scale: float, among: list[str], idle: dict[str, Run]
) -> Iterator[tables.Row]:
    for name in names:
        one = log(folder, name, scale)
        print(f"  {name}: {one.size / 1e6:.0f} MB", file=sys.stderr, flush=True)
        runs = race(commands(name, one.paths, among), ROUNDS, PATIENCE)
        yield one, {rival: Run(max(run.seconds - idle[rival].seconds, 1e-4), run.memory) for rival, run in runs.items()}
        for path in one.paths:
            Path(path).unlink()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "logs", nargs="*", type=known, help=f"of {', '.join([*LOGS, *TURNS])}; all, and more, where none is named"
    )
    parser.add_argument("--scale", type=float, default=SCALE, help=f"of the full size (default {SCALE})")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/README.md")
    asked = parser.parse_args()
    logs = asked.logs or [*LOGS, *TURNS]
    turns = [name for name in logs if name.isdigit()]
    names = [name for name in logs if name not in turns]
    with tempfile.TemporaryDirectory() as folder:
        idle = starts(folder)
        speed = [*measured(folder, names, asked.scale, [*RIVALS], idle)]
        growth = [*measured(folder, turns, asked.scale, ["orjson", "wirecheck"], idle)]
        whole = [*measured(folder, [] if asked.logs else WHOLE, 1, [*tables.BESIDE], idle)]
    text = tables.page(asked.scale, idle, speed, growth, whole)
    print(text)
    if asked.write:
        tables.keep(text)


if __name__ == "__main__":
    main()
