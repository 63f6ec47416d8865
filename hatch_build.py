"""What the wheel carries of rules/: JSON, so that loading the rules needs no YAML.

Editable installs get none of it: they read rules/ itself. But they are compiled as what is installed from a wheel is,
or each start would do it where Python may not keep it (PYTHONDONTWRITEBYTECODE).
"""

import compileall
import importlib.util
import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Rules(BuildHookInterface):  # type: ignore[type-arg]
    """Puts models.json and rules.json into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            compileall.compile_dir(root / "wirecheck", quiet=1)
            return
        for name, value in compiled(root).items():
            target = root / "build" / "wheel" / f"{name}.json"  # build/ itself is for what a checkout keeps
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
            build_data["force_include"][str(target)] = f"wirecheck/_rules/{name}.json"


def compiled(root: Path) -> dict[str, Any]:
    """The models, and every rule by its path."""
    read = _reader(root / "wirecheck" / "rules" / "yamlfile.py")
    rules = [path for path in sorted((root / "rules").rglob("*.yaml")) if path.name != "models.yaml"]
    return {
        "models": read(root / "rules" / "models.yaml", "rules/models.yaml"),
        "rules": {(name := path.relative_to(root).as_posix()): read(path, name) for path in rules},
    }


def _reader(file: Path) -> Any:
    """The project's own reader of YAML, loaded alone: what the rest of it needs is not there when a wheel is built."""
    spec = importlib.util.spec_from_file_location("yamlfile", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda path, name: module.read(path.read_bytes(), name).value
