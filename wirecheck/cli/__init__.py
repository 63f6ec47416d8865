"""Reads, writes, exits. One file a command."""

from wirecheck.cli.app import main

__all__ = ["main"]
