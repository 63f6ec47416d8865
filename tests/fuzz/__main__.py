"""`python -m tests.fuzz [TARGET]... --seconds N`: fuzzes, and exits 1 where something fell over."""

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from random import SystemRandom

from tests.fuzz.campaign import FAULT, REGRESSIONS, Campaign, has_atheris, instrumented, limit_memory

INPUTS = re.compile(r"number_of_executed_units: *(\d+)")  # as libFuzzer says it
LATE = 240  # seconds that one input, and making it small, may take beyond the time


def main() -> int:
    asked = _parser().parse_args()
    if asked.child:
        _child(asked.targets[0], asked.seconds, asked.seed, None if asked.simple else asked.corpus)
        return 0
    from tests.fuzz.targets import TARGETS

    if unknown := sorted(set(asked.targets) - set(TARGETS)):
        print(f"no target {', '.join(unknown)}; there are: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    targets = asked.targets or list(TARGETS)
    seed = SystemRandom().randrange(1, 1 << 31) if asked.seed is None else asked.seed
    each = asked.seconds * min(asked.jobs, len(targets)) / len(targets)
    guided = has_atheris() and not asked.simple
    how = "guided by coverage" if guided else "without atheris (`pip install -e '.[fuzz]'`): mutations of the seeds"
    print(f"{len(targets)} targets, {each:.0f} s each, seed {seed}, {how}")
    before = set(REGRESSIONS.glob("*/*.input"))
    with ThreadPoolExecutor(asked.jobs) as pool:
        done = list(pool.map(lambda target: _run(target, each, seed, guided), targets))
    for path in sorted(set(REGRESSIONS.glob("*/*.input")) - before):
        print(f"kept: {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    failed = [target for target, ended in zip(targets, done, strict=True) if ended]
    print(f"fell over: {', '.join(failed)}" if failed else "nothing fell over")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them, where none is named")
    parser.add_argument("--seconds", type=float, default=120, metavar="N", help="in total, shared by the targets")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes at once")
    parser.add_argument("--seed", type=int, metavar="N", help="a number, for the same inputs again")
    parser.add_argument("--simple", action="store_true", help="without atheris, also where it is installed")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--corpus", type=Path, help=argparse.SUPPRESS)
    return parser


def _run(target: str, seconds: float, seed: int, guided: bool) -> bool:
    """Fuzzes one target in a process of its own. Returns whether something fell over."""
    command = [sys.executable, "-m", "tests.fuzz", "--child", target, "--seconds", str(seconds), "--seed", str(seed)]
    command += [] if guided else ["--simple"]
    try:
        with tempfile.TemporaryDirectory() as corpus:  # of libFuzzer, which ends without removing it
            command += ["--corpus", corpus]
            done = subprocess.run(command, timeout=seconds + LATE, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as late:
        print(f"{target}: did not end: {(late.stderr or b'')[-2000:].decode(errors='replace')}")
        return True
    said = done.stderr.decode(errors="replace")
    faults = [line.removeprefix(FAULT) for line in said.splitlines() if line.startswith(FAULT)]
    inputs = INPUTS.search(said)
    if done.returncode or inputs is None:
        faults.append(f"ended with {done.returncode}: {said[-2000:]}")
    print(f"{target}: {inputs[1] if inputs else '?'} inputs", *faults, sep="\n  ", flush=True)
    return bool(faults)


def _child(target: str, seconds: float, seed: int, corpus: Path | None) -> None:
    limit_memory()
    with instrumented() if corpus is not None else nullcontext():
        from tests.fuzz.targets import TARGETS

        campaign = Campaign(target, TARGETS[target])
    if corpus is not None:
        campaign.guided(seconds, seed, corpus)
    campaign.simple(seconds, seed)
    print(f"stat::number_of_executed_units: {campaign.runs}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
