"""The tables of the bench, measured: each log is written, read by all in turns, and removed. It prints no table."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from bench import modes, rivals
from bench.logs import lines, work
from bench.modes import MODES
from bench.race import Run, race

ENDINGS = (".jsonl", ".ndjson", ".json", ".log")
MAY_FAIL = (*rivals.RIVALS, *(f"beside {mode}" for mode in MODES))
FRAMES = {"live.sessions": "sessions", "mixed": "any", "mixed.records": "records"}
STARTS = 4  # times as often as a log is read: it takes a moment


class Log(NamedTuple):
    name: str
    form: str
    paths: list[str]
    size: int
    lines: int


class Row(NamedTuple):
    log: Log
    runs: dict[str, Run]
    regular: float | None = None


class Bench(NamedTuple):
    """What all tables have in common."""

    folder: str
    scale: float
    seed: int
    rounds: int
    patience: float  # nobody runs again who has taken so many seconds at a log
    beside: str | None  # the Python of another wirecheck

    def pythons(self) -> dict[str, str]:
        return {"": sys.executable} | ({"beside ": self.beside} if self.beside else {})

    def wirechecks(self, paths: list[str], mode: str = "plain", jobs: int = 1) -> dict[str, list[str]]:
        return {f"{who}{mode}": modes.command(python, mode, paths, jobs) for who, python in self.pythons().items()}

    def all_modes(self, paths: list[str]) -> dict[str, list[str]]:
        return {name: command for mode in MODES for name, command in self.wirechecks(paths, mode).items()}

    def race(self, commands: dict[str, list[str]]) -> dict[str, Run]:
        return race(commands, self.rounds, self.patience, MAY_FAIL)

    def starts(self, with_modes: bool) -> dict[str, Run]:
        """What each takes for one line, and what Python takes for nothing."""
        line = Path(self.folder, "line.jsonl")
        line.write_bytes(b"".join(islice(lines("small", 0), 1)))
        bare = {"python": [sys.executable, "-c", "pass"]}
        helps = {f"{who}--help": [python, "-P", "-m", "wirecheck", "--help"] for who, python in self.pythons().items()}
        own = self.all_modes([str(line)]) if with_modes else self.usual([str(line)])
        return race(bare | helps | own | rivals.commands("exchanges", [str(line)]), STARTS * self.rounds)

    def usual(self, paths: list[str]) -> dict[str, list[str]]:
        return self.wirechecks(paths) | self.wirechecks(paths, "inspector")

    def speed(self, log: Log, idle: dict[str, Run], with_modes: bool) -> Row:
        """Rivals and wirecheck in all its modes; less what each takes to start."""
        told(log)
        own = self.all_modes(log.paths) if with_modes else self.usual(log.paths)
        runs = self.race(rivals.commands(log.form, log.paths) | own)
        return Row(log, less(runs, idle), modes.regular(sys.executable, log.paths))

    def few(self, log: Log, idle: dict[str, Run], *ways: str) -> Row:
        """wirecheck in these modes, and the parser it is held to."""
        told(log)
        runs = {"orjson": rivals.RIVALS["orjson"].command(log.form, log.paths)}
        for mode in ways:
            runs |= self.wirechecks(log.paths, mode)
        return Row(log, less(self.race(runs), idle))

    def files(self, log: Log, idle: dict[str, Run]) -> Row:
        """One process and two, of one wirecheck and of the other."""
        told(log)
        two = {f"{name} 2": command for name, command in self.wirechecks(log.paths, jobs=2).items()}
        runs = self.race(self.wirechecks(log.paths) | two)
        return Row(log, {name: run.without(idle[name.removesuffix(" 2")]) for name, run in runs.items()})

    @contextmanager
    def written(self, name: str, files: int = 1) -> Iterator[Log]:
        """A workload in one file, or in several with other seeds. By another process: the memory of this one would be
        taken for that of those it starts."""
        paths = [Path(self.folder, f"{name}.{number}.jsonl") for number in range(files)]
        for number, path in enumerate(paths):
            asked = [name, "--scale", str(self.scale / files), "--seed", str(self.seed + number)]
            with path.open("wb") as file:
                subprocess.run([sys.executable, "-m", "bench.logs", *asked], stdout=file, check=True)
        yield log_of(name, form(name), paths)
        for path in paths:
            path.unlink()


def told(log: Log) -> None:
    print(f"  {log.name}: {log.size / 1e6:.0f} MB", file=sys.stderr, flush=True)


def less(runs: dict[str, Run], idle: dict[str, Run]) -> dict[str, Run]:
    return {name: run.without(idle[name]) for name, run in runs.items()}


def form(name: str) -> str:
    """As rivals have to read it."""
    kind = name.partition(".")[0]
    if kind == "live":
        return FRAMES.get(name, "frames")
    return FRAMES.get(name, "records" if name.endswith(".records") else work(name).form)


def log_of(name: str, form: str, paths: list[Path]) -> Log:
    return Log(name, form, [str(path) for path in paths], sum(path.stat().st_size for path in paths), counted(paths))


def counted(paths: list[Path]) -> int:
    """Line ends, a piece at a time: a line may be large."""
    return sum(piece.count(b"\n") for path in paths for piece in pieces(path.open("rb")))


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(1 << 16):
            yield piece


def recorded(path: Path) -> Log:
    """Somebody's own log, or all in a folder. What is packed is left out: rivals do not read it."""
    inside = sorted(each for each in path.rglob("*") if each.is_file() and each.suffix in ENDINGS)
    return log_of(path.name, "any", inside if path.is_dir() else [path])
