"""The names a rule may use: kinds of facts, their fields, and paths into their values.

A path is looked up once, when its rule is loaded; an unknown name is an error of the rule file. At judging, a path that
leads nowhere is null. This module knows no check and no modifier.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields as struct_fields

from wirecheck.talk.facts import FACTS, Context, Fact

Family = Literal["text", "number", "boolean", "list", "json", "object"]

FAMILIES: dict[Any, Family] = {str: "text", int: "number", float: "number", bool: "boolean", tuple: "list"}
HIDDEN = {"spot", "related", "context"}  # not for rules


class UnknownName(Exception):
    """A name does not exist. The message suggests the nearest one that does."""


class Field(Struct, frozen=True):
    """The type of a field's values."""

    family: Family
    choices: tuple[str, ...] = ()  # of a text: all values it can have
    struct: type[Struct] | None = None


class Step(Struct, frozen=True):
    """One step into a JSON value: a key, its spelling in snake_case, or the index of a list."""

    key: str
    snake: str | None
    index: int | None


class FieldPath(Struct, frozen=True):
    """A looked-up path: attributes of the fact, then steps into the JSON value found there."""

    text: str
    attributes: tuple[str, ...]
    steps: tuple[Step, ...]
    field: Field


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, sorted(known), 1, 0.6)), None)


def suggest(name: str, known: Iterable[str]) -> str:
    """', did you mean …?' where a similar name is known, else a short list of the known ones."""
    names = sorted(known)
    if near := nearest(name, names):
        return f", did you mean '{near}'?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 12 else ""


def kind(name: str) -> type[Fact]:
    if name not in FACTS:
        raise UnknownName(f"unknown fact '{name}'{suggest(name, FACTS)}")
    return FACTS[name]


@cache
def members(struct: type[Struct]) -> dict[str, Field]:
    """The fields of a Struct that a rule may name."""
    return {each.name: _field(each.type) for each in struct_fields(struct) if each.name not in HIDDEN}


@cache
def fields(given: str) -> dict[str, Field]:
    """The fields of a kind of fact and of its context."""
    return members(kind(given)) | members(Context)


@cache
def path(given: str, text: str) -> FieldPath:
    """Looks up a dotted path. Raises UnknownName."""
    first, *rest = text.split(".")
    field = _member(fields(given), first, f"a fact '{given}'")
    attributes = ["context", first] if first in members(Context) else [first]
    while rest and field.struct is not None:
        field = _member(members(field.struct), rest[0], f"'{'.'.join(attributes)}'")
        attributes.append(rest.pop(0))
    if rest and field.family not in ("json", "list"):
        raise UnknownName(f"'{text}' goes on after '{attributes[-1]}', which is a {field.family}")
    return FieldPath(text, tuple(attributes), tuple(map(_step, rest)), Field("json") if rest else field)


def pick(fact: Fact, where: FieldPath) -> Any:
    """The value at a path, None where it leads nowhere."""
    value: Any = fact
    for name in where.attributes:
        value = None if value is None else getattr(value, name)
    return walk(value, where.steps) if where.steps else value


def walk(value: Any, steps: tuple[Step, ...]) -> Any:
    """What steps into a JSON value lead to, None where they lead nowhere."""
    for step in steps:
        if isinstance(value, dict):
            found = value.get(step.key)
            value = value.get(step.snake) if found is None and step.snake is not None else found
        elif isinstance(value, (list, tuple)) and step.index is not None and step.index < len(value):
            value = value[step.index]
        else:
            return None
    return value


def _member(known: Mapping[str, Field], name: str, owner: str) -> Field:
    if name not in known:
        raise UnknownName(f"{owner} has no '{name}'{suggest(name, known)}")
    return known[name]


def _step(text: str) -> Step:
    snake = re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", text)
    return Step(text, snake if snake != text else None, int(text) if text.isdecimal() and len(text) < 6 else None)


def _field(annotation: Any) -> Field:
    """The Field for a type annotation of facts.py."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    first = next(each for each in kinds if each is not NoneType)
    if get_origin(first) is Literal:
        return Field("text", choices=get_args(first))
    if isinstance(first, type) and issubclass(first, Struct):
        return Field("object", struct=first)
    return Field(FAMILIES.get(get_origin(first) or first, "json"))
