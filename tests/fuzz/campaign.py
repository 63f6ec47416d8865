"""Runs a target on one input after another, and keeps what it falls over.

With atheris inputs are guided by coverage; without, they are mutations of the seeds, the same for the same number.
"""

import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import FrameType
from typing import TYPE_CHECKING, Any

from tests.fuzz.smallest import smallest

if TYPE_CHECKING:  # what is imported there is instrumented first
    from tests.fuzz.targets import Target

NUMBERS = re.compile(r"\d+")
REGRESSIONS = Path(__file__).parent / "regressions"
SECONDS = 20  # of processor time, for one input
MOST = 150  # seeds that a run begins with
MEMORY = 3 << 30  # bytes of address space
FAULT = "FAULT "  # how a line begins that tells of one
PACKAGE = str(Path(__file__).parents[2] / "wirecheck") + os.sep


class TookTooLong(Exception):
    """An input took more than SECONDS of processor time."""


def fault(run: Callable[[bytes], None], data: bytes, seconds: float = SECONDS) -> str:
    """What a target falls over on an input, in a few words that another input with the same fault has too; else "" """
    try:
        with _limited(seconds):
            run(data)
    except Exception as error:
        return _words(error)
    return ""


def kept(name: str, folder: Path = REGRESSIONS) -> list[Path]:
    """The inputs that a target fell over."""
    return sorted((folder / name).glob("*.input"))


class Campaign:
    """One target. Each fault is kept once."""

    def __init__(self, name: str, target: "Target", folder: Path = REGRESSIONS) -> None:
        self._name, self._target, self._folder = name, target, folder / name
        self._seeds = [*target.seeds(), *(path.read_bytes() for path in kept(name, folder))]
        self.faults: dict[str, Path] = {}
        self.runs = 0

    def attempt(self, data: bytes, seconds: float = SECONDS) -> None:
        self.runs += 1
        words = fault(self._target.run, data, seconds)
        if words and words not in self.faults:
            small = smallest(data, lambda less: fault(self._target.run, less, seconds) == words)
            self.faults[words] = self._keep(small)
            print(f"{FAULT}{words}: {self.faults[words].relative_to(self._folder.parent)}", file=sys.stderr, flush=True)

    def simple(self, seconds: float, seed: int) -> None:
        """Mutations of the seeds, until the time is up."""
        rng, end = Random(f"{seed} {self._name}"), time.monotonic() + seconds
        for data in self._some(rng):
            if time.monotonic() > end:
                return
            self.attempt(data)
        while time.monotonic() < end:
            self.attempt(self.mutated(rng))

    def mutated(self, rng: Random) -> bytes:
        return self._target.mutate(rng, rng.choice(self._seeds), self._seeds)

    def guided(self, seconds: float, seed: int, corpus: Path) -> None:
        """The same, by coverage. Does not return: libFuzzer ends the process. `corpus` is an empty folder."""
        import atheris

        for data in self._some(Random(seed)):
            (corpus / sha256(data).hexdigest()).write_bytes(data)

        def mutate(data: bytes, size: int, number: int) -> bytes:
            rng = Random(number)
            made = self._target.mutate(rng, data, self._seeds) if rng.random() < 0.8 else atheris.Mutate(data, size)
            return bytes(made[:size])

        asked = [f"-max_total_time={max(1, int(seconds))}", "-max_len=60000", "-len_control=0", f"-seed={seed}"]
        asked += ["-timeout=900", "-rss_limit_mb=0", "-print_final_stats=1", "-verbosity=0", "-detect_leaks=0"]
        asked += [f"-artifact_prefix={corpus}/"]
        atheris.Setup([sys.argv[0], *asked, str(corpus)], self.attempt, custom_mutator=mutate)
        atheris.Fuzz()

    def _some(self, rng: Random) -> list[bytes]:
        """Some of the seeds in any order: one after another each run sees them all."""
        return rng.sample(self._seeds, min(len(self._seeds), MOST))

    def _keep(self, data: bytes) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{sha256(data).hexdigest()[:12]}.input"
        path.write_bytes(data)
        return path


def has_atheris() -> bool:
    return find_spec("atheris") is not None


@contextmanager
def instrumented() -> Iterator[None]:
    """What is imported within tells libFuzzer where it went."""
    import atheris

    with atheris.instrument_imports(include=["wirecheck"]):
        yield


def limit_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Processor time, so that a busy machine makes nothing late."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    before: Any = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _words(error: Exception) -> str:
    """The first cause, and where it was raised: in a loop without end or too deep that is nowhere in particular."""
    from wirecheck import CannotCheck
    from wirecheck.faults import Crashed

    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    kind = type(cause).__name__
    if isinstance(cause, RecursionError | TookTooLong | MemoryError):
        return kind
    if isinstance(cause, AssertionError | Crashed | CannotCheck) and cause.args:
        return f"{kind}: {NUMBERS.sub('', str(cause.args[0]))}"
    frames = list(traceback.extract_tb(cause.__traceback__))
    last = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames
    return f"{kind} in {Path(last[-1].filename).stem}.{last[-1].name}"
