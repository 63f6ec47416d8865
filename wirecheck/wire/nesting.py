"""How deep JSON may be nested: a limit of our own, for that of the interpreter depends on who calls whom.

Whoever looks at a value may therefore go into it recursively. Google's servers read about a hundred levels.
"""

from typing import Any

from msgspec import Raw

DEEPEST = 128  # lists and objects within each other
TOO_DEEP = f"nested too deep (over {DEEPEST} levels)"
_SMALL = 2 * DEEPEST  # bytes: each level has two brackets


def may_be_deep(raw: bytes | Raw) -> bool:
    """Whether JSON has as many brackets as it takes; most has not, which is quickly seen."""
    if len(raw) <= _SMALL:
        return False
    data = bytes(raw)
    return data.count(b"{") + data.count(b"[") > DEEPEST


def too_deep(value: Any) -> bool:
    """Whether a decoded value is nested too deep. Looks at one level after another."""
    level, depth = [value], 0
    while level := [each for each in level if type(each) is dict or type(each) is list]:
        depth += 1
        if depth > DEEPEST:
            return True
        level = [inner for each in level for inner in (each.values() if type(each) is dict else each)]
    return False
