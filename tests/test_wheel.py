"""The wheel is of Python alone, and carries the rules as JSON, the same as what a checkout reads from rules/."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from wirecheck.data import shipped
from wirecheck.rules.engine.load import builtin
from wirecheck.rules.pages.page import docs

ROOT = Path(shipped.root())
NO_RULES = """
import json, sys
import wirecheck.rules
from wirecheck.data import shipped
from wirecheck.rules.pages.page import docs
loaded = sorted({"yaml", "jsonschema", "jsonschema_rs", "difflib"} & set(sys.modules))
ruleset = wirecheck.rules.load()
loaded += sorted({"yaml", "jsonschema", "jsonschema_rs", "difflib"} & set(sys.modules))
names = [rule.name for rule in ruleset.rules]
print(json.dumps([str(shipped.checkout()), names, list(ruleset.models.bands), loaded, docs()]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*-py3-none-any.whl")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_carries_every_rule_and_apart_from_it_its_page(wheel: Path) -> None:
    carried, pages = (
        json.loads((wheel / "wirecheck" / "data" / "compiled" / f"{name}.json").read_text("utf-8"))
        for name in ("rules", "pages")
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
    checkout, names, bands, loaded, pages = json.loads(said.stdout)
    assert checkout == "None"
    assert names == [rule.name for rule in builtin()]
    assert tuple(bands) == shipped.models().bands
    assert loaded == []
    assert pages == docs()


def test_a_checkout_is_read_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something stale was compiled into it."""

    def stale(name: str) -> Any:
        raise AssertionError("a stale copy was read")

    monkeypatch.setattr(shipped, "compiled", stale)
    assert shipped.checkout() == str(ROOT / "rules")
    assert builtin()
