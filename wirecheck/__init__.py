"""Lints Gemini wire traffic: says what is wrong with a conversation, where, and what to do.

>>> import wirecheck
>>> wirecheck.check([{"role": "assistant", "parts": [{"text": "Hello"}]}])[0].rule
'invalid-role'
"""

from __future__ import annotations

from wirecheck.version import __version__

TYPE_CHECKING = False  # typing itself takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from wirecheck.api import CannotCheck, check, lint
    from wirecheck.finding import (
        CallName,
        Finding,
        Inner,
        Line,
        Place,
        Related,
        Repeated,
        ServerWord,
        Severity,
        Verdict,
    )
    from wirecheck.inspector import Inspector
    from wirecheck.rules import RuleError, Ruleset
    from wirecheck.rules.engine.load import load
    from wirecheck.sources import Reader

# Loaded when first asked for: `import wirecheck` costs nothing by itself.
_HOMES = {
    "check": "api",
    "lint": "api",
    "CannotCheck": "api",
    "Inspector": "inspector",
    "Reader": "sources",
    "Ruleset": "rules",
    "RuleError": "rules",
    "load": "rules",
    **dict.fromkeys(
        (
            "CallName",
            "Finding",
            "Inner",
            "Line",
            "Place",
            "Related",
            "Repeated",
            "ServerWord",
            "Severity",
            "Verdict",
        ),
        "finding",
    ),
}

__all__ = [
    "CallName",
    "CannotCheck",
    "Finding",
    "Inner",
    "Inspector",
    "Line",
    "Place",
    "Reader",
    "Related",
    "Repeated",
    "RuleError",
    "Ruleset",
    "ServerWord",
    "Severity",
    "Verdict",
    "__version__",
    "check",
    "lint",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'wirecheck' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"wirecheck.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
