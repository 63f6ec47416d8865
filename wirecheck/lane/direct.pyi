from collections.abc import Sequence
from typing import Any

from wirecheck.lane.cuts import Cut
from wirecheck.lane.prefixes import Heard

class Direct:
    def given(self, things: dict[str, Any]) -> None: ...
    def take(self, cut: Cut, heard: Heard | None, path: str, number: int) -> bool: ...
    def run(self, lines: Sequence[bytes], begin: int, path: str, number: int) -> int: ...
