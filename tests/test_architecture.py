"""Who may import whom, and what a folder may hold. A line that needs a row of a table changed has probably come to the
wrong room."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "wirecheck"

# Room (a folder or a file of the package): what of the package it may import besides itself.
MAY_IMPORT = {
    "version": set(),
    "finding": set(),
    "faults": set(),
    "models": set(),
    "cache": set(),
    "hashing": set(),
    "wire": {"cache", "hashing"},
    "secrets": {"wire"},
    "sources": {"cache", "faults", "hashing", "wire"},
    "redacting": {"secrets", "sources", "wire"},
    "dialects": {"cache", "hashing", "wire", "finding", "models"},
    "sketch": {"dialects", "secrets", "wire"},
    "talk": {"cache", "hashing", "dialects", "wire", "finding", "models", "sketch"},
    "compare": {"hashing", "talk", "sketch", "dialects", "finding", "rules", "inspector", "wire"},
    "data": {"models"},
    "rules": {"cache", "talk", "dialects", "secrets", "wire", "finding", "models", "data"},
    "verdicts": {"rules", "talk", "dialects", "wire", "finding"},
    "inspector": {"verdicts", "rules", "talk", "dialects", "wire", "finding", "faults"},
    "report": {"finding", "sketch", "secrets", "wire", "version"},
    "api": {"inspector", "rules", "sources", "wire", "finding", "faults"},
    "replay": {"inspector", "rules", "report", "sources", "secrets", "wire", "finding"},
    "recorder": {
        *(
            "api",
            "inspector",
            "rules",
            "report",
            "sketch",
            "data",
            "models",
            "dialects",
            "talk",
            "secrets",
            "wire",
            "finding",
            "faults",
        ),
    },
}
# A folder in a room: what of the other folders there it may import. What lies in the room itself belongs to all of
# them.
WITHIN = {
    "sources/formats": set(),
    "sources/files": {"sources/formats"},
    "sources/cassettes": {"sources/formats"},
    "sources/captures": {"sources/files", "sources/formats"},
    "sources/agents": {"sources/formats"},
    "sources/telemetry": {"sources/agents", "sources/formats"},
    "dialects/vocabulary": set(),
    "dialects/interactions": {"dialects/vocabulary"},
    "dialects/live": {"dialects/vocabulary"},
    "talk/fields": set(),
    "talk/schemas": set(),
    "talk/recital": set(),
    "talk/http": {"talk/fields", "talk/schemas", "talk/recital"},
    "talk/sessions": {"talk/fields", "talk/schemas"},
    "rules/language": set(),
    "rules/checks": {"rules/language"},
    "rules/engine": {"rules/language", "rules/checks"},
    "rules/server_word": {"rules/language", "rules/engine"},
    "rules/pages": {"rules/language", "rules/checks", "rules/engine", "rules/server_word"},
    "recorder/capture": set(),
    "recorder/judging": {"recorder/capture"},
    "recorder/mitm": {"recorder/capture", "recorder/judging"},
    "cli/linting": set(),
    "cli/commands": {"cli/linting"},
}
# These stand above the rooms and may use any of them.
ABOVE = {"cli", "__main__", "__init__"}
# What the core must not reach for: files, clocks, the network, the screen.
CORE = (
    "wire",
    "secrets",
    "dialects",
    "talk",
    "sketch",
    "finding",
    "faults",
    "models",
    "cache",
    "verdicts",
    "inspector",
)
OUTSIDE = {"os", "io", "pathlib", "time", "datetime", "socket", "sys", "logging", "subprocess", "click", "random"}
FEW = 15  # files of a folder, for a reader to see at once what is in it


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


def folder(file: Path) -> str:
    """The folder in its room that a file is in; nothing where it lies in the room itself."""
    return "/".join(file.relative_to(PACKAGE).parts[:-1][:2]) if len(file.relative_to(PACKAGE).parts) > 2 else ""


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


@pytest.mark.parametrize(
    "file", [file for file in FILES if folder(file)], ids=lambda file: str(file.relative_to(PACKAGE))
)
def test_a_folder_in_a_room_imports_only_what_it_may(file: Path) -> None:
    names = {name for name in imports(file) if name.startswith(f"wirecheck.{room(file)}.")}
    folders = {"/".join(name.split(".")[1:3]) for name in names}
    assert folders & set(WITHIN) <= WITHIN[folder(file)] | {folder(file)}


def test_every_folder_is_in_the_table() -> None:
    assert {folder(file) for file in FILES} - {""} == set(WITHIN)


def test_a_folder_holds_few_files() -> None:
    assert [folder for folder, many in Counter(file.parent for file in FILES).items() if many > FEW] == []


def test_a_module_is_known_by_its_name_alone() -> None:
    names = Counter(file.stem for file in FILES if file.stem != "__init__")
    assert [name for name, times in names.items() if times > 1] == []


def test_a_class_is_known_by_its_name_alone() -> None:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in FILES)
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, times in names.items() if times > 1] == []


def test_a_module_is_tested_under_its_name_or_its_folder_says_where() -> None:
    tests = Path(__file__).parent
    for here in sorted({file.parent for file in FILES}):
        there = tests / here.relative_to(PACKAGE)
        if not there.is_dir():  # a folder of one file, told of above
            there = there.parent
        said = set(re.findall(r"`(\w+)`", (there / "__init__.py").read_text(encoding="utf-8")))
        modules = {file.stem for file in FILES if file.parent == here} - {"__init__"}
        assert {name for name in modules if not (there / f"test_{name}.py").exists()} - said == set(), there
