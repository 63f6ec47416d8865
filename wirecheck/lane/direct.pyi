from array import array
from collections.abc import Sequence
from typing import Any

from wirecheck.lane.cuts import Cut
from wirecheck.lane.prefixes import Heard
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.reply import Reply

class Direct:
    def given(self, things: dict[str, Any]) -> None: ...
    def take(self, cut: Cut, heard: Heard | None, path: str, number: int) -> bool: ...
    def run(self, lines: Sequence[bytes], begin: int, path: str, number: int) -> int: ...

def forget(gone: array[int], no_reply: Reply, said: Reply, conversations: list[Conversation]) -> int: ...
