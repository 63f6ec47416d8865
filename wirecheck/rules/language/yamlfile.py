"""Reads a strict subset of YAML, with the position of every key and value.

Only null, true, false and numbers are resolved; duplicate keys, anchors, aliases and tags are refused. So a rule file
neither surprises its author nor grows in memory.
Knows nothing of rules, and imports nothing of the project, since the build of the wheel (hatch_build.py) uses it too.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

LARGEST = 256 * 1024
DEEPEST = 64

Place = tuple[str | int, ...]  # the keys and indices that lead to a value
Mark = tuple[int, int]  # line and column, from 1

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")
_WORDS: dict[str, Any] = {"": None, "null": None, "true": True, "false": False}


class FileProblem(NamedTuple):
    """A problem of a file and its place, as one line."""

    path: str
    mark: Mark
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.mark[0]}:{self.mark[1]}: {self.what}"


class UnreadableFile(ValueError):
    """The file is not YAML of this subset."""

    def __init__(self, problem: FileProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Document:
    """The value of a file, and the positions of its parts."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.value: Any = None
        self.keys: dict[Place, Mark] = {}
        self.values: dict[Place, Mark] = {}
        self.problems: list[FileProblem] = []

    def problem(self, place: Place, what: str, *, key: bool = False) -> FileProblem:
        """A problem at a value (or its key), or at the nearest parent that has a position."""
        marks = self.keys if key else self.values
        while place not in marks and place:
            place, marks = place[:-1], self.values
        return FileProblem(self.path, marks.get(place, (1, 1)), what)


def read(data: bytes, path: str) -> Document:
    """Reads the document in a file's bytes. Raises UnreadableFile."""
    if len(data) > LARGEST:
        raise UnreadableFile(FileProblem(path, (1, 1), f"larger than {LARGEST // 1024} KB"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableFile(FileProblem(path, (data.count(b"\n", 0, error.start) + 1, 1), "not UTF-8")) from None
    document = Document(path)
    document.value = _Reader(document, _events(text)).whole()
    return document


def scalar(text: str) -> Any:
    """The value of a plain scalar."""
    if text in _WORDS:
        return _WORDS[text]
    number = _NUMBER.fullmatch(text) if len(text) <= 18 else None
    if number is None:
        return text
    return int(text) if number[1] is None and "e" not in text.lower() else float(text)


def _events(text: str) -> Iterator[Any]:
    import yaml

    return yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class _Reader:
    """Builds the value from the parser's events, and records positions."""

    def __init__(self, document: Document, events: Iterator[Any]) -> None:
        self._document = document
        self._events = events

    def whole(self) -> Any:
        event = self._next()
        while _kind(event) in ("StreamStartEvent", "DocumentStartEvent"):
            event = self._next()
        value = None if _kind(event) == "StreamEndEvent" else self._value(event, ())
        self._next()  # the end of the document
        if _kind(after := self._next()) == "DocumentStartEvent":
            raise self._unfit(after, "a second document in one file")
        return value

    def _next(self) -> Any:
        import yaml

        try:
            return next(self._events, None)
        except yaml.YAMLError as error:
            mark, what = getattr(error, "problem_mark", None), getattr(error, "problem", None)
            at = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            what = what or str(getattr(error, "reason", "not YAML"))
            raise UnreadableFile(FileProblem(self._document.path, at, what)) from None

    def _value(self, event: Any, place: Place) -> Any:
        self._refuse(event, place)
        self._document.values[place] = _mark(event)
        match _kind(event):
            case "ScalarEvent":
                return scalar(event.value) if event.implicit[0] else event.value
            case "SequenceStartEvent":
                return list(self._entries(place))
            case _:
                return self._mapping(place)

    def _entries(self, place: Place) -> Iterator[Any]:
        index = 0
        while _kind(event := self._next()) != "SequenceEndEvent":
            yield self._value(event, (*place, index))
            index += 1

    def _mapping(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while _kind(event := self._next()) != "MappingEndEvent":
            key = self._key(event)
            here = (*place, key)
            if key in found:
                self._document.problems.append(FileProblem(self._document.path, _mark(event), f"'{key}' comes twice"))
            self._document.keys[here] = _mark(event)
            found[key] = self._value(self._next(), here)
        return found

    def _key(self, event: Any) -> str:
        self._refuse(event, ())
        if _kind(event) != "ScalarEvent":
            raise self._unfit(event, "a key has to be text")
        return str(event.value)

    def _refuse(self, event: Any, place: Place) -> None:
        if _kind(event) == "AliasEvent" or event.anchor:
            raise self._unfit(event, "anchors and aliases are not read")
        if event.tag not in (None, "!"):
            raise self._unfit(event, "tags are not read")
        if len(place) > DEEPEST:
            raise self._unfit(event, f"nested deeper than {DEEPEST}")

    def _unfit(self, event: Any, what: str) -> UnreadableFile:
        return UnreadableFile(FileProblem(self._document.path, _mark(event), what))


def _kind(event: Any) -> str:
    return type(event).__name__


def _mark(event: Any) -> Mark:
    return event.start_mark.line + 1, event.start_mark.column + 1
