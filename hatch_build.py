"""What the wheel carries of rules/: JSON, so that loading the rules needs no YAML, and the functions they are compiled
to; and the module in C, compiled.

Where there is no compiler, the wheel is without these: wirecheck finds the same, and is slower.

Editable installs get no rules: they read rules/ itself. But they are compiled as what is installed from a wheel is,
or each start would do it where Python may not keep it (PYTHONDONTWRITEBYTECODE).
"""

import compileall
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "wirecheck.lane.compiled"  # of all files in C beside it
COMPILE = """
import sys
from wirecheck.rules.load import builtin
from wirecheck.rules.precompiled import compiled
sys.stdout.buffer.write(compiled(builtin()))
"""


class Rules(BuildHookInterface):  # type: ignore[type-arg]
    """Puts models.json, rules.json and what is compiled into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            compileall.compile_dir(root / "wirecheck", quiet=1)
            extension(root, root)
            return
        if (built := extension(root, root / "build" / "wheel")) is not None:
            build_data["pure_python"], build_data["infer_tag"] = False, True
            build_data["force_include"][str(built)] = f"wirecheck/lane/{built.name}"
        for name, value in compiled(root).items():
            target = root / "build" / "wheel" / f"{name}.json"  # build/ itself is for what a checkout keeps
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
            build_data["force_include"][str(target)] = f"wirecheck/_rules/{name}.json"
        for code in functions(root, root / "build" / "wheel"):
            build_data["force_include"][str(code)] = f"wirecheck/_rules/{code.name}"


def compiled(root: Path) -> dict[str, Any]:
    """The models, and of every rule, by its path, what judges and its page."""
    yamlfile, parts = (_alone(root / "wirecheck" / "rules" / name) for name in ("yamlfile.py", "parts.py"))
    files = [path.relative_to(root).as_posix() for path in sorted((root / "rules").rglob("*.yaml"))]
    read = {file: yamlfile.read((root / file).read_bytes(), file).value for file in files}
    return {"models": read.pop("rules/models.yaml"), **parts.parts(read)}


def functions(root: Path, target: Path) -> list[Path]:
    """What the functions of rules are compiled to, for this version of Python; nothing where they cannot be loaded."""
    code = target / f"functions.{importlib.util.MAGIC_NUMBER.hex()}"
    made = subprocess.run([sys.executable, "-c", COMPILE], cwd=root, stdout=subprocess.PIPE)
    if made.returncode == 0 and code.write_bytes(made.stdout):
        return [code]
    print("wirecheck is built without its rules compiled: it will find the same, and begin slower", file=sys.stderr)
    return []


def extension(root: Path, target: Path) -> Path | None:
    """The module in C as Python can import it, below this folder; None where that is not possible."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    folder = root.joinpath(*COMPILED.split(".")).parent
    sources, headers = sorted(folder.glob("*.c")), sorted(folder.glob("*.h"))
    hidden = [] if sys.platform == "win32" else ["-fvisibility=hidden"]
    module = Extension(COMPILED, list(map(str, sources)), [str(folder)], extra_compile_args=hidden, optional=True)
    command = build_ext(Distribution({"ext_modules": [module]}))
    command.build_lib, command.build_temp = str(target), str(root / "build" / "temp")
    command.force = True  # of headers it does not know
    command.ensure_finalized()
    built = Path(command.get_ext_fullpath(COMPILED))
    newest = max(file.stat().st_mtime for file in (*sources, *headers))
    if built.exists() and built.stat().st_mtime < newest:
        built.unlink()  # of another source
    command.run()
    if built.exists():
        return built
    print("wirecheck is built without its module in C: it will find the same, and be slower", file=sys.stderr)
    return None


def _alone(file: Path) -> Any:
    """A module of the project, loaded alone: what the rest of it needs is not there when a wheel is built."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
