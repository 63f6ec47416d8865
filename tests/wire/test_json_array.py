"""A JSON array comes out element by element, wherever its bytes were cut."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.wire.json_array import ArraySplitter

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(['"', "\\", "}],", "[{", "\\\\"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def split(data: bytes, cuts: list[int]) -> tuple[list[bytes], list[bytes]]:
    """What comes while the pieces are fed, and what comes at the end."""
    splitter, edges = ArraySplitter(), [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    found = [element for a, b in pairwise(edges) for element in splitter.feed(data[a:b])]
    return found, splitter.end()


@given(st.lists(JSON, max_size=5), st.lists(st.integers(0), max_size=6), st.sampled_from([None, 1]), st.booleans())
def test_elements_do_not_depend_on_where_the_bytes_were_cut(
    values: list[Any], cuts: list[int], indent: int | None, ascii: bool
) -> None:
    found, rest = split(json.dumps(values, indent=indent, ensure_ascii=ascii).encode(), cuts)
    assert [json.loads(element) for element in found] == values
    assert rest == []


@pytest.mark.parametrize(
    ("data", "elements", "rest"),
    [
        (b"", [], []),
        (b"[", [], []),
        (b"[]\n", [], []),
        (b'[{"a":1}', [b'{"a":1}'], []),
        (b'[{"a":1},\n', [b'{"a":1}'], []),
        (b'[{"a":1},{"b":"\\', [b'{"a":1}'], [b'{"b":"\\']),
        (b"[1, 2", [b"1"], [b"2"]),
    ],
)
def test_what_breaks_off_is_given_as_far_as_it_came(data: bytes, elements: list[bytes], rest: list[bytes]) -> None:
    assert split(data, []) == (elements, rest)


@given(st.text('[]{},"\\1 ', max_size=30), st.lists(st.integers(0), max_size=6))
def test_what_is_no_array_comes_out_the_same_however_it_was_cut(text: str, cuts: list[int]) -> None:
    found, rest = split(text.encode(), cuts)
    assert (found, rest) == split(text.encode(), [])


def test_an_object_is_given_before_the_comma_after_it() -> None:
    assert ArraySplitter().feed(b'[{"a":[1]}') == [b'{"a":[1]}']
