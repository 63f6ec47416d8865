"""Diagrams and tables of docs/live.md, generated from the state tables. reference.py writes them there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeVar

from wirecheck.talk.sessions.closes import CLOSES
from wirecheck.talk.sessions.state_tables import CALL_MOVES, LEADS, MOVES, CallState, SessionState

S = TypeVar("S", bound=Enum)
LATE = (SessionState.AMID, SessionState.JOINED)  # for logs that begin in the middle; not drawn


def session() -> str:
    rows = {state: row for state, row in MOVES.items() if state not in LATE}
    untimely = [line for state in rows for line in _arrows(state, LEADS.get(state, {}), "untimely ")]
    return _mermaid(rows, SessionState.CONNECTED, SessionState.CLOSED, untimely)


def calls() -> str:
    return _mermaid(CALL_MOVES, CallState.OPEN, None)


def stays() -> str:
    """What may come in a state without changing it."""
    rows = (
        f"| {state.value} | {_listed(what for what, after in row.items() if after is state)} |"
        for state, row in MOVES.items()
        if state is not SessionState.CLOSED
    )
    return _text(["| state | stays for |", "|---|---|", *rows])


def closes() -> str:
    rows = (f"| {row.code} | {row.text} | {row.meaning} | {row.blames or ''} |" for row in CLOSES)
    return _text(["| code | the reason holds | meaning | blames |", "|---|---|---|---|", *rows])


def _mermaid(moves: Mapping[S, Mapping[str, S]], first: S, last: S | None, more: Sequence[str] = ()) -> str:
    names = [f'    state "{state.value}" as {_name(state)}' for state in moves if "-" in state.value]
    arrows = [line for state, row in moves.items() for line in _arrows(state, row)]
    end = [f"    {_name(last)} --> [*]"] if last else []
    return _text(["```mermaid", "stateDiagram-v2", *names, f"    [*] --> {_name(first)}", *arrows, *more, *end, "```"])


def _arrows(state: Enum, row: Mapping[str, Enum], how: str = "") -> Iterator[str]:
    """One arrow for each following state, labelled with all that leads there."""
    leads: dict[Enum, list[str]] = {}
    for what, after in row.items():
        if after is not state:
            leads.setdefault(after, []).append(what)
    yield from (f"    {_name(state)} --> {_name(after)}: {how}{', '.join(whats)}" for after, whats in leads.items())


def _name(state: Enum) -> str:
    return str(state.value).replace("-", "_")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "nothing"


def _text(lines: list[str]) -> str:
    return "\n".join(["", *lines, "", ""])
