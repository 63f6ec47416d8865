"""The ways to ask wirecheck about a log. Each is a command; the plain one is what others are held to."""

import json
import subprocess
from pathlib import Path

ASKED = Path(__file__).parent / "asked"
# More than its findings is not looked at; mistakes in a log are no failure.
LINT = ["lint", "--isolated", "-q", "--fail-on", "never", "--output-format", "concise"]
OPTIONS = {
    "plain": [],
    "rules": ["--rules", str(ASKED / "refund-without-approval.yaml")],
    "predict": ["--predict"],
    "info": ["--min-severity", "info"],
    "statistics": ["--statistics"],
    "baseline": ["--baseline", str(ASKED / "baseline.json")],
}
LIBRARY = """
import sys, wirecheck
try:
    wirecheck.lint(sys.argv[1:])
except wirecheck.CannotCheck:
    pass
"""
INSPECTOR = """
import json, sys
from wirecheck import Inspector, Reader, load
inspector = Inspector(load())
for record in Reader(sys.argv[1:]):
    inspector.feed(record)
inspector.close()
pieces = getattr(inspector, "pieces", None)
print(json.dumps(None if pieces is None else [pieces.heard, pieces.regular]))
"""
PROGRAMS = {"library": LIBRARY, "inspector": INSPECTOR}
MODES = [*OPTIONS, *PROGRAMS]


def command(python: str, mode: str, paths: list[str], jobs: int = 1) -> list[str]:
    """By the wirecheck that is installed for this Python: -P keeps the folder we are in out of its way."""
    if mode in PROGRAMS:
        return [python, "-P", "-c", PROGRAMS[mode], *paths]
    return [python, "-P", "-m", "wirecheck", *LINT, "--jobs", str(jobs), *OPTIONS[mode], *paths]


def commands(python: str, paths: list[str]) -> dict[str, list[str]]:
    return {mode: command(python, mode, paths) for mode in MODES}


def regular(python: str, paths: list[str]) -> float | None:
    """Which share of the pieces of a log is regular: nothing but what is usual is in them. None where nobody counts."""
    told = subprocess.run(command(python, "inspector", paths), stdout=subprocess.PIPE, check=True).stdout
    counted: list[int] | None = json.loads(told)
    return counted[1] / max(counted[0], 1) if counted is not None else None
