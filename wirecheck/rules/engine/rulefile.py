"""Validates a rule file: every mistake in the order of the file, one line each, with its place.

jsonschema checks the shape against format.py; names (facts, fields, rules) are looked up where the shape is right.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from wirecheck.models import Models
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.engine.format import schema
from wirecheck.rules.language import script
from wirecheck.rules.language.fields import UnknownName, nearest, suggest
from wirecheck.rules.language.severity import date_fault, severity_faults
from wirecheck.rules.language.template import Template
from wirecheck.rules.language.where import faults
from wirecheck.rules.language.yamlfile import Document, FileProblem, Place
from wirecheck.secrets.scrub import plain
from wirecheck.talk.facts import FACTS

LINES = (("where",), ("shape",))  # conditions: here a problem is at the key, not at the value
NAMES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "a mapping",
}
KEYS = ("name", "given", "check", "message")  # what has none of these was not meant as a rule
SPELLINGS = {
    "name": "small letters and digits, with dashes between",
    "code": "capitals and three digits, as in WC301",
    "links": "a URL",
}


def problems(document: Document, models: Models) -> list[FileProblem]:
    """The problems of a parsed file, in the order of the file."""
    if isinstance(document.value, dict) and document.value and document.value.keys().isdisjoint(KEYS):
        return [document.problem((), f"this is no rule: it has none of {', '.join(KEYS)}")]
    shape = list(_shape(document.value))
    found = [*document.problems]
    found += [document.problem(place, what, key=key) for place, what, key in shape]
    sound = _sound(document.value, {place for place, *_ in shape})
    for place, what in _names(document.path, sound, models):
        found.append(document.problem(place, what, key=place[-2:-1] in LINES))
    return sorted(dict.fromkeys(found), key=lambda problem: problem.mark)


def _shape(value: Any) -> Iterator[tuple[Place, str, bool]]:
    """Yields where the shape is wrong, how, and whether it is the key that is wrong."""
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(schema()).iter_errors(value):
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            for key in error.instance.keys() - known.keys():
                yield (*place, key), f"unknown key {_quote(key)}{suggest(key, known)}", True
        else:
            yield from ((place, what, False) for what in _said(error, place))


def _said(error: Any, place: Place) -> Iterator[str]:
    value = error.instance
    match error.validator:
        case "required":
            yield from (f"'{key}' is missing" for key in error.validator_value if key not in value)
        case "type":
            yield f"'{_owner(place)}' has to be {_types(error.validator_value)}"
        case "enum":
            near = suggest(str(value), map(str, error.validator_value))
            yield f"{_quote(value)} is no value of '{_owner(place)}'{near}"
        case "pattern":
            yield f"{_quote(value)} is not spelled as it has to be: {SPELLINGS[_owner(place)]}"
        case "minProperties" | "minLength" | "minItems":
            yield f"'{_owner(place)}' is empty"
        case "maxProperties":
            yield f"'{_owner(place)}' has to be exactly one of {', '.join(CHECKS)}"
        case _:
            yield plain(error.message, 120)


def _sound(value: Any, wrong: set[Place]) -> dict[str, Any]:
    """The rule without keys that have a mistake, and without such lines of `where`. A misspelt `given` is taken for the
    one that was meant, so that it hides no other mistake."""
    if not isinstance(value, dict):
        return {}
    lines = {place[1] for place in wrong if place[:1] == ("where",) and len(place) > 1}
    keys = {place[0] for place in wrong if place and not (place[0] == "where" and len(place) > 1)}
    sound = {key: each for key, each in value.items() if key not in keys}
    if "where" in sound:
        sound["where"] = {key: each for key, each in sound["where"].items() if key not in lines}
    if "given" not in sound and (meant := nearest(str(value.get("given", "")), FACTS)):
        sound["given"] = meant
    return sound


def _names(path: str, rule: dict[str, Any], models: Models) -> Iterator[tuple[Place, str]]:
    """Yields problems with names that must exist elsewhere."""
    if "name" in rule and rule["name"] != PurePath(path).stem:
        yield ("name",), f"the file of '{rule['name']}' has to be called '{rule['name']}.yaml'"
    if "seen" in rule and (no_date := date_fault(rule["seen"])):
        yield ("seen",), no_date
    yield from _examples(rule.get("examples", {}), models)
    for n, band in enumerate(rule.get("empties", ())):
        if band not in models.bands:
            yield ("empties", n), f"unknown band '{band}'{suggest(band, models.bands)}"
    if "given" not in rule:
        return
    for place, what in faults(rule["given"], rule.get("where", {})):
        yield ("where", *place), what
    for place, what in severity_faults(rule["given"], rule.get("severity", "off"), models):
        yield ("severity", *place), what
    if "check" in rule:
        yield from _check(rule)


def _check(rule: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    ((name, options),) = rule["check"].items()
    for place, what in CHECKS[name].faults(rule["given"], options):
        yield ("check", name, *place), what
    for key in ("message", "help"):
        try:
            Template(rule["given"], rule.get(key, ""), CHECKS[name].FOUND)
        except UnknownName as unknown:
            yield (key,), str(unknown)


def _examples(examples: Any, models: Models) -> Iterator[tuple[Place, str]]:
    for kind, several in examples.items():
        for index, example in enumerate(several):
            name = example.get("surface", "unknown")
            if name not in models.surfaces:
                yield ("examples", kind, index, "surface"), f"unknown surface '{name}'{suggest(name, models.surfaces)}"
            for key in ("log", "wire"):
                for what in script.faults(str(example.get(key, ""))):
                    yield ("examples", kind, index, key), what


def _owner(place: Place) -> str:
    """The nearest key above a value; for an item of a list, the key of the list."""
    return next((key for key in reversed(place) if isinstance(key, str)), "rule")


def _types(types: Any) -> str:
    return " or ".join(NAMES[each] for each in ([types] if isinstance(types, str) else types))


def _quote(value: Any) -> str:
    return f"'{plain(str(value), 60)}'"
