"""Who may import whom. A line that needs a row of this table changed has probably come to the wrong room."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "wirecheck"

# Room (a folder or a file of the package): what of the package it may import besides itself.
MAY_IMPORT = {
    "version": set(),
    "finding": set(),
    "models": set(),
    "cache": set(),
    "wire": set(),
    "sources": {"wire"},
    "dialects": {"wire", "finding", "models"},
    "sketch": {"dialects", "wire"},
    "talk": {"cache", "dialects", "wire", "finding", "models", "sketch"},
    "data": {"models"},
    "rules": {"talk", "dialects", "wire", "finding", "models", "data"},
    "verdicts": {"rules", "talk", "dialects", "finding"},
    "inspector": {"verdicts", "rules", "talk", "dialects", "wire", "finding"},
    "report": {"finding", "sketch", "wire", "version"},
    "api": {"inspector", "rules", "sources", "wire", "finding"},
    "recorder": {"api", "inspector", "rules", "report", "sketch", "data", "models", "dialects", "wire", "finding"},
}
# These stand above the rooms and may use any of them.
ABOVE = {"cli", "__main__", "__init__"}
# What the core must not reach for: files, clocks, the network, the screen.
CORE = ("wire", "dialects", "talk", "sketch", "finding", "models", "cache", "verdicts", "inspector")
OUTSIDE = {"os", "io", "pathlib", "time", "datetime", "socket", "sys", "logging", "subprocess", "click", "random"}


def imports(file: Path) -> set[str]:
    """The modules a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{name.name}" for name in node.names}
    return found


def room(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_room_imports_only_what_it_may(file: Path) -> None:
    if room(file) in ABOVE:
        return
    rooms = {name.split(".")[1] for name in imports(file) if name.startswith("wirecheck.")}
    assert rooms <= MAY_IMPORT[room(file)] | {room(file)}


@pytest.mark.parametrize("file", [file for file in FILES if room(file) in CORE], ids=str)
def test_the_core_does_no_input_or_output(file: Path) -> None:
    assert not {name.split(".")[0] for name in imports(file)} & OUTSIDE
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert not {"open", "print", "input"} & set(calls)


def test_every_room_is_in_the_table() -> None:
    assert {room(file) for file in FILES} == set(MAY_IMPORT) | ABOVE
