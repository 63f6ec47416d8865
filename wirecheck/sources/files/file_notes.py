"""What is said once of a file: that it could not be read, or how it was."""

from msgspec import Struct


class ReadProblem(Struct, frozen=True):
    """A path that could not be read to its end, or (`empty`) a folder without logs."""

    path: str
    why: str
    empty: bool = False

    def __str__(self) -> str:
        return f"nothing to read in {self.path}: {self.why}" if self.empty else f"{self.path}: {self.why}"


class FileNotes(Struct):
    """How a file was read: `guessed` are the formats that no value had at its top, and that were found by searching
    values; `prefixed` is the number of lines whose JSON has something before it."""

    path: str
    guessed: set[str] = set()
    prefixed: int = 0
