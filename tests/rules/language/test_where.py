"""Lines of `where`: what is compiled of them says what they say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.make import call, content, fact
from wirecheck.rules.language.compiler import Predicate
from wirecheck.rules.language.fields import UnknownName
from wirecheck.rules.language.modifiers import MODIFIERS
from wirecheck.rules.language.where import faults, lines
from wirecheck.talk.facts import Fact, PartFact

VALUE = {"a": 1, "b": [True, "x", 2.5], "camelCase": {"deepKey": "y"}, "snake_case": "z", "none": None, "t": "héllo"}


def holds(made: Fact, where: dict[str, Any]) -> bool:
    return bool(Predicate(made.kind, lines(made.kind, where))(made))


# Of a part whose value is VALUE, whose role is "user" and whose keys are (a, b).
CASES: list[tuple[dict[str, Any], bool]] = [
    ({"role": "user"}, True),
    ({"role": ["model", "user"]}, True),
    ({"role": None}, False),
    ({"role|not": ["model", "function"]}, True),
    ({"role|not": "user"}, False),
    ({"role|not-in": ["user"]}, False),
    ({"role|in": ["user", None]}, True),
    ({"surface": "gemini-api", "band|not": "gemini-1"}, True),
    ({"role": "user", "speaker": "model"}, False),
    ({"turn": None}, True),
    ({"turn|exists": False}, True),
    ({"whole": True}, True),
    ({"value.a": 1}, True),
    ({"value.a": True}, False),
    ({"value.a": 1.0}, True),
    ({"value.b.0": 1}, False),
    ({"value.b.0": True}, True),
    ({"value.b.1": "x"}, True),
    ({"value.b.9": None}, True),
    ({"value.camelCase.deepKey": "y"}, True),
    ({"value.snakeCase": "z"}, True),
    ({"value.none|exists": False}, True),
    ({"value.nowhere.at.all|exists": False}, True),
    ({"value.a.b.c": None}, True),
    ({"value|contains": "none"}, True),
    ({"value|contains": "nowhere"}, False),
    ({"value.a|type": "integer"}, True),
    ({"value.b.2|type": "integer"}, False),
    ({"value.b.2|type": ["number", "null"]}, True),
    ({"value.b.0|type": "number"}, False),
    ({"value.b|type": "array"}, True),
    ({"value|type": "object"}, True),
    ({"value.t|type": "string"}, True),
    ({"value.none|type": "null"}, True),
    ({"value.b|not-type": "array"}, False),
    ({"value.a|min": 1, "value.b.2|max": 2.5}, True),
    ({"value.a|min": 2}, False),
    ({"value.b.0|min": 0}, False),
    ({"value.t|min": 0}, False),
    ({"value.t|size": 5}, True),
    ({"value.b|min-size": 3, "value|max-size": 6}, True),
    ({"value.a|max-size": 9}, False),
    ({"keys|contains": "a"}, True),
    ({"keys|contains": ["c", "b"]}, True),
    ({"keys|contains": ["c", "d"]}, False),
    ({"keys|all": ["a", "b"]}, True),
    ({"keys|all": ["a", "c"]}, False),
    ({"keys|lacks": ["c", "d"]}, True),
    ({"keys|lacks": "a"}, False),
    ({"keys|only": ["a", "b", "c"]}, True),
    ({"keys|only": "a"}, False),
    ({"value.t|contains": "llo"}, True),
    ({"value.b|lacks": "x"}, False),
    ({"value.a|lacks": "x"}, True),
    ({"value.b|only": ["x"]}, False),
    ({"value.camelCase|only": "deepKey"}, True),
    ({"value.t|starts": ["x", "hé"]}, True),
    ({"value.t|ends": "o"}, True),
    ({"value.a|starts": "1"}, False),
    ({"value.t|pattern": "^h.l+o$"}, True),
    ({"value.t|pattern": "^l"}, False),
    ({"value.a|pattern": "1"}, False),
    ({"value.t|not-pattern": "ll"}, False),
    ({"value.a|not-pattern": "1"}, True),
    ({"model|pattern": "flash$"}, True),
    ({"value.t|same-as": "value.t"}, True),
    ({"value.a|same-as": "value.b.0"}, False),
    ({"role|same-as": "speaker"}, True),
    ({"role|other-than": "container"}, True),
    ({"value.a|less-than": "value.b.2"}, True),
    ({"value.b.2|more-than": "value.a"}, True),
    ({"value.a|less-than": "value.t"}, False),
    ({}, True),
]


@pytest.mark.parametrize(("where", "expected"), CASES, ids=str)
def test_a_line_holds(where: dict[str, Any], expected: bool) -> None:
    assert holds(fact(PartFact, role="user", keys=("a", "b"), value=VALUE), where) is expected


def test_a_path_into_a_call_that_is_not_there_is_null() -> None:
    assert holds(content(call=None), {"call.name": None, "call.args.city|exists": False})
    assert holds(call("now"), {"call.name": "now"})


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"call.keys|contains": "args"}, False),
        ({"call.keys|contains": ["args", "name"]}, False),
        ({"call.keys|lacks": "args"}, True),
        ({"call.keys|only": ["args"]}, False),
        ({"call.keys|size": 0}, False),
    ],
    ids=str,
)
def test_a_list_of_a_call_that_is_not_there_is_null(where: dict[str, Any], expected: bool) -> None:
    assert holds(content(call=None), where) is expected


# A plain interpreter of the same lines, over the same facts, written anew.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.sampled_from(["", "a", "ab", "b", "user"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "cD", "c_d"]), inner, max_size=3)
    ),
    max_leaves=8,
)
SCALAR = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "ab", "b", "user", "model"])
TEXT = st.sampled_from(["", "a", "b", "ab", "cD"])
TEXTS = TEXT | st.lists(TEXT, min_size=1, max_size=3)
PATHS = st.sampled_from(["role", "value", "value.a", "value.b", "value.cD", "value.a.b", "value.a.0", "value.b.1.a"])
TYPE = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(["", "not"], SCALAR | st.lists(SCALAR, min_size=1, max_size=3)),
    **dict.fromkeys(["in", "not-in"], st.lists(SCALAR, min_size=1, max_size=3)),
    "exists": st.booleans(),
    **dict.fromkeys(["type", "not-type"], TYPE | st.lists(TYPE, min_size=1, max_size=2)),
    **dict.fromkeys(["min", "max"], st.integers(-3, 3) | st.floats(-3, 3)),
    **dict.fromkeys(["size", "min-size", "max-size"], st.integers(0, 3)),
    **dict.fromkeys(["contains", "all", "lacks", "only", "starts", "ends"], TEXTS),
    **dict.fromkeys(["pattern", "not-pattern"], st.sampled_from(["^a", "b$", "a|u"])),
    **dict.fromkeys(["same-as", "other-than", "less-than", "more-than"], PATHS),
}


def plain_get(made: Any, text: str) -> Any:
    first, *rest = text.split(".")
    value = getattr(made, first)
    for step in rest:
        snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in step)
        if isinstance(value, dict):
            value = value[step] if value.get(step) is not None else value.get(snake)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def plain_type(value: Any) -> set[str]:
    if isinstance(value, bool):
        return {"boolean"}
    names: dict[type, set[str]] = {type(None): {"null"}, int: {"integer", "number"}, float: {"number"}}
    return {**names, str: {"string"}, list: {"array"}, dict: {"object"}}[type(value)]


def plain_equal(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def plain_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain_holds(made: Any, text: str, modifier: str, argument: Any) -> bool:
    value = plain_get(made, text)
    several = argument if isinstance(argument, list) else [argument]
    sized = isinstance(value, (str, list, dict))
    match modifier:
        case "" | "in":
            return any(plain_equal(value, each) for each in several)
        case "exists":
            return (value is not None) is argument
        case "type":
            return bool(plain_type(value) & set(several))
        case "min":
            return plain_number(value) and value >= argument
        case "max":
            return plain_number(value) and value <= argument
        case "size":
            return sized and len(value) == argument
        case "min-size":
            return sized and len(value) >= argument
        case "max-size":
            return sized and len(value) <= argument
        case "contains":
            return sized and any(each in value for each in several)
        case "all":
            return sized and all(each in value for each in several)
        case "only":
            return isinstance(value, (list, dict)) and all(each in several for each in value)
        case "starts":
            return isinstance(value, str) and any(value.startswith(each) for each in several)
        case "ends":
            return isinstance(value, str) and any(value.endswith(each) for each in several)
        case "pattern":
            found = {"^a": str.startswith, "b$": str.endswith}
            if not isinstance(value, str):
                return False
            return "a" in value or "u" in value if argument == "a|u" else found[argument](value, argument.strip("^$"))
        case "same-as":
            return plain_equal(value, plain_get(made, argument))
        case "less-than":
            other = plain_get(made, argument)
            return plain_number(value) and plain_number(other) and value < other
        case "more-than":
            other = plain_get(made, argument)
            return plain_number(value) and plain_number(other) and value > other
    opposite = {"not": "", "not-in": "in", "not-type": "type", "lacks": "contains", "not-pattern": "pattern"}
    return not plain_holds(made, text, {**opposite, "other-than": "same-as"}[modifier], argument)


@given(st.data(), JSON, JSON)
def test_compiled_lines_say_what_a_plain_reading_says(data: st.DataObject, role: Any, value: Any) -> None:
    made = fact(PartFact, role=role, value=value)
    keys = data.draw(
        st.lists(st.tuples(PATHS, st.sampled_from(sorted(ARGUMENTS))), min_size=1, max_size=4, unique=True)
    )
    asked = [(path, modifier, data.draw(ARGUMENTS[modifier])) for path, modifier in keys]
    where = {f"{path}|{modifier}" if modifier else path: argument for path, modifier, argument in asked}
    assert holds(made, where) is all(plain_holds(made, *each) for each in asked)


def test_the_property_covers_every_modifier() -> None:
    assert set(ARGUMENTS) == set(MODIFIERS)


WRONG = {
    "roel": "a fact 'part' has no 'roel', did you mean 'role'?",
    "role|contians": "unknown modifier 'contians', did you mean 'contains'?",
    "role|": "unknown modifier ''",
    "speaker": "'speaker' is never 'x'; known: model, system, user",
    "call.nmae": "'call' has no 'nmae', did you mean 'name'?",
    "keys|min": "'min' cannot be asked of 'keys', which is a list",
    "call|starts": "'starts' cannot be asked of 'call', which is an object",
    "keys": "'a value' cannot be asked of 'keys', which is a list",
    "turn": "'turn' is a number, and never 'x'",
    "whole": "'whole' is a boolean, and never 'x'",
    "surface.x": "'surface.x' goes on after 'surface', which is a text",
    "value|same-as": "a fact 'part' has no 'x'",
    "conversation": "'conversation' is for messages: no condition can ask for a number",
    "conversation|pattern": "'conversation' is for messages",
}


@pytest.mark.parametrize(("key", "said"), WRONG.items())
def test_a_line_that_can_never_be_right_is_refused(key: str, said: str) -> None:
    with pytest.raises(UnknownName) as refused:
        lines("part", {key: "x"})
    assert str(refused.value).startswith(said)


def test_nor_is_a_conversation_what_another_field_is_compared_with() -> None:
    with pytest.raises(UnknownName, match="'conversation' is for messages"):
        lines("part", {"role|same-as": "conversation"})


def test_a_pattern_is_looked_at_where_a_file_is_checked() -> None:
    wrong = "'(?=x)' is no regular expression (Rust syntax; without look-around and back-references)"
    assert list(faults("part", {"value|pattern": "(?=x)"})) == [(("value|pattern",), wrong)]


def test_a_pattern_takes_linear_time() -> None:
    """A pattern that backtracks for ages elsewhere is found, or not, at once: this test would not end."""
    assert not holds(fact(PartFact, value="a" * 50_000 + "b"), {"value|pattern": "^(a+)+$"})


def test_text_that_is_no_text_is_found_by_no_pattern() -> None:
    assert not holds(fact(PartFact, value="\ud800"), {"value|pattern": ".*"})
