"""A request whose answer is still to come: what was found in it, and what it was."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from wirecheck.dialects.messages import Spot
from wirecheck.finding import Finding
from wirecheck.talk import Request


class Asked(Struct):
    """A request. Each of `found` holds a `finding`."""

    recital: Request
    around: Mapping[str, bytes]
    slices: Sequence[bytes]
    found: Sequence[Any]
    at: Callable[[int], Spot]  # where a content stands

    @property
    def findings(self) -> list[Finding]:
        return [known.finding for known in self.found]
