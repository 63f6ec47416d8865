"""Random rules of users, who ask of the fields and values that real facts have."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from tests.rules.make import rule
from wirecheck.rules import Rule
from wirecheck.rules.language import values
from wirecheck.rules.language.fields import UnknownName, fields, members, path, pick
from wirecheck.rules.language.modifiers import MODIFIERS, REFERENCES
from wirecheck.rules.language.where import line
from wirecheck.talk.facts import Fact

RULES, TRIES = 4, 12
DEEP = 5  # steps into a value
Asked = dict[str, Any]


def user_rules(rng: Random, facts: Sequence[Fact]) -> list[Rule]:
    """A few rules, each about the kind of a fact that is there."""
    kinds = sorted({fact.kind for fact in facts})
    made: list[Rule] = []
    for _ in range(TRIES):
        if len(made) == RULES or not kinds:
            break
        given = rng.choice(kinds)  # by kind, for most facts are of few kinds
        fact = rng.choice([fact for fact in facts if fact.kind == given])
        if asked := _asked(rng, fact):
            name = f"mine-{len(made)}"
            checks: list[Asked] = [{"never": None}, {"shape": _asked(rng, fact) or asked}]
            made.append(_rule(rng, given, asked, rng.choice(checks), name, f"OWN{len(made) + 100}"))
    return made


def _rule(rng: Random, given: str, where: Asked, check: Asked, name: str, code: str) -> Rule:
    severity: Any = rng.choice(("error", "info", [{"is": "error", "where": where}, {"is": "info"}]))
    return rule(check, builtin=False, name=name, code=code, given=given, where=where, severity=severity)


def _asked(rng: Random, fact: Fact) -> Asked:
    """Conditions on a fact that hold of it, or nearly."""
    asked: Asked = {}
    places = list(_paths(fact))
    for _ in range(rng.choice((1, 1, 2, 3))):
        where = rng.choice(places)
        modifier = rng.choice(list(MODIFIERS))
        argument = _argument(rng, modifier, pick(fact, path(fact.kind, where)), places)
        key = f"{where}|{modifier}" if modifier else where
        try:
            line(fact.kind, key, argument)
        except UnknownName:
            continue
        asked[key] = argument
    return asked


def _paths(fact: Fact) -> Iterator[str]:
    """The paths that a rule may ask a fact about: its fields, and what lies in them."""
    for name, field in fields(fact.kind).items():
        yield name
        if field.struct is not None:
            yield from (f"{name}.{inner}" for inner in members(field.struct))
        elif field.family in ("json", "list"):
            yield from _inside(name, getattr(fact, name, None), DEEP)


def _inside(where: str, value: Any, deep: int) -> Iterator[str]:
    if isinstance(value, Struct) or not deep:
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, each in inner:
        if str(key) and "." not in str(key) and "|" not in str(key):
            yield f"{where}.{key}"
            yield from _inside(f"{where}.{key}", each, deep - 1)


def _argument(rng: Random, modifier: str, value: Any, places: list[str]) -> Any:
    if modifier in REFERENCES:
        return rng.choice(places)
    size = len(value) if isinstance(value, str | list | tuple | dict) else 1
    scalar = value if isinstance(value, str | int | float | bool) or value is None else rng.choice((None, "x", 0, True))
    words = [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple | dict) else []
    text = scalar if isinstance(scalar, str) else rng.choice((*words, "c1"))
    number = scalar if isinstance(scalar, int | float) and not isinstance(scalar, bool) else 1
    row = MODIFIERS[modifier]
    match row.takes:
        case "true or false":
            return rng.random() < 0.5
        case "a number":
            return number + rng.choice((-1, 0, 1))
        case "a whole number":
            return max(0, size + rng.choice((-1, 0, 1)))
        case "a scalar or a list of scalars":
            return rng.choice((scalar, [scalar, "x"]))
        case "a list of scalars":
            return [scalar, rng.choice((None, "x", 1))]
    if modifier in ("type", "not-type"):
        return rng.choice(list(values.TYPES))
    if modifier in ("pattern", "not-pattern"):
        return rng.choice(("^[a-z_]+$", "1", "^$", "[A-Z]"))
    return rng.choice((text, text[:2], text[-2:], [text, "x"], words or [text]))
