"""A request whose answer is still to come: what was found in it, and what it was."""

from collections.abc import Callable, Mapping
from functools import cached_property

from wirecheck.dialects.messages import Contents, Spot
from wirecheck.finding import Finding
from wirecheck.talk import Request


class AnsweredRequest:
    """A request, and the findings in it, new or recited again."""

    def __init__(self, request: Request, findings: Callable[[], list[Finding]]) -> None:
        self.request, self._findings = request, findings

    @property
    def around(self) -> Mapping[str, bytes]:
        return self.request.message.around

    @property
    def slices(self) -> Contents:
        return self.request.message.slices

    def at(self, n: int) -> Spot:
        """Where a content stands."""
        return self.request.message.at(n)

    @cached_property
    def findings(self) -> list[Finding]:
        return self._findings()
