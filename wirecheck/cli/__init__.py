"""Reads, writes, exits. One module a command, in commands/."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` wraps it in enums: it is easily interrupted while it loads
import os

TYPE_CHECKING = False  # `typing` takes longer, too
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Starts the program. Garbage collection is made rare first, since modules that are loaded form no garbage. Until
    they are loaded, Ctrl-C ends the process at once."""
    if interruptible := _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    try:
        from wirecheck.cli.process_memory import collect_rarely

        collect_rarely()
        from wirecheck.cli.app import main
    except Exception as error:  # out of memory, or not installed as a whole; an exit code of 1 would mean findings
        os.write(2, f"wirecheck: cannot be loaded: {error or type(error).__name__}\n".encode(errors="replace"))
        os._exit(2)
    main(interruptible)


__all__ = ["main"]
