"""The data files of the project: rules/ of a checkout, or what was compiled of it into the wheel.

A checkout (a bare one, or one installed as editable) is always taken as it stands: what is kept of it in its build/ is
used only while no file has changed (`parsed.py`). This file knows where things are, and not what a rule is.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wirecheck.models import Models

PACKAGE = Path(__file__).parent
COMPILED = PACKAGE / "_rules"
READERS = (PACKAGE / "shipped.py", PACKAGE / "rules" / "yamlfile.py")  # what is made of a file depends on them


def checkout() -> Path | None:
    """The folder rules/ beside the package, where that is a checkout."""
    folder = PACKAGE.parent / "rules"
    return folder if (folder / "models.yaml").is_file() and (PACKAGE.parent / "pyproject.toml").is_file() else None


def compiled(name: str) -> Any:
    """What the wheel carries: `models`, a value, and `rules`, the value of each by its path."""
    from msgspec import json

    return json.decode((COMPILED / f"{name}.json").read_bytes())


def parsed(name: str, files: Iterable[Path], read: Callable[[], Any]) -> Any:
    """The same of the files of a checkout, which `read` reads where it has to be."""
    from wirecheck.parsed import kept

    return kept(PACKAGE.parent / "build" / f"{name}.json", [*files, *READERS], read)


def rule_files(folder: Path) -> Iterator[Path]:
    """The rule files of a folder, in one order everywhere."""
    return (path for path in sorted(folder.rglob("*.y*ml")) if path.name != "models.yaml")


@cache
def models() -> Models:
    """The models, bands and surfaces wirecheck knows."""
    folder = checkout()
    if folder is None:
        return Models(compiled("models"))
    file = folder / "models.yaml"
    return Models(parsed("models", [file], lambda: _yaml(file)))


def _yaml(file: Path) -> Any:
    import yaml

    return yaml.load(file.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
