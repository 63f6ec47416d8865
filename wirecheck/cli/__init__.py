"""Reads, writes, exits. One module a command, in commands/."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Starts the program. Garbage collection is made rare first, since modules that are loaded form no garbage. Until
    they are loaded, Ctrl-C ends the process at once."""
    if early := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from wirecheck.cli.process_memory import collect_rarely

    collect_rarely()
    from wirecheck.cli.app import main

    if early:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


__all__ = ["main"]
