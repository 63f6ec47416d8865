"""Splits parsed rule files in two: what judging needs, and the pages, which are three times as long and rarely needed.

Imports nothing of the project, since the build of the wheel (hatch_build.py) uses it too.
"""

from collections.abc import Mapping
from typing import Any

PAGE = ("doc", "seen", "examples")


def parts(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns `rules` and `pages`, each by path."""
    return {
        "rules": {path: _of(value, page=False) for path, value in values.items()},
        "pages": {path: _of(value, page=True) for path, value in values.items()},
    }


def _of(value: Any, *, page: bool) -> Any:
    """The keys of one part. A value that is no rule is returned unchanged."""
    return {key: each for key, each in value.items() if (key in PAGE) is page} if isinstance(value, dict) else value
