from collections.abc import Sequence
from typing import Any

class Reader:
    def __init__(self, row: tuple[Any, ...]) -> None: ...
    def read(
        self, data: bytes, begin: int = 0, at: int = 0, past: int = 0
    ) -> tuple[bytes, tuple[Any, ...], Sequence[bytes], int] | None: ...
    def recognise(
        self, data: bytes, begin: int = 0, at: int = 0, past: int = 0
    ) -> tuple[int, tuple[Any, ...], Sequence[bytes], int] | None: ...
    def read_lines(
        self, lines: Sequence[bytes], begin: int, prefix: bytes
    ) -> list[tuple[bytes, tuple[Any, ...], int]]: ...
