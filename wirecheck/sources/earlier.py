"""The lines that go by whoever begins to read in the middle of a log: those of conversations that began earlier.

Which these are is a guess by how their first content begins.
"""

import re
from collections import Counter
from typing import BinaryIO

from wirecheck.sources.openings import near, opening
from wirecheck.sources.records import CLOSED
from wirecheck.wire.log import PREFIX

# Openings in a row of which none was heard of before: at least, and for each conversation that went on.
QUIET, EACH = 64, 8
CHANNEL = re.compile(re.escape(PREFIX) + rb'\w{1,9}","channel":"([^"]{0,99})"')


class Earlier:
    """Conversations that went on shortly before a place in a log."""

    def __init__(self, stream: BinaryIO, at: int) -> None:
        seen = Counter(near(stream, at))
        self._known = seen.keys()
        self._enough = max(QUIET, EACH * sum(often > 1 for often in seen.values()))
        self._quiet = 0
        self._open = set[bytes]()

    @property
    def over(self) -> bool:
        """Whether none of them has been heard for long."""
        return self._quiet >= self._enough and not self._open

    def says(self, line: bytes) -> bool:
        """Whether one of them says this: in a request, or in our own log until the channel of that is closed."""
        begins = opening(line)
        known = begins in self._known
        self._quiet = 0 if known else self._quiet + bool(begins)
        return self._goes_on(line, known) if line.startswith(PREFIX) else known

    def _goes_on(self, line: bytes, known: bool) -> bool:
        channel = _channel(line)
        if known and channel is not None:
            self._open.add(channel)
        if channel is None or channel not in self._open:
            return False
        if line.startswith(CLOSED):
            self._open.remove(channel)
        return True


def _channel(line: bytes) -> bytes | None:
    """None where another program wrote the line, in another order."""
    found = CHANNEL.match(line)
    return found[1] if found else None
