"""states: a table of moves. A move that the table lacks is a miss, and does not change the state."""

from collections.abc import Iterator
from typing import Any

from wirecheck.rules.checks.base import Fault, Found, Watch, Watching, options, tie
from wirecheck.rules.language.fields import path, pick, suggest
from wirecheck.talk.facts import Fact

ROW = {"type": "object", "additionalProperties": {"type": "string"}}
WORDS = {None: "null", True: "true", False: "false"}


class States(Watching):
    """A table of moves. A move that the table lacks is a miss."""

    OPTIONS = options(
        ("by", "start", "moves"),
        by={"type": "string", "description": "The field whose value moves the state."},
        each={"type": "string", "description": "A field: one state for each of its values."},
        start={"type": "string", "description": "The first state."},
        moves={"type": "object", "additionalProperties": ROW, "description": "State → value → next state."},
        closed={"type": "boolean", "description": "Whether a value that no state knows is a miss, too."},
    )
    FIELDS = ("by", "each")
    FOUND = ("state", "value", "allowed")

    def __init__(self, given: str, options: Any) -> None:
        super().__init__(given, options)
        self.by = path(given, options["by"])
        self.each = path(given, options["each"]) if "each" in options else None
        self.start: str = options["start"]
        self.moves: dict[str, dict[str, str]] = options["moves"]
        self.known = {value for row in self.moves.values() for value in row}
        self.closed = options.get("closed", False)

    @classmethod
    def faults(cls, given: str, options: Any) -> Iterator[Fault]:
        yield from super().faults(given, options)
        states = options["moves"]
        named: list[tuple[tuple[str, ...], str]] = [(("start",), options["start"])]
        named += [(("moves", state, value), to) for state, row in states.items() for value, to in row.items()]
        for place, state in named:
            if state not in states:
                yield place, f"state '{state}' has no row in 'moves'{suggest(state, states)}"

    def watch(self) -> Watch:
        return StatesWatch(self)


class StatesWatch(Watch):
    """The current states in one conversation."""

    KEPT = ("_states",)

    def __init__(self, check: States) -> None:
        self._check = check
        self._states: dict[Any, str] = {}

    def see(self, tag: str, fact: Fact) -> Iterator[Found]:
        check = self._check
        key = tie(pick(fact, check.each)) if check.each is not None else ""
        state = self._states.get(key, check.start)
        value = _word(pick(fact, check.by))
        if value in check.moves[state]:
            self._states[key] = check.moves[state][value]
        elif value in check.known or check.closed:
            yield Found(fact, {"state": state, "value": value, "allowed": tuple(check.moves[state])})


def _word(value: Any) -> str | None:
    """A value as it is written in the table, whose keys are text."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return WORDS[value]
    return str(value) if isinstance(value, (int, float)) else None
