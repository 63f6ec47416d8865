"""Messages: what is in a fact is shown as people write it, and never more than is good."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.make import call, content
from wirecheck.report.screen import cells
from wirecheck.rules.language.fields import UnknownName
from wirecheck.rules.language.template import Template, outline, show

LONG = "x" * 100
SHOWN: list[tuple[str, Any, str]] = [
    ("", "sunny", "sunny"),
    ("", "", '""'),
    ("", None, "nothing"),
    ("id", None, "no id"),
    ("called_name", None, "no name"),
    ("", True, "true"),
    ("", 3, "3"),
    ("", 2.5, "2.5"),
    ("", ("a", "b"), "a, b"),
    ("", (), "nothing"),
    ("", tuple("abcdefghijklm"), "a, b, c, d, e, f, g, h, i, j and 3 more"),
    ("", {"city": "Rome", "n": [1, None]}, '{"city":"Rome","n":[1,null]}'),
    ("", '{"city": "Rome"}', '"{"city": "Rome"}"'),
    ("", "[]", '"[]"'),
    ("", "[1", "[1"),
    ("", LONG, "x" * 59 + "…"),
    ("", {"a": LONG}, '{"a":"' + "x" * 53 + "…"),
    ("", "two\nlines\x1b[31m", r"two\nlines\x1b[31m"),
    ("", "AIza" + "b" * 35, "[redacted]"),
    ("", f"{LONG[:40]} AIza{'b' * 35}", LONG[:40] + " [redacted]"),
]


@pytest.mark.parametrize(("name", "value", "shown"), SHOWN)
def test_a_value_is_shown_as_people_write_it(name: str, value: Any, shown: str) -> None:
    assert show(value, name) == shown


FILLED = {
    "{name} ({id})": "now (c1)",
    "{call.name}: {args.city}": "now: Rome",
    "{args.street.number}": "nothing",
    "{role} in {surface}": "model in gemini-api",
    '{{"name": "{name}"}}': '{"name": "now"}',
    "{{}}": "{}",
    "{found.count} of {found.wanted}": "2 of nothing",
    "now{; in: args.city}": "now; in: Rome",
    "now{; in: args.street}": "now",
    "now{; of: found.wanted}": "now",
    "no hole": "no hole",
    "": "",
}


@pytest.mark.parametrize(("text", "filled"), FILLED.items())
def test_holes_are_filled(text: str, filled: str) -> None:
    made = Template("call", text, ("count", "wanted"))
    assert made.fill(call(args={"city": "Rome"}), {"count": 2}) == filled


WRONG = [
    "{nmae}",
    "{found.x}",
    "{",
    "}",
    "{name",
    "name}",
    "{na{me}",
    "{}",
    "{name!r}",
    "{; of: nmae}",
    "{name:>9}",
    "{0}",
    "{name.__class__}",
]


@pytest.mark.parametrize("text", WRONG)
def test_a_hole_nothing_can_fill_is_refused(text: str) -> None:
    with pytest.raises(UnknownName):
        Template("call", text, ("count",))


@pytest.mark.parametrize(
    ("text", "read"),
    {
        '{{"id": "{call.id}", "name": "{called_name}"}}': '{"id": "ID", "name": "CALLED-NAME"}',
        '{{{echo}, "response": {{…}}}}': '{"id": "ID", "name": "NAME", "response": {…}}',
        "now{; in: args.city}": "now; in: CITY",
    }.items(),
)
def test_a_hole_is_read_as_what_will_stand_there(text: str, read: str) -> None:
    assert outline(text) == read


@given(st.text())
def test_what_is_filled_in_is_not_read_again(text: str) -> None:
    assert Template("content", "<{role}>").fill(content(role=text), {}) == f"<{show(text)}>"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_what_is_shown_fits_on_a_line(text: str) -> None:
    assert show(text).isprintable()
    assert cells(show(text)) <= 60


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ('Send {{"city": "{args.city}"}} for {args.city}', r'Send {"city": "a \"b\" \\ c"} for a "b" \ c'),
        ('{{"city": {args}}}', r'{"city": {"city":"a \"b\" \\ c"}}'),
    ],
)
def test_what_is_filled_into_a_string_of_json_is_written_as_json_has_it(text: str, filled: str) -> None:
    made = Template("call", text, code=True)
    assert made.fill(call(args={"city": 'a "b" \\ c'}), {}) == filled
