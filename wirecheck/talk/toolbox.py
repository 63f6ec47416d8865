"""What a request offers the model to call: its functions, what is wrong with their schemas, and which calls fit them.

The same tools come with every request of a conversation, so a Toolbox is made once for the bytes they were written in.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct
from xxhash import xxh3_64_intdigest

from wirecheck.dialects.messages import Step
from wirecheck.dialects.names import get, keys_of, written
from wirecheck.talk.arguments import Arguments, Problem
from wirecheck.talk.schemas import Flaw, flaws

_ROOM = 1 << 19  # bytes of tools that are remembered: made into a toolbox they are about ten times as large
# Where a schema of Gemini's is written, and where JSON Schema may be instead.
TWINS = {
    "parameters": "parametersJsonSchema",
    "response": "responseJsonSchema",
    "responseSchema": "responseJsonSchema",
}
# Tools that call no function of the client's under a name that is not declared.
_NAMELESS = frozenset(
    (
        "functionDeclarations",
        "googleSearch",
        "googleSearchRetrieval",
        "googleMaps",
        "codeExecution",
        "urlContext",
        "fileSearch",
    )
)


class Declared(Struct, frozen=True):
    """One declaration, and where it stands in the body."""

    name: str | None
    value: dict[str, Any]
    steps: tuple[Step, ...]


class Flawed(Struct, frozen=True):
    """A flaw in a schema, and whose."""

    flaw: Flaw
    field: str
    name: str | None
    steps: tuple[Step, ...]  # to the schema


class Toolbox:
    """The `tools` of one request or session."""

    def __init__(self, tools: Any, digest: int = 0) -> None:
        self.value = tools
        self.digest = digest  # of the bytes it was read from
        entries = [tool for _, tool in items({"tools": tools}, "tools") if type(tool) is dict]
        self.kinds = tuple(dict.fromkeys(key for tool in entries for key in keys_of(tool)))
        self.declared = tuple(_declared(tools))
        self.names: dict[str, list[Declared]] = {}
        for each in self.declared:
            if each.name:
                self.names.setdefault(each.name, []).append(each)
        # False where a tool may bring functions of its own: an MCP server, computer use, one nobody knows.
        self.closed = _NAMELESS.issuperset(self.kinds)
        self._flawed: tuple[Flawed, ...] | None = None
        self._arguments: dict[str, Arguments] = {}

    @property
    def flawed(self) -> tuple[Flawed, ...]:
        if self._flawed is None:
            self._flawed = tuple(flawed for each in self.declared for flawed in _flawed(each))
        return self._flawed

    def declaration(self, name: str | None) -> Declared | None:
        """The one declaration of a name."""
        alike = self.names.get(name or "", ())
        return alike[0] if len(alike) == 1 else None

    def fits(self, declared: Declared, args: Any) -> bool:
        return self.problem(declared, args) is None

    def problem(self, declared: Declared, args: Any) -> Problem | None:
        """What is wrong with the arguments of a call; none are as good as no member."""
        name = declared.name or ""
        if name not in self._arguments:
            self._arguments[name] = Arguments(_parameters(declared.value))
        return self._arguments[name].problem({} if args is None else args)


class Toolboxes:
    """The toolboxes made lately, by a digest of the bytes they were read from."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[Toolbox, int]] = OrderedDict()
        self._size = 0  # of those bytes

    def of(self, raw: Raw | bytes) -> Toolbox:
        digest = xxh3_64_intdigest(raw)
        if (known := self._known.get(digest)) is not None:
            self._known.move_to_end(digest)
            return known[0]
        made = Toolbox(_read(raw), digest)
        self._known[digest] = made, len(raw)
        self._size += len(raw)
        while self._size > _ROOM:
            self._size -= self._known.popitem(last=False)[1][1]
        return made


def items(holder: Any, key: str) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """The members of a list, or the one thing that stands where a list belongs, and the steps to each."""
    value = get(holder, key) if type(holder) is dict else None
    if value is None:
        return
    name = written(holder, key)
    if type(value) is not list:
        yield (name,), value
    else:
        yield from (((name, n), item) for n, item in enumerate(value))


def flawed_in(holder: dict[str, Any], field: str, name: str | None, steps: tuple[Step, ...]) -> Iterator[Flawed]:
    """What is wrong with the schema under a key; also that there are two."""
    schema = get(holder, field)
    if schema is None:
        return
    where = (*steps, written(holder, field))
    yield from (Flawed(flaw, field, name, where) for flaw in flaws(schema))
    if get(holder, TWINS[field]) is not None:
        yield Flawed(Flaw("written-twice", TWINS[field]), field, name, where)


def _flawed(declared: Declared) -> Iterator[Flawed]:
    for field in ("parameters", "response"):
        yield from flawed_in(declared.value, field, declared.name, declared.steps)


def _declared(tools: Any) -> Iterator[Declared]:
    for steps, tool in items({"tools": tools}, "tools"):
        for further, value in items(tool, "functionDeclarations"):
            if type(value) is dict and "function" not in value:  # that is a tool of another protocol
                name = value.get("name")
                yield Declared(name if isinstance(name, str) else None, value, (*steps, *further))


def _parameters(declaration: dict[str, Any]) -> Any:
    """The schema of the arguments; none where two contradict each other."""
    either = [get(declaration, key) for key in ("parameters", "parametersJsonSchema")]
    found = [schema for schema in either if schema is not None]
    return found[0] if len(found) == 1 else None


def _read(raw: Raw | bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
