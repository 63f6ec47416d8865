"""What was measured, as tables for the screen and for README.md. It measures nothing."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from tabulate import tabulate

from bench.measure import Row
from bench.modes import MODES
from bench.race import Run
from bench.rivals import RIVALS

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- results: python -m bench --write -->\n", "<!-- end of results -->\n"
OTHER, OTHER_END = "<!-- beside: python -m bench --beside PYTHON --write -->\n", "<!-- end of beside -->\n"
REFERENCE = "orjson"
BUDGET = 1.5  # of a mode, against the plain one
NONE = "–"
MB = 1_000_000
NOISE = 0.002  # seconds; what is left of a shorter run says nothing


def made(scale: float, seed: int) -> str:
    return f"Scale {scale:g}, seed {seed}, {machine()[:-1]}, orjson {version('orjson')}, {_jq()}."


def machine() -> str:
    return f"{os.cpu_count()} processors, Python {platform.python_version()}."


def _jq() -> str:
    try:
        return subprocess.run(["jq", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "no jq"


def speeds(rows: list[Row]) -> str:
    """By CPU time; what the clock on the wall says of wirecheck stands beside."""
    rivals = [name for name in RIVALS if name != REFERENCE]
    head = ["log", "MB", "lines", "regular", "orjson", "wirecheck", "(wall)", *rivals, "ahead of jq"]
    return table(head, [_speed(row, rivals) for row in rows])


def _speed(row: Row, rivals: list[str]) -> list[str]:
    bare, own = row.runs[REFERENCE], row.runs["plain"]
    others = [_ratio(bare.cpu, row.runs[name].cpu) if name in row.runs else NONE for name in rivals]
    jq = ("yes" if own.cpu <= row.runs["jq"].cpu else "no") if "jq" in row.runs else NONE
    times = [_ratio(bare.cpu, own.cpu), _ratio(bare.wall, own.wall)]
    return [*_size(row), _share(row.regular), f"{row.log.size / MB / bare.cpu:.0f} MB/s", *times, *others, jq]


def _size(row: Row) -> list[str]:
    return [row.log.name, f"{row.log.size / MB:.0f}", str(row.log.lines)]


def _share(part: float | None) -> str:
    return NONE if part is None else f"{part:.1%}"


def _ratio(bare: float, own: float) -> str:
    """Two digits, whatever the size: 0.0045 is no 0."""
    if min(bare, own) < NOISE:
        return NONE
    times = bare / own
    return f"{times:.2f} ×" if times >= 0.1 else f"{times:.3f} ×"


def memories(rows: list[Row]) -> str:
    names = [REFERENCE, "plain", "inspector", "jq"]
    told = [[row.log.name, *(_memory(row.runs.get(name)) for name in names)] for row in rows]
    return table(["MB at the peak", REFERENCE, "wirecheck", "inspector", "jq"], told)


def _memory(run: Run | None) -> str:
    return f"{run.memory / MB:.0f}" if run else NONE


def modes(rows: list[Row]) -> str:
    told = [[row.log.name, f"{row.runs['plain'].cpu:.2f}", *(_mode(row, mode) for mode in MODES[1:])] for row in rows]
    return table(["log", "plain (s)", *MODES[1:]], told)


def _mode(row: Row, mode: str) -> str:
    times = row.runs[mode].cpu / row.runs["plain"].cpu
    return f"{times:.2f}" if times <= BUDGET else f"**{times:.2f}**"


def files(rows: list[Row]) -> str:
    told = [[*_size(row), *_jobs(row, "plain"), *(_jobs(row, "beside plain"))] for row in rows]
    other = ["other, s", "2 processes", "as fast"] if rows and "beside plain" in rows[0].runs else []
    return table(["eight files", "MB", "lines", "1 process, s", "2 processes", "as fast", *other], told)


def _jobs(row: Row, name: str) -> list[str]:
    if name not in row.runs:
        return []
    one, two = row.runs[name].wall, row.runs[f"{name} 2"].wall
    return [f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f} ×"]


def growths(rows: list[Row]) -> str:
    return table(["turns", "requests", "MB", "µs a request", "ms a MB", "against orjson"], [*map(_growth, rows)])


def _growth(row: Row) -> list[str]:
    run, size = row.runs["plain"], row.log.size / MB
    costs = [f"{run.cpu / row.log.lines * 1e6:.0f}", f"{run.cpu / size * 1e3:.2f}"]
    return [row.log.name, str(row.log.lines), f"{size:.0f}", *costs, _ratio(row.runs[REFERENCE].cpu, run.cpu)]


def wide(rows: list[Row]) -> str:
    shown = {"plain": "wirecheck", "inspector": "inspector"}
    shown |= {f"beside {name}": f"other {head}" for name, head in shown.items()}
    names = {REFERENCE: REFERENCE, **{name: head for name, head in shown.items() if rows and name in rows[0].runs}}
    told = [[*_size(row), *(_both(row.runs.get(name)) for name in names)] for row in rows]
    return table(["log", "MB", "lines", *names.values()], told)


def _both(run: Run | None) -> str:
    return f"{run.cpu:.2f} s, {_memory(run)} MB" if run else NONE


def startups(idle: dict[str, Run]) -> str:
    names = {"plain": "wirecheck lint", "--help": "wirecheck --help", "beside plain": "other lint"}
    shown = ["python", "--help", "plain", "library", "inspector", "beside plain", *RIVALS]
    told = [(names.get(name, name), idle[name]) for name in shown if name in idle]
    rows = [[name, f"{run.wall * 1e3:.0f}", f"{run.cpu * 1e3:.0f}", _memory(run)] for name, run in told]
    return table(["", "ms", "ms of CPU", "MB"], rows)


def beside(rows: list[Row]) -> str:
    """How many times as fast as the other wirecheck, mode by mode; less than 1 is slower."""
    shown = [mode for mode in MODES if any(f"beside {mode}" in row.runs for row in rows)]
    told = [[row.log.name, *(_beside(row, mode) for mode in shown), *_peaks(row)] for row in rows]
    return table(["log", *shown, "MB", "MB of the other"], told)


def _beside(row: Row, mode: str) -> str:
    other = row.runs.get(f"beside {mode}")
    return _ratio(other.cpu, row.runs[mode].cpu) if other else NONE


def _peaks(row: Row) -> list[str]:
    return [_memory(row.runs.get(name)) for name in ("plain", "beside plain")]


def table(head: list[str], rows: list[list[str]]) -> str:
    aligned = ["left", *["right"] * (len(head) - 1)]
    return tabulate(rows, head, tablefmt="github", colalign=aligned, disable_numparse=True)


def keep(text: str, begin: str = BEGIN, end: str = END, page: Path | None = None) -> None:
    """In README.md or another page, between the two marks."""
    page = page or README
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
