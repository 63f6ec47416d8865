"""Histories are found again where their bytes stand, the longest first; of each conversation the last one is known."""

from hypothesis import given
from hypothesis import strategies as st

from wirecheck.lane.prefixes import ENDS, OPENINGS, Prefixes

BEFORE = b'"contents":['
MOST = 4
FIRST = st.sampled_from((b"a" * OPENINGS[0], b"b" * OPENINGS[0], b"c" * OPENINGS[1]))
MORE = st.lists(st.sampled_from((b"x" * ENDS, b"y" * ENDS, b"z")), max_size=4).map(b"".join)
HISTORY = st.builds(bytes.__add__, FIRST, MORE)
STEPS = st.lists(st.tuples(st.sampled_from("12345678"), HISTORY, MORE))


class Plain:
    """The same without any haste."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def add(self, name: str, history: bytes) -> None:
        def ends(other: bytes) -> tuple[bytes, int, bytes]:
            return other[: next(size for size in OPENINGS if size <= len(other))], len(other), other[-ENDS:]

        self._known.pop(name, None)
        self._known = {each: other for each, other in self._known.items() if ends(other) != ends(history)}
        self._known[name] = history
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    def find(self, line: bytes) -> str | None:
        """The longest that stands at the beginning."""
        found = [(len(history), name) for name, history in self._known.items() if line.startswith(history)]
        return max(found)[1] if found else None


@given(STEPS)
def test_a_history_is_found_where_it_stands_and_goes_on(steps: list[tuple[str, bytes, bytes]]) -> None:
    prefixes, plain = Prefixes(MOST), Plain()
    start = len(BEFORE)
    for name, history, more in steps:
        line = BEFORE + history + more + b"}"
        end = len(line) - 1
        found, expected = prefixes.find(line, start), plain.find(line[start:])
        assert (found and found.name) == expected
        if found is not None and name < "4":
            prefixes.move(found, line, start, end)
            plain.add(found.name, line[start:end])
        elif found is not None and name == "4":
            prefixes.drop(found)
            plain._known.pop(found.name)
        else:
            prefixes.add(name, line, start, end, None)
            plain.add(name, line[start:end])


def test_what_only_begins_and_ends_alike_is_another_history() -> None:
    prefixes = Prefixes()
    line = BEFORE + b"a" * OPENINGS[0] + b"x" + b"z" * ENDS + b"more"
    prefixes.add("1", line, len(BEFORE), len(line) - 4, None)
    assert prefixes.find(line, len(BEFORE)) is not None
    assert prefixes.find(line.replace(b"x", b"y"), len(BEFORE)) is None


def test_what_is_short_is_not_known() -> None:
    prefixes = Prefixes()
    prefixes.add("1", BEFORE + b"a" * 30, len(BEFORE), len(BEFORE) + 30, None)
    assert prefixes.find(BEFORE + b"a" * 30, len(BEFORE)) is None
