"""The wheel is of Python alone, carries the rules as JSON, and starts on every Python where nothing can be compiled."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wirecheck.data import shipped
from wirecheck.rules.engine.load import builtin
from wirecheck.rules.engine.rule_parts import PAGE
from wirecheck.rules.pages.page import docs

pytestmark = pytest.mark.xdist_group("wheel")  # which is built once
ROOT = Path(shipped.root())
LOG = ROOT / "fixtures" / "parallel-response-missing" / "log.jsonl"
LINT = ("lint", "--isolated", "--output-format", "json", "--min-severity", "info", "log.jsonl")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
NO_COMPILER = dict.fromkeys(("CC", "CXX", "CARGO", "RUSTC"), "/bin/false")
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
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | NO_COMPILER)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The unpacked wheel."""
    with zipfile.ZipFile(built) as archive:
        archive.extractall(built.parent / "site")
    return built.parent / "site"


def test_the_wheel_is_of_python_alone(built: Path) -> None:
    assert built.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(built).namelist()
    suffixes = {Path(name).suffix for name in names if name.startswith("wirecheck/")}
    assert suffixes == {".py", ".json", ".typed"}


def test_the_wheel_carries_every_rule_and_apart_from_it_its_page(wheel: Path) -> None:
    carried, pages = (
        json.loads((wheel / "wirecheck" / "data" / "compiled" / f"{name}.json").read_text("utf-8"))
        for name in ("rules", "pages")
    )
    assert [each["name"] for each in carried.values()] == [rule.name for rule in builtin()]
    assert list(carried) == list(pages) == [rule.path for rule in builtin()]
    assert {frozenset(page) | {"seen"} for page in pages.values()} == {frozenset(PAGE)}
    assert not [path for path, each in carried.items() if not set(each).isdisjoint(PAGE)]


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


def pythons(version: str) -> Iterator[str]:
    """Where one may be."""
    yield from [str(path) for path in sorted(PYENV.glob(f"{version}.*/bin/python"))]
    yield from filter(None, [shutil.which(f"python{version}")])


def runs(python: str, version: str) -> bool:
    """Whether it is that one, and can make environments. The shims of pyenv are there without what they lead to."""
    code = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip() == version


def installed(wheel: Path, python: str, folder: Path) -> Path:
    """The folder of the programs of an environment with nothing in it but the wheel and what it needs."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    there = folder / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(there / "python")]
    command = [*pip, "install", "--quiet", "--retries", "1", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | NO_COMPILER)
    if done.returncode:
        why = f"the wheel cannot be installed: {(done.stderr.strip() or 'no reason given').splitlines()[-1]}"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return there


@pytest.mark.parametrize("version", PYTHONS)
def test_an_installed_wheel_lints_on_every_python(built: Path, tmp_path: Path, version: str) -> None:
    """It says there what it says here."""
    python = next((one for one in pythons(version) if runs(one, version)), None)
    if python is None:
        pytest.skip(f"there is no Python {version}")
    there, folder = installed(built, python, tmp_path / "environment"), tmp_path / "logs"
    folder.mkdir()
    shutil.copy(LOG, folder)
    here, ours = (
        subprocess.run([*program, *LINT], cwd=folder, capture_output=True, text=True, env={"PATH": os.defpath})
        for program in ([sys.executable, "-m", "wirecheck"], [str(there / "wirecheck")])
    )
    assert "WC303" in here.stdout
    assert (ours.returncode, ours.stdout, ours.stderr) == (here.returncode, here.stdout, here.stderr)
