"""A file from one place on, as far as somebody says who knows what was made of all that was read so far."""

from collections.abc import Callable
from io import RawIOBase
from typing import Any

PIECE = 1 << 19  # bytes
UNASKED = 1 << 22  # bytes at most


class Stretch(RawIOBase):
    """Before more is read than `until` said, and every few megabytes, it is asked how far; where that is no further
    than `at`, it ends there.

    With `by_lines` little is read at a time, and up to where a line ends, if one does: then `whole`. It is asked each
    time.
    """

    def __init__(self, path: str, begin: int, until: Callable[[], int]) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._file.seek(begin)
        self._until = until
        self.at = self._far = begin
        self.by_lines, self.whole = False, True

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, room: Any) -> int:
        if self.by_lines or self.at >= self._far:
            self._far = min(self._until(), self.at + UNASKED)
        wanted = self._far - self.at
        wanted = min(wanted, PIECE) if self.by_lines else wanted
        with memoryview(room) as view, view[: max(wanted, 0)] as part:
            got = self._file.readinto(part) if wanted > 0 else 0
            if self.by_lines and got:
                got = self._back(part, got)
        self.at += got
        return got

    def close(self) -> None:
        self._file.close()
        super().close()

    def _back(self, part: memoryview, got: int) -> int:
        """Back to where the last line ends. Most often it is not far."""
        for far in (got // 8, got):
            end = got - far + bytes(part[got - far : got]).rfind(b"\n") + 1
            self.whole = end > got - far
            if self.whole:
                self._file.seek(end - got, 1)
                return end
        return got
