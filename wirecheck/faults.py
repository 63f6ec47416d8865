"""A fault of wirecheck itself, in words that can be passed on: which exception, and where in the code it was raised.

The text of an exception may quote the log, and with it a secret. It is left out, and so are the values.
"""

from collections.abc import Sequence
from traceback import walk_tb

from msgspec import Struct

PACKAGE = "/wirecheck/"
MOST = 12  # calls that are told; of a recursion the last ones
REPORT = "please report it with the lines above: they hold nothing of your log"


class Fault(Struct, frozen=True):
    """Line `line` of a log could not be judged. `what` is the exception and its place, `trace` the calls that led
    there, the innermost last."""

    path: str
    line: int
    what: str
    trace: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def why(self) -> str:
        return f"a fault in wirecheck, not in your log: {self.what}"


class Crashed(Exception):
    """Raised where nobody collects faults. The message says which line of the log."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.place}: {fault.why}")
        self.fault = fault


def fault(error: BaseException, path: str, line: int) -> Fault:
    """The exception that was raised first."""
    while error.__cause__ is not None:
        error = error.__cause__
    calls = [
        f"{_short(frame.f_code.co_filename)}:{number} {frame.f_code.co_qualname}"
        for frame, number in walk_tb(error.__traceback__)
    ]
    at = f" at {calls[-1]}" if calls else ""
    return Fault(path, line, f"{type(error).__name__}{at}", tuple(calls[-MOST:]))


def _short(file: str) -> str:
    """The name of a file without what it says of a machine."""
    path = file.replace("\\", "/")
    _, package, rest = path.rpartition(PACKAGE)
    return f"{PACKAGE[1:]}{rest}" if package else "/".join(path.split("/")[-2:])


def grouped(faults: Sequence[Fault]) -> list[str]:
    """The lines that tell of faults, each kind of them once."""
    kinds: dict[str, list[Fault]] = {}
    for each in faults:
        kinds.setdefault(each.what, []).append(each)
    return [
        f"{first.place}: {first.why}{f' (and {len(more)} more like it)' if more else ''}"
        for first, *more in kinds.values()
    ]
