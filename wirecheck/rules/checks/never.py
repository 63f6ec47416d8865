"""never: the fact itself is the mistake."""

from typing import ClassVar

from wirecheck.rules.checks.base import Check, Schema


class Never(Check):
    """The fact itself is the mistake."""

    reads = ()
    OPTIONS: ClassVar[Schema] = {"type": "null", "description": "Nothing to say: `never: null`."}
