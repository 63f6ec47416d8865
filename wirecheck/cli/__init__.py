"""Reads, writes, exits. One file a command, in commands/."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """The program. Cycles are looked for seldom from the start: what is loaded is none. Until it is, Ctrl-C ends it at
    once, for nobody could say anything yet."""
    if early := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from wirecheck.cli.process_memory import seldom

    seldom()
    from wirecheck.cli.app import main

    if early:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


__all__ = ["main"]
