"""`python -m wirecheck` is `wirecheck`."""

from wirecheck.cli import main

main()
