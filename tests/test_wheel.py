"""The wheel carries the rules as JSON, the same as what a checkout reads from rules/; and what is compiled."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from wirecheck import shipped
from wirecheck.rules.load import builtin
from wirecheck.rules.page import docs

ROOT = Path(shipped.root())
NO_RULES = """
import json, sys
import wirecheck.rules
from wirecheck import shipped
from wirecheck.rules.code import Function
from wirecheck.rules.page import docs
loaded = sorted({"yaml", "jsonschema", "jsonschema_rs", "difflib"} & set(sys.modules))
ruleset = wirecheck.rules.load()
loaded += sorted({"yaml", "jsonschema", "jsonschema_rs", "difflib"} & set(sys.modules))
names = [rule.name for rule in ruleset.rules]
Function.make = None
made = [callable(ruleset._function(purpose, kind)) for kind in ruleset.wants for purpose in ("judge", "spares")]
print(json.dumps([str(shipped.checkout()), names, list(ruleset.models.bands), loaded, all(made), docs()]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_carries_every_rule_and_apart_from_it_its_page(wheel: Path) -> None:
    carried, pages = (
        json.loads((wheel / "wirecheck" / "_rules" / f"{name}.json").read_text("utf-8")) for name in ("rules", "pages")
    )
    assert [each["name"] for each in carried.values()] == [rule.name for rule in builtin()]
    assert list(carried) == list(pages) == [rule.path for rule in builtin()]
    assert {tuple(page) for page in pages.values()} == {("doc", "examples")}
    assert not [path for path, each in carried.items() if {"doc", "examples"} & set(each)]


def test_an_installed_wheel_loads_the_same_rules_without_yaml(wheel: Path, tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", NO_RULES],
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel)},
        check=True,
        capture_output=True,
    )
    checkout, names, bands, loaded, made, pages = json.loads(said.stdout)
    assert checkout == "None"
    assert names == [rule.name for rule in builtin()]
    assert tuple(bands) == shipped.models().bands
    assert loaded == []
    assert made
    assert pages == docs()


def test_the_wheel_carries_what_is_compiled(wheel: Path, tmp_path: Path) -> None:
    code = "from wirecheck.lane import compiled; print(compiled.__file__)"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(wheel)}, check=True, capture_output=True
    )
    assert Path(said.stdout.decode().strip()).is_relative_to(wheel)


def test_without_a_compiler_the_wheel_is_made_of_python_alone(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    sources = tmp_path / "sources"
    left_out = shutil.ignore_patterns(".*", "build", "dist", "tests", "fixtures", "__pycache__", "*.so", "*.pyd")
    shutil.copytree(ROOT, sources, ignore=left_out)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    env = {**os.environ, "CC": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}  # no compiler at all
    said = subprocess.run(command, cwd=sources, env=env, check=True, capture_output=True)
    assert b"without its module in C" in said.stderr
    (made,) = tmp_path.glob("*-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(made).namelist() if name.endswith((".so", ".pyd"))]


def test_a_checkout_is_read_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something stale was compiled into it."""

    def stale(name: str) -> Any:
        raise AssertionError("a stale copy was read")

    monkeypatch.setattr(shipped, "compiled", stale)
    assert shipped.checkout() == str(ROOT / "rules")
    assert builtin()
