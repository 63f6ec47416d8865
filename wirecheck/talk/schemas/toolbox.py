"""What a request offers the model to call: its functions, what is wrong with their schemas, and which calls fit them.

The same tools come with every request of a conversation, so a Toolbox is made once for the bytes they were written in.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Raw, Struct

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Call, Step
from wirecheck.dialects.raw_json import Undecodable, decode
from wirecheck.dialects.vocabulary.field_names import get, told_keys, written
from wirecheck.hashing import digest
from wirecheck.talk.schemas.arguments import ArgumentProblem
from wirecheck.talk.schemas.declared_function import DeclaredFlaw, DeclaredFunction

_CAPACITY, _EACH = 1 << 19, 1 << 9  # bytes of tools and functions that are remembered; so many more is each of them
# Tools that call no function of the client's under a name that is not declared.
_NAMELESS = frozenset(
    (
        *("functionDeclarations", "googleSearch", "googleSearchRetrieval"),
        *("googleMaps", "codeExecution", "urlContext", "fileSearch"),
    )
)


class Declaration(Struct, frozen=True):
    """One declaration, and where it stands in the body."""

    name: str | None
    value: dict[str, Any]
    steps: tuple[Step, ...]
    function: DeclaredFunction


class Toolbox:
    """The `tools` of one request or session."""

    def __init__(
        self, tools: Any, function: Callable[[dict[str, Any]], DeclaredFunction] = DeclaredFunction, digest: int = 0
    ) -> None:
        self.value = tools
        self.digest = digest  # of the bytes it was read from
        entries = [tool for _, tool in items({"tools": tools}, "tools") if type(tool) is dict]
        self.kinds = tuple(dict.fromkeys(key for tool in entries for key in told_keys(tool)))
        self.declared = tuple(_declared(tools, function))
        self.names: dict[str, list[Declaration]] = {}
        for each in self.declared:
            if each.name:
                self.names.setdefault(each.name, []).append(each)
        self._alone = {name: alike[0] for name, alike in self.names.items() if len(alike) == 1}
        # False where a tool may bring functions of its own: an MCP server, computer use, one nobody knows.
        self.closed = _NAMELESS.issuperset(self.kinds)

    @cached_property
    def sorted_names(self) -> tuple[str, ...]:
        return tuple(sorted(self.names))

    @cached_property
    def undescribed(self) -> tuple[str, ...]:
        """The functions that say nothing of what they do."""
        return tuple([each.name or "no name" for each in self.declared if not get(each.value, "description")])

    @cached_property
    def sight(self) -> tuple[object, ...]:
        """What of them a request shows: SHAPED (talk/lazy_facts.py) says what it holds."""
        first = self.value[0] if type(self.value) is list and self.value else None
        return _presence(self.value), _presence(first), self.kinds, len(self.declared), self.undescribed

    @cached_property
    def flawed(self) -> tuple[DeclaredFlaw, ...]:
        return tuple([flawed.at(each.steps) for each in self.declared for flawed in each.function.flawed])

    def declaration(self, name: str | None) -> Declaration | None:
        """The one declaration of a name."""
        return self._alone.get(name or "")

    def takes(self, calls: Iterable[Call]) -> bool:
        """Whether each call is sure to be of the one function of its name, with arguments that it takes; or nothing is
        declared."""
        for call in calls if self.names else ():
            declared = self._alone.get(call.name or "")
            if declared is None or not declared.function.arguments.fits({} if call.args is None else call.args):
                return False
        return True

    def problem(self, declared: Declaration, args: Any) -> ArgumentProblem | None:
        """What is wrong with the arguments of a call; none are as good as no member."""
        return declared.function.arguments.problem({} if args is None else args)


class Toolboxes:
    """The toolboxes made lately, by a digest of the bytes they were read from. Many have functions in common."""

    def __init__(self) -> None:
        self._made: Cache[Hashable, Toolbox] = Cache(_CAPACITY)
        self._functions: Cache[Hashable, DeclaredFunction] = Cache(_CAPACITY)

    def of(self, raw: Raw | bytes) -> Toolbox:
        known = digest(raw)
        return self._made.get_or_make(known, lambda: Toolbox(_read(raw), self._function, known), _EACH + len(raw))

    def _function(self, value: dict[str, Any]) -> DeclaredFunction:
        try:
            written = msgspec.json.encode(value)
        except RecursionError:  # read where there was a little more room
            return DeclaredFunction(value)
        return self._functions.get_or_make(written, lambda: DeclaredFunction(value), _EACH + len(written))


def _presence(value: Any) -> bool | None:
    """Whether there is something, and whether it is empty."""
    return None if value is None else bool(value)


def items(holder: Any, key: str) -> list[tuple[tuple[Step, ...], Any]]:
    """The members of a list, or the one thing that stands where a list belongs, and the steps to each."""
    value = get(holder, key) if type(holder) is dict else None
    if value is None:
        return []
    name = written(holder, key)
    return [((name, n), item) for n, item in enumerate(value)] if type(value) is list else [((name,), value)]


def _declared(tools: Any, function: Callable[[dict[str, Any]], DeclaredFunction]) -> Iterator[Declaration]:
    for steps, tool in items({"tools": tools}, "tools"):
        for further, value in items(tool, "functionDeclarations"):
            if type(value) is dict and "function" not in value:  # that is a tool of another protocol
                made = function(value)
                yield Declaration(made.name, value, (*steps, *further), made)


def _read(raw: Raw | bytes) -> Any:
    try:
        return decode(raw)
    except Undecodable:
        return None
