"""The items of a list in a YAML file, one at a time, with their lines: files are long, items are not.

Read from the events of the parser, which makes no objects of tags. A value is a Lined, a list, a text, bytes (of
`!!binary`), or what JSON has.
"""

import re
from base64 import b64decode
from collections.abc import Collection, Iterator
from typing import Any

import yaml

from wirecheck.sources.formats.file_format import OpenedFile, UnreadableInput
from wirecheck.sources.formats.node import Lined, YamlNode
from wirecheck.wire.records import Origin, Site

DEEPEST = 200  # levels of one item
MOST = 4_000_000  # how much one item may be: values, and 64 characters of a text, as often as aliases lead to them
BINARY = ("tag:yaml.org,2002:binary", "!binary")
INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
FLOAT = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{0,18}(?:[eE][-+]?[0-9]{1,3})?")
WORDS = {"": None, "~": None, **dict.fromkeys(("null", "Null", "NULL"))}
WORDS |= {word: value for value in (True, False) for word in (str(value), str(value).lower(), str(value).upper())}
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def items(file: OpenedFile, wanted: Collection[str]) -> Iterator[YamlNode]:
    """The items of the lists at the top of the file that have one of these names."""
    loader = _Loader(file.stream)
    try:
        yield from _Items(loader, file.path).of(wanted)
        while not loader.check_event(yaml.StreamEndEvent):
            loader.get_event()
        file.tally.lines += loader.peek_event().start_mark.line
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark is not None else ""
        raise UnreadableInput(f"no YAML: {place}{getattr(error, 'problem', None) or 'it cannot be decoded'}") from None


class _Items:
    def __init__(self, loader: Any, path: str) -> None:
        self._loader, self._path = loader, path
        self._anchored: dict[str, tuple[Any, int | None]] = {}  # and how many values are in it, once it is complete
        self._count = 0  # of the values in this item

    def of(self, wanted: Collection[str]) -> Iterator[YamlNode]:
        events = self._loader
        while not events.check_event(yaml.MappingStartEvent):
            if events.check_event(yaml.StreamEndEvent, yaml.ScalarEvent, yaml.SequenceStartEvent):
                return
            events.get_event()
        events.get_event()
        found = False
        while not events.check_event(yaml.MappingEndEvent):
            key = self._value()
            if key in wanted and events.check_event(yaml.SequenceStartEvent):
                events.get_event()
                n, found = 0, True
                while not events.check_event(yaml.SequenceEndEvent):
                    line = events.peek_event().start_mark.line + 1
                    yield YamlNode(self._value(), Site(Origin(self._path, line), f"/{key}/{n}"))
                    n += 1
                events.get_event()
            else:
                self._value()
        if not found:
            raise UnreadableInput(f"there is no list {' or '.join(wanted)} in it")

    def _value(self) -> Any:
        """The next value, whole. `open` are the lists and objects around the place, an object with the key that waits
        for its value."""
        opened: list[tuple[Any, list[Any]]] = []
        begun: list[tuple[str | None, int]] = []  # the anchors of those, and how many values were there before
        self._count = 0
        while True:
            event = self._loader.get_event()
            line, ended, before = event.start_mark.line + 1, False, self._count
            self._count += 1
            if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                (made, _), (anchor, first), ended = opened.pop(), begun.pop(), True
                if anchor:
                    self._anchored[anchor] = made, self._count - first
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in self._anchored:
                    raise UnreadableInput(f"no YAML: line {line}: nothing is anchored as '{str(event.anchor)[:60]}'")
                made, many = self._anchored[event.anchor]
                if many is None:
                    raise UnreadableInput(f"line {line}: '{str(event.anchor)[:60]}' stands in itself")
                self._count += many
            else:
                made = self._begun(event)
                is_scalar = isinstance(event, yaml.ScalarEvent)
                if is_scalar:
                    self._count += len(event.value) >> 6
                if event.anchor:
                    self._anchored[event.anchor] = made, self._count - before if is_scalar else None
                if not is_scalar:
                    if len(opened) == DEEPEST:
                        raise UnreadableInput(f"line {line}: nested deeper than {DEEPEST} levels")
                    self._put(opened, made, line)
                    opened.append((made, []))
                    begun.append((event.anchor, before))
                    continue
            if self._count > MOST:
                raise UnreadableInput(f"line {line}: an item that is too large, or grows so by aliases")
            if not opened:
                return made
            if not ended:
                self._put(opened, made, line)

    def _begun(self, event: Any) -> Any:
        if isinstance(event, yaml.MappingStartEvent):
            return Lined()
        return [] if isinstance(event, yaml.SequenceStartEvent) else _scalar(event)

    def _put(self, opened: list[tuple[Any, list[Any]]], made: Any, line: int) -> None:
        if not opened:
            return
        owner, waiting = opened[-1]
        if isinstance(owner, list):
            owner.append(made)
        elif not waiting:
            waiting.append(made if isinstance(made, str) else str(made))
        else:
            key = waiting.pop()
            owner[key], owner.lines[key] = made, line


def _scalar(event: Any) -> Any:
    written: str = event.value
    if event.tag in BINARY:
        try:
            return b64decode(written, validate=False)
        except ValueError:
            return written
    if event.implicit[0] and event.tag is None:
        if written in WORDS:
            return WORDS[written]
        if INTEGER.fullmatch(written):
            return int(written)
        if FLOAT.fullmatch(written):
            return float(written)
    return written
