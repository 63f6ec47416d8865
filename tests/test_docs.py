"""The documentation of the code is true: its examples do what they show, and the names it gives exist."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = ["wirecheck", "wirecheck.api", "wirecheck.inspector", "wirecheck.finding"]
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"\w[\w./-]*(?:\.py|\.md|\.yaml|/)")
NAME = re.compile(r"[A-Z]\w+(?:\.\w+)*|[a-z]\w+\.[a-z]\w+")
DEFINED = re.compile(r"^\s*(?:class|def) (\w+)|^\s*([A-Za-z]\w*)(?:: [^=\n]+)? = ", re.MULTILINE)


@pytest.mark.parametrize("name", MODULES)
def test_examples_do_what_they_show(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_files_and_names_that_a_page_gives_exist(page: str) -> None:
    quoted = set(QUOTED.findall((ROOT / page).read_text(encoding="utf-8")))
    folders = ("wirecheck", "tests", "docs", "rules", "fixtures", "bench")
    files = [f"/{path.relative_to(ROOT).as_posix()}" for name in folders for path in (ROOT / name).rglob("*.*")]
    files += [f"/{path.name}" for path in ROOT.iterdir()]
    defined = {"wirecheck", "mitmproxy", "hypothesis"}
    for file in (ROOT / "wirecheck").rglob("*.py"):
        defined |= {file.stem, *(first or second for first, second in DEFINED.findall(file.read_text("utf-8")))}
    for each in quoted:
        if PATH.fullmatch(each):
            path = each.strip("/")
            assert any(f"/{path}" in file if each.endswith("/") else file.endswith(f"/{path}") for file in files), each
        elif NAME.fullmatch(each) and not each.startswith("msgspec."):
            assert set(each.split(".")) <= defined, each
