"""A format of files, and an open file to read by it."""

from collections.abc import Callable

from msgspec import Struct

from wirecheck.sources.formats.beginning import Beginning
from wirecheck.sources.lines import LineCount, Stream


class FileFormat(Struct, frozen=True, kw_only=True):
    """A row of the table. Without `module` it is recognised and not read: `instead` says why, and what to do."""

    name: str  # of --input-format
    title: str  # what a person calls it
    known_by: str  # how it is recognised, in words
    recognises: Callable[[Beginning], bool]
    where: str  # where such files lie, or how to get one
    endings: tuple[str, ...]  # which such files have, as a rule
    module: str = ""
    instead: str = ""
    loses: str = ""  # what it cannot show
    # What else has to hold where nobody named the file, but only a folder that it is in.
    in_folders: Callable[[Beginning], bool] = lambda beginning: True


class OpenedFile(Struct, frozen=True):
    """A file at its beginning: unzipped, after its byte order mark. `path` is how it is called in places."""

    path: str
    stream: Stream
    tally: LineCount


class UnreadableInput(OSError):
    """The file cannot be read as what it is. The message is for who named it."""
