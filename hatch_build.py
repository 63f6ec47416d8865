"""What the wheel carries of rules/: JSON, so that loading the rules needs no YAML.

Editable installs get no rules: they read rules/ itself. But they are compiled as what is installed from a wheel is,
or each start would do it where Python may not keep it (PYTHONDONTWRITEBYTECODE).
"""

import compileall
import importlib.util
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Rules(BuildHookInterface):  # type: ignore[type-arg]
    """Puts models.json, rules.json and pages.json into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            compileall.compile_dir(root / "wirecheck", quiet=1)
            return
        self._folder = tempfile.mkdtemp()  # nobody else may write to it: what lies there goes into the wheel
        for name, value in compiled(root).items():
            target = Path(self._folder) / f"{name}.json"
            target.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
            build_data["force_include"][str(target)] = f"wirecheck/data/compiled/{name}.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self._folder, ignore_errors=True)


def compiled(root: Path) -> dict[str, Any]:
    """The models, and of every rule, by its path, what judges and its page."""
    yamlfile, parts = (
        _alone(root / "wirecheck" / "rules" / name) for name in ("language/yamlfile.py", "engine/rule_parts.py")
    )
    files = [path.relative_to(root).as_posix() for path in sorted((root / "rules").rglob("*.yaml"))]
    read = {file: yamlfile.read((root / file).read_bytes(), file).value for file in files}
    return {"models": read.pop("rules/models.yaml"), **parts.parts(read)}


def _alone(file: Path) -> Any:
    """A module of the project, loaded alone: what the rest of it needs is not there when a wheel is built."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
