"""The data files of the project: rules/ of a checkout, or what was compiled of it into the wheel.

A checkout (a bare one, or one installed as editable) is always read itself and never a copy of it. This file knows
where things are, and not what a rule is.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wirecheck.models import Models

PACKAGE = Path(__file__).parent
COMPILED = PACKAGE / "_rules" / "compiled.json"


def checkout() -> Path | None:
    """The folder rules/ beside the package, where that is a checkout."""
    folder = PACKAGE.parent / "rules"
    return folder if (folder / "models.yaml").is_file() and (PACKAGE.parent / "pyproject.toml").is_file() else None


def compiled() -> dict[str, Any]:
    """What the wheel carries: {"models": {…}, "rules": [{"path": …, "rule": {…}}]}."""
    from msgspec import json

    value: dict[str, Any] = json.decode(COMPILED.read_bytes())
    return value


def rule_files(folder: Path) -> Iterator[Path]:
    """The rule files of a folder, in one order everywhere."""
    return (path for path in sorted(folder.rglob("*.y*ml")) if path.name != "models.yaml")


@cache
def models() -> Models:
    """The models, bands and surfaces wirecheck knows."""
    folder = checkout()
    if folder is None:
        return Models(compiled()["models"])
    import yaml

    return Models(yaml.load((folder / "models.yaml").read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
