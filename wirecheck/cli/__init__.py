"""Reads, writes, exits. One file a command."""

from typing import NoReturn


def main() -> NoReturn:
    """The program. Cycles are looked for seldom from the start: what is loaded is none."""
    from wirecheck.cli.blocks import seldom

    seldom()
    from wirecheck.cli.app import main

    main()


__all__ = ["main"]
