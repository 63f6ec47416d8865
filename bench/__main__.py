"""wirecheck beside those who only parse: `python -m bench [LOG…] [recorded PATH…] [--scale N] [--write]`; or
how its time and memory grow with hostile logs: `python -m bench hostile` (bench/growth.py); or what its readers of
other programs' files take: `python -m bench readers` (bench/readers.py).

Every log is read by all in turns, each time by a process of its own; the best times of each count, less what it takes
for a log of one line. Logs are those of `python -m bench.logs`, also numbers of turns; what comes after the word
`recorded` are files and folders of your own.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from bench import growth, readers, tables
from bench.logs import named
from bench.measure import Bench, Row, recorded
from bench.race import Run

LOGS = ["small", "small.records", "mixed", "mixed.records", "long", "long.records", "strings", "window", "media"]
LIVE = ["live", "live.at", "live.channel", "live.full", "live.sessions", "live.records"]
TURNS = ["10", "50", "100", "200", "400"]
WIDE = ["large", "tiny"]
FILES, IN = ["small", "long"], 8
ALL = [*LOGS, *LIVE, *TURNS, *WIDE]
SCALE, ROUNDS, PATIENCE = 0.02, 3, 8.0
OTHERS = {"hostile": growth.main, "readers": readers.main}
SECTIONS = ("speed", "modes", "files", "growth", "memory", "start-up")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "logs",
        nargs="*",
        help=f"of {', '.join(ALL)}; all where none is named, or with the word `all`; then `recorded` with paths",
    )
    parser.add_argument("--scale", type=float, default=SCALE, help=f"of the full size (default {SCALE})")
    parser.add_argument("--seed", type=int, default=0, help="other words, ids, numbers, clients and orders of keys")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"so often each runs, at most (default {ROUNDS})")
    parser.add_argument("--only", choices=SECTIONS, action="append", help="this table; repeatable")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/README.md")
    parser.add_argument("--beside", metavar="PYTHON", help=argparse.SUPPRESS)  # the wirecheck of another interpreter
    asked = parser.parse_args()
    cut = asked.logs.index("recorded") if "recorded" in asked.logs else len(asked.logs)
    asked.logs, asked.paths = asked.logs[:cut], [Path(path) for path in asked.logs[cut + 1 :]]
    asked.whole = "all" in asked.logs or not (asked.logs or asked.paths)
    try:
        asked.logs = ALL if asked.whole else [named(name) for name in asked.logs]
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument logs: {error}")
    if missing := [str(path) for path in asked.paths if not path.exists()]:
        parser.error(f"there is no {', '.join(missing)}")
    asked.only = asked.only or [*SECTIONS]
    return asked


def main() -> None:
    if others := OTHERS.get(" ".join(sys.argv[1:2])):
        others(sys.argv[2:])
        return
    asked = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, asked.scale, asked.seed, asked.rounds, PATIENCE, asked.beside)
        page, rows = measured(bench, asked)
    text = "\n\n".join(page) + "\n"
    print(text)
    other = f"{page[0]}\n\n{tables.beside(rows)}\n" if asked.beside and rows else ""
    if other:
        print(f"How many times as fast as the other, by mode:\n\n{other}")
    if asked.write:
        tables.keep(text)
    if asked.write and other:
        tables.keep(other, tables.OTHER, tables.OTHER_END)


def measured(bench: Bench, asked: argparse.Namespace) -> tuple[list[str], list[Row]]:
    """The page, and the rows of its first tables."""
    idle, only = bench.starts("modes" in asked.only), asked.only
    page = [tables.made(asked.scale, asked.seed)]
    names = [name for name in asked.logs if name not in WIDE and not name.isdigit()]
    rows = speed(bench, names, asked.paths, idle, "modes" in only) if "speed" in only or "modes" in only else []
    if rows and "speed" in only:
        page += ["Speed against `orjson.loads` of each line, by CPU time:", tables.speeds(rows), tables.memories(rows)]
    if rows and "modes" in only:
        page += [f"CPU time of each mode against the plain run; more than {tables.BUDGET} is bold:", tables.modes(rows)]
    if "files" in only and asked.whole:
        page += ["Several files, by the clock on the wall:", tables.files(several(bench, idle))]
    if "growth" in only and (turns := [name for name in asked.logs if name.isdigit()]):
        page += ["What a request costs as conversations get longer:", tables.growths(few(bench, turns, idle, "plain"))]
    if "memory" in only and (wide := [name for name in asked.logs if name in WIDE]):
        heavy = few(bench, wide, idle, "plain", "inspector")
        page += ["Lines of 20 MB, and a million values in one line:", tables.wide(heavy)]
    if "start-up" in only:
        page += ["Start to end with a log of one line:", tables.startups(idle)]
    return page, rows


def speed(bench: Bench, names: list[str], paths: list[Path], idle: dict[str, Run], with_modes: bool) -> list[Row]:
    rows = []
    for name in names:
        with bench.written(name) as log:
            rows.append(bench.speed(log, idle, with_modes))
    return rows + [bench.speed(recorded(path), idle, with_modes) for path in paths]


def several(bench: Bench, idle: dict[str, Run]) -> list[Row]:
    rows = []
    for name in FILES:
        with bench.written(name, IN) as log:
            rows.append(bench.files(log, idle))
    return rows


def few(bench: Bench, names: list[str], idle: dict[str, Run], *ways: str) -> list[Row]:
    rows = []
    for name in names:
        with bench.written(name) as log:
            rows.append(bench.few(log, idle, *ways))
    return rows


if __name__ == "__main__":
    main()
