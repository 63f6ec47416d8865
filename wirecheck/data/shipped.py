"""Finds the rules and models that ship with wirecheck: rules/ of a checkout, or the JSON compiled from it in a wheel.

A checkout, bare or installed as editable, is never stale: what is cached of it is used only while no file has changed
(`parsed_cache.py`). Knows where files are, not what a rule is.
"""

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from wirecheck.models import Models

PACKAGE = os.path.dirname(os.path.dirname(__file__))
COMPILED = os.path.join(PACKAGE, "data", "compiled")
# Changes to these modules invalidate the cache, too.
READERS = [
    os.path.join(PACKAGE, *path.split("/"))
    for path in ("data/shipped.py", "rules/language/yamlfile.py", "rules/engine/rule_parts.py")
]
MODELS = "models.yaml"


def root() -> str:
    """The folder that contains the package: the project, if this is a checkout."""
    return os.path.dirname(PACKAGE)


def checkout() -> str | None:
    """The folder rules/ of a checkout, or None."""
    folder = os.path.join(root(), "rules")
    known = os.path.isfile(os.path.join(folder, MODELS)) and os.path.isfile(os.path.join(root(), "pyproject.toml"))
    return folder if known else None


def compiled(name: str) -> Any:
    """Loads compiled JSON of the wheel: `models`, `rules` or `pages`. The last two are by path."""
    from msgspec import json

    with open(os.path.join(COMPILED, f"{name}.json"), "rb") as file:
        return json.decode(file.read())


def parsed(name: str, files: Iterable[str], read: Callable[[], Any]) -> Any:
    """The same for a checkout: from the cache, or by `read` where a file has changed."""
    from msgspec import json

    from wirecheck.data.parsed_cache import kept

    return json.decode(kept(name, root(), [*files, *READERS], lambda: json.encode(read())))


def rule_files(folder: str, problem: Callable[[OSError], object] = lambda error: None) -> list[str]:
    """The rule files of a folder, in the same order on all systems, however deep its folders are nested."""
    found, folders = [], [folder]
    for place in folders:
        try:
            with os.scandir(place) as entries:
                inside = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError as error:
            problem(error)
            continue
        folders += [os.path.join(place, name) for name, is_folder in inside.items() if is_folder]
        files = [name for name, is_folder in inside.items() if not is_folder]
        found += [os.path.join(place, name) for name in files if fnmatchcase(name.lower(), "*.y*ml")]
    return sorted((path for path in found if not _is_shipped_models(path)), key=lambda path: path.split(os.sep))


def _is_shipped_models(path: str) -> bool:
    """The models lie among the rules of a checkout. A file of that name elsewhere is read as the rule it should be."""
    return os.path.basename(path) == MODELS and os.path.realpath(path) == os.path.realpath(_models_file())


def _models_file() -> str:
    return os.path.join(root(), "rules", MODELS)


@cache
def models() -> Models:
    """The models, bands and surfaces wirecheck knows."""
    return Models(model_tables())


def model_tables() -> Any:
    """The tables of rules/models.yaml."""
    folder = checkout()
    if folder is None:
        return compiled("models")
    file = _models_file()
    return parsed("models", [file], lambda: _yaml(file))


def _yaml(file: str) -> Any:
    import yaml

    with open(file, "rb") as opened:
        return yaml.load(opened, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
