"""Which format a file has, by its beginning; and its reader, loaded when it is needed."""

from collections.abc import Callable, Iterator
from importlib import import_module

from wirecheck.sources.formats.beginning import Beginning
from wirecheck.sources.formats.file_format import FileFormat, OpenedFile, UnreadableInput
from wirecheck.sources.formats.known_formats import FORMATS
from wirecheck.wire.records import Record


def recognise(head: bytes) -> FileFormat | None:
    beginning = Beginning(head)
    return next((each for each in FORMATS if each.recognises(beginning)), None)


def reader(known: FileFormat) -> Callable[[OpenedFile], Iterator[Record]]:
    """The function that reads a format. Raises UnreadableInput for those that are only named."""
    if not known.module:
        raise UnreadableInput(f"{known.title}, which is not read: {known.instead}")
    module, _, function = known.module.partition(":")
    found: Callable[[OpenedFile], Iterator[Record]] = getattr(
        import_module(f"wirecheck.sources.{module}"), function or "records"
    )
    return found
