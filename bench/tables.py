"""What was measured, as tables for the screen and for README.md. It measures nothing."""

import os
import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from bench.race import Run
from bench.rivals import RIVALS

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- results: python -m bench --write -->\n", "<!-- end of results -->\n"
REFERENCE = "orjson"
BESIDE = (REFERENCE, "wirecheck", "2 processes")  # at full size
MB = 1_000_000


class Log(NamedTuple):
    name: str
    paths: list[str]
    size: int
    lines: int


Row = tuple[Log, dict[str, Run]]


def page(scale: float, idle: dict[str, Run], speed: list[Row], growth: list[Row], whole: list[Row]) -> str:
    python = f"Python {platform.python_version()}, orjson {version('orjson')}"
    parts = [f"Scale {scale:g}, {os.cpu_count()} processors, {python}."]
    if speed:
        parts += ["Speed against `orjson.loads` of each line, and memory at its peak:", speeds(speed)]
    if whole:
        parts += [
            "At full size, where all forms are soon learnt:",
            wholes(whole),
        ]
    if growth:
        parts += ["What a request and a megabyte cost as conversations get longer:", growths(growth)]
    return "\n\n".join([*parts, "Start to end with a log of one line:", startups(idle)]) + "\n"


def speeds(rows: list[Row], names: Iterable[str] = RIVALS) -> str:
    others = [name for name in names if name != REFERENCE]
    return _table(["log", "MB", "lines", REFERENCE, *others], [_speed(log, runs, others) for log, runs in rows])


def wholes(rows: list[Row]) -> str:
    _, one, two = BESIDE
    ratios = [f"{runs[one].seconds / runs[two].seconds:.2f} ×" for _, runs in rows]
    told = [[*_speed(log, runs, [one, two]), ratio] for (log, runs), ratio in zip(rows, ratios, strict=True)]
    return _table(["log", "MB", "lines", *BESIDE, "two beside one"], told)


def _speed(log: Log, runs: dict[str, Run], names: list[str]) -> list[str]:
    bare = runs[REFERENCE]
    others = [_against(bare, runs.get(name)) for name in names]
    rate = f"{log.size / MB / bare.seconds:.0f} MB/s, {bare.memory / MB:.0f} MB"
    return [log.name, f"{log.size / MB:.0f}", str(log.lines), rate, *others]


def _against(bare: Run, run: Run | None) -> str:
    if run is None:
        return "not installed"
    return f"{bare.seconds / run.seconds:.2f} ×, {run.memory / MB:.0f} MB"


def growths(rows: list[Row]) -> str:
    head = ["turns", "requests", "MB", "µs a request", "ms a MB", "against orjson"]
    return _table(head, [_growth(log, runs["wirecheck"], runs[REFERENCE]) for log, runs in rows])


def _growth(log: Log, run: Run, bare: Run) -> list[str]:
    size = log.size / MB
    costs = [f"{run.seconds / log.lines * 1e6:.0f}", f"{run.seconds / size * 1e3:.2f}"]
    return [log.name, str(log.lines), f"{size:.0f}", *costs, f"{bare.seconds / run.seconds:.2f} ×"]


def startups(idle: dict[str, Run]) -> str:
    rows = [[name, f"{run.seconds * 1e3:.0f}", f"{run.memory / MB:.0f}"] for name, run in idle.items()]
    return _table(["", "ms", "MB"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    aligned = ["left", *["right"] * (len(head) - 1)]
    return tabulate(rows, head, tablefmt="github", colalign=aligned, disable_numparse=True)


def keep(text: str) -> None:
    """In README.md, between the two marks."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
