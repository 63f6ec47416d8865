"""Responses come right behind the row of calls that theirs is in. `c1` is a call, `r1` its response, `w` words."""

import pytest

from wirecheck.sources.agents.behind_calls import Half, behind_calls


def half(item: str) -> Half:
    return ("call" if item[0] == "c" else "response" if item[0] == "r" else ""), item[1:]


@pytest.mark.parametrize(
    ("items", "ordered"),
    [
        ("w c1 r1 w", "w c1 r1 w"),
        ("c1 w r1", "c1 r1 w"),
        ("c1 c2 w r2 w r1", "c1 c2 r2 r1 w w"),
        ("c1 r1 c2 r2", "c1 r1 c2 r2"),
        ("c1 w c2 r2 r1", "c1 r1 w c2 r2"),
        ("r1 c1 w", "r1 c1 w"),
        ("c1 w r2", "c1 w r2"),
        ("c1 r1 r1", "c1 r1 r1"),
        ("c1 w r1 c1 w r1", "c1 r1 w c1 r1 w"),
        ("", ""),
    ],
)
def test_the_order(items: str, ordered: str) -> None:
    assert " ".join(behind_calls(items.split(), half)) == ordered
