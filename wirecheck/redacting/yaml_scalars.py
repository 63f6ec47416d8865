"""YAML: scalars and comments that hold a secret are written anew, over as many lines as before; all else stays.

A scalar that was written in lines of its own (`|`) stays so where that can be, every other one is quoted. The result is
read again: it has to have the same values in the same places.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, BinaryIO

import msgspec
import yaml

from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.file_text import FileText
from wirecheck.secrets.secret_fields import FieldNames
from wirecheck.sources.formats.yaml_items import DEEPEST
from wirecheck.sources.lines import BOM, LIMIT, MEGABYTE

BINARY = ("tag:yaml.org,2002:binary", "!binary")
PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")  # what stands before a scalar: an anchor, a tag
HEADER = re.compile(r"\|[-+1-9]{0,2}[^\n]*\n")
COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\n]*")
PRINTED = re.compile(r"[\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\n]*")
# Deeper than what a scalar may stand in, with an indentation of its own.
ESCAPED_END = "\\\n" + " " * 40
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Edit = tuple[int, int, str, str]  # from, to, the text that is there then, and its value


def pieces(stream: BinaryIO, secrets: FileText) -> Iterator[bytes]:
    data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise Unredactable(f"YAML of over {LIMIT // MEGABYTE} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unredactable(f"no YAML: invalid UTF-8 at byte {error.start}") from None
    try:
        scalars = _Scalars(text, secrets)
        edits = scalars.edits()
        comments = scalars.comments()
        if edits or comments:
            after = _applied(text, sorted([*edits, *comments]))
            _check(text, after, edits)
            text = after
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark is not None else ""
        raise Unredactable(f"no YAML: {place}{getattr(error, 'problem', None) or 'it cannot be decoded'}") from None
    yield data[: len(BOM)] if data.startswith(BOM) else b""
    yield text.encode()


class _Scalars:
    """Reads the events of a file, each value by its name."""

    def __init__(self, text: str, secrets: FileText) -> None:
        self._text, self._secrets = text, secrets
        self._found: dict[int, Edit] = {}
        self._spans: list[tuple[int, int]] = []  # of all scalars

    def edits(self) -> list[Edit]:
        events, fields = _Loader(self._text), self._secrets.fields()
        opened: list[bool | None] = []  # of each list None, of each object whether a key comes next
        while not events.check_event(yaml.StreamEndEvent):
            event = events.get_event()
            is_key = bool(opened) and opened[-1] is True
            if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                fields.end()
                opened.pop()
                is_key = bool(opened) and opened[-1] is True
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                fields.begin(isinstance(event, yaml.SequenceStartEvent))
                opened.append(True if isinstance(event, yaml.MappingStartEvent) else None)
                if len(opened) > DEEPEST:  # the parser of libyaml takes time with the square of the depth
                    mark: Any = event.start_mark
                    raise Unredactable(f"line {mark.line + 1}: nested deeper than {DEEPEST} levels")
                continue
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event, fields, is_key)
            elif isinstance(event, yaml.DocumentStartEvent):
                fields = self._secrets.fields()
                continue
            elif not isinstance(event, yaml.AliasEvent):
                continue
            if opened and opened[-1] is not None:
                opened[-1] = not is_key
        return [self._found[at] for at in sorted(self._found)]

    def comments(self) -> list[Edit]:
        """Those with secrets, between the scalars that `edits` has read."""
        ends = [(0, 0), *self._spans, (len(self._text), len(self._text))]
        found = [
            (comment, after)
            for (_, begin), (end, _) in pairwise(ends)
            if "#" in self._text[begin:end]
            for comment in COMMENT.finditer(self._text, begin, end)
            if (after := self._secrets.text(comment[0])) != comment[0]
        ]
        return [(*comment.span(), after.replace("\n", " "), "") for comment, after in found]

    def _scalar(self, event: Any, fields: FieldNames, is_key: bool) -> None:
        value: str = event.value
        self._spans.append((event.start_mark.index, event.end_mark.index))
        if is_key:
            fields.key(value)
            kind = ""
        else:
            kind = fields.value(value, event)
        self._put(event, self._after(event, value, kind, is_key))
        for late, of in fields.late:
            self._put(late, self._secrets.string(late.value, of, False))
        fields.late.clear()

    def _after(self, event: Any, value: str, kind: str, is_key: bool) -> str:
        if event.tag not in BINARY or kind:
            return self._secrets.string(value, kind, is_key)
        try:
            data = b64decode(value)
        except ValueError:
            return self._secrets.string(value, kind, is_key)
        after = self._secrets.data(data)
        if after == data:
            return value
        made, lines = b64encode(after).decode(), max(value.count("\n"), 1)
        share = -(-len(made) // lines)
        return "".join(f"{made[n : n + share]}\n" for n in range(0, len(made), share))

    def _put(self, event: Any, after: str) -> None:
        if event.value.endswith("\n") and not after.endswith("\n"):  # as that of a block does
            after += "\n"
        if after == event.value:
            return
        begin, end = event.start_mark.index, event.end_mark.index
        found = PROPERTIES.match(self._text, begin, end)
        begin = found.end() if found else begin
        written = self._text[begin:end].rstrip()
        self._found[begin] = begin, begin + len(written), _written(written, after, event), after


def _written(before: str, value: str, event: Any) -> str:
    """A scalar of as many lines as before."""
    header = HEADER.match(before) if event.style == "|" else None
    if header and before.count("\n") == len(value.rstrip("\n").split("\n")) and PRINTED.fullmatch(value):
        first = before[header.end() :].split("\n", 1)[0]
        indent = first[: len(first) - len(first.lstrip(" "))]
        lines = value.rstrip("\n").split("\n")
        if not re.search("[1-9]", header[0][:3]) and lines[0].strip() and indent and not value.endswith("\n\n"):
            return before[: header.end()] + "\n".join(indent + line if line else "" for line in lines)
    quoted = _quoted(value)
    # Line ends that are escaped are none.
    return quoted[:-1] + ESCAPED_END * before.count("\n") + '"'


def _quoted(value: str) -> str:
    made = msgspec.json.encode(value).decode()
    return "".join(sign if PRINTED.fullmatch(sign) else f"\\U{ord(sign):08x}" for sign in made)


def _applied(text: str, edits: list[Edit]) -> str:
    done, at = list[str](), 0
    for begin, end, written, _ in edits:
        done += text[at:begin], written
        at = end
    return "".join((*done, text[at:]))


def _check(before: str, after: str, edits: list[Edit]) -> None:
    """Raises Unredactable unless the files differ in the values that were replaced, and in nothing else."""
    was: Any = _Loader(before)
    now: Any = _Loader(after)
    changed = iter(edits)
    edit = next(changed, None)
    while not was.check_event(yaml.StreamEndEvent):
        old: Any = was.get_event()
        new: Any = now.get_event()
        wanted = getattr(old, "value", None)
        begin, end = old.start_mark.index, old.end_mark.index
        if edit and isinstance(old, yaml.ScalarEvent) and begin <= edit[0] < end:
            wanted, edit = edit[3], next(changed, None)
        same = type(old) is type(new) and getattr(new, "value", None) == wanted
        if not same or old.start_mark.line != new.start_mark.line:
            raise Unredactable(
                f"line {old.start_mark.line + 1}: YAML that cannot be written again without changing more"
            )
