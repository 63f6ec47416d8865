"""The values of rule files in two parts: what judges, and the pages, three times as long and seldom asked for.

Imports nothing of the project: the build of the wheel takes rules apart with it too.
"""

from collections.abc import Mapping
from typing import Any

PAGE = ("doc", "examples")


def parts(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """`rules` and `pages`, each by the paths of the files."""
    return {
        "rules": {path: _of(value, page=False) for path, value in values.items()},
        "pages": {path: _of(value, page=True) for path, value in values.items()},
    }


def _of(value: Any, *, page: bool) -> Any:
    """What is no rule at all stays as it is."""
    return {key: each for key, each in value.items() if (key in PAGE) is page} if isinstance(value, dict) else value
