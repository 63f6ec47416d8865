"""Templates of messages, filled with values of a fact: `{name}`, `{call.name}`, `{value.args.city}`, `{found.count}`.

Words before a path, as in `{; look first at: causes}`, appear only where the value is not empty. A template is split
into pieces once. No format string is ever run: a brace holds a path, or is an error of the file.
"""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import json

from wirecheck.rules.language.fields import FieldPath, UnknownName, path, pick, suggest
from wirecheck.secrets.scrub import plain, scrub
from wirecheck.talk.facts import Fact
from wirecheck.wire.media_summary import light

WIDEST = 60
LONGEST_LIST = 10
SHORT = 64  # characters of a text that is cached as it is shown
_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_NOTHING = {"id": "no id", "name": "no name"}
_MISTAKABLE = ("", "{}", "[]")  # texts that look like nothing, or like JSON, unless quoted
_STAND_INS = {"echo": '"id": "ID", "name": "NAME"'}  # in `outline`: for values that are more than one
_WORDS: dict[Any, str] = {True: "true", False: "false"}

Hole = FieldPath | tuple[str]  # a path of the fact, or (a value the check found,)


class Clause(NamedTuple):
    """A hole with the words before it, and whether it is inside a JSON string."""

    words: str
    hole: Hole
    within: bool


Piece = str | Clause


class Template:
    """A text with holes."""

    def __init__(self, given: str, text: str, found: Collection[str] = (), *, code: bool = False) -> None:
        """`code`: quoted text is JSON. Raises UnknownName for a hole that nothing can fill."""
        self._pieces: list[Piece] = []
        end = 0
        for brace in _BRACES.finditer(text):
            self._pieces.append(text[end : brace.start()])
            within = code and text.count('"', 0, brace.start()) % 2 == 1
            self._pieces.append(_piece(given, brace[0], found, within))
            end = brace.end()
        self._pieces.append(text[end:])

    def fill(self, fact: Fact, found: Mapping[str, Any]) -> str:
        return "".join([each if isinstance(each, str) else _fill(each, fact, found) for each in self._pieces])


def outline(text: str) -> str:
    """A template without values, for pages: NAME in place of a name."""
    return _BRACES.sub(_stand_in, text)


def _stand_in(brace: re.Match[str]) -> str:
    if len(brace[0]) < 3:
        return brace[0][0]
    words, space, name = brace[0][1:-1].rpartition(" ")
    return words + space + _STAND_INS.get(name, name.rpartition(".")[2].replace("_", "-").upper())


def show(value: Any, name: str = "") -> str:
    """A value for people: on one line, scrubbed, and cut."""
    if isinstance(value, tuple):
        shown = [show(each) for each in value[:LONGEST_LIST]]
        more = len(value) - LONGEST_LIST
        return ", ".join(shown) + (f" and {more} more" if more > 0 else "") or "nothing"
    if (type(value) is str and len(value) <= SHORT) or value is None:
        return _shown(value, name)
    return _show(value, name)


def _show(value: Any, name: str) -> str:
    return plain(scrub(_text(value, name)[:4096]), WIDEST)


@lru_cache(maxsize=1024)  # names and ids come again
def _shown(value: str | None, name: str) -> str:
    return _show(value, name)


def _text(value: Any, name: str) -> str:
    if isinstance(value, str):
        text = light(value, key=name)
        return f'"{text}"' if text[:1] + text[-1:] in _MISTAKABLE else text
    if value is None:
        return _NOTHING.get(name.rpartition("_")[2], "nothing")
    if isinstance(value, (bool, int, float)):
        return _WORDS.get(value, str(value)) if isinstance(value, bool) else str(value)
    return json.encode(light(value)).decode()


def _piece(given: str, brace: str, found: Collection[str], within: bool) -> Piece:
    if brace in ("{{", "}}"):
        return brace[0]
    if len(brace) == 1:
        raise UnknownName(f"a single '{brace}': write '{brace * 2}', or a field between braces")
    words, space, name = brace[1:-1].rpartition(" ")
    if not name.startswith("found."):
        return Clause(words + space, path(given, name), within)
    value = name.removeprefix("found.")
    if value not in found:
        raise UnknownName(f"this check finds no '{value}'{suggest(value, found)}")
    return Clause(words + space, (value,), within)


def _fill(piece: Clause, fact: Fact, found: Mapping[str, Any]) -> str:
    hole = piece.hole
    value, name = (found.get(hole[0]), hole[0]) if isinstance(hole, tuple) else (pick(fact, hole), hole.text)
    if piece.words and value in (None, (), ""):
        return ""
    shown = show(value, name.rpartition(".")[2])
    return piece.words + (json.encode(shown).decode()[1:-1] if piece.within else shown)
