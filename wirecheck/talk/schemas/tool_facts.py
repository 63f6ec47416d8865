"""The facts about the tools of a request or of a session's setup: entries, declarations, and flaws of schemas."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wirecheck.dialects.content import shape_of
from wirecheck.dialects.messages import Spot
from wirecheck.dialects.vocabulary.field_names import get, told_keys, written
from wirecheck.talk.facts import Context, DeclarationFact, Fact, Linked, SchemaFact, ToolFact
from wirecheck.talk.schemas.declared_function import DeclaredFlaw, flawed_in
from wirecheck.talk.schemas.toolbox import Declaration, Toolbox, items

ANSWERS = ("responseSchema", "responseJsonSchema")  # where a configuration says what an answer is like
# Google's own tools, as far as servers are known to take them beside an entry without a function.
BUILTIN = frozenset(
    ("googleSearch", "googleSearchRetrieval", "googleMaps", "codeExecution", "urlContext", "fileSearch")
)
_RELATED, _NAMES = 5, 3  # further places of the same flaw that a fact shows, and functions it names
# Where a declaration does not say whether its calls hold the turn up: they do, but for the newest models.
NON_BLOCKING_BANDS = frozenset(("live-3.8",))


def tools(body: Any, spot: Spot, context: Context, toolbox: Toolbox) -> Iterator[Fact]:
    """What stands under `tools`, and the schemas there and in the configuration."""
    yield from _entries(body, spot, context)
    yield from _declarations(toolbox, spot, context)
    config = get(body, "generationConfig") if type(body) is dict else None
    answers = [each for field in ANSWERS for each in flawed_in(config, field, None)] if type(config) is dict else []
    steps = (written(body, "generationConfig"),) if type(config) is dict else ()
    yield from _schemas([*toolbox.flawed, *(each.at(steps) for each in answers)], spot, context)


def blocks(toolbox: Toolbox, name: str | None, band: str | None) -> bool:
    """Whether a call of a Live session holds the turn up: as its declaration says, else as its model does."""
    declared = toolbox.declaration(name)
    behavior = get(declared.value, "behavior") if declared is not None else None
    return behavior != "NON_BLOCKING" and (behavior == "BLOCKING" or band not in NON_BLOCKING_BANDS)


def strangers(body: Mapping[str, Any], toolbox: Toolbox) -> tuple[str, ...]:
    """Names the model is to choose from that no declaration has."""
    config: Any = body
    for key in ("toolConfig", "functionCallingConfig", "allowedFunctionNames"):
        config = get(config, key) if type(config) is dict else None
    if type(config) is not list or not toolbox.names or not toolbox.closed:
        return ()
    return tuple(name for name in config if isinstance(name, str) and name not in toolbox.names)


def _entries(body: Any, spot: Spot, context: Context) -> Iterator[ToolFact]:
    """Each entry of `tools`, and each declaration in one that is itself a tool of another protocol."""
    seen: set[tuple[str, ...]] = set()
    entries = [(tool, at, told_keys(tool) if type(tool) is dict else ()) for tool, at in _tools(body, spot)]
    own = [n for n, (_, _, keys) in enumerate(entries) if not BUILTIN.isdisjoint(keys)]
    for n, (tool, at, keys) in enumerate(entries):
        yield ToolFact(
            context=context,
            spot=at,
            keys=keys,
            shape=shape_of(tool),
            again=keys in seen,
            builtins=own not in ([], [n]),
            value=tool,
        )
        seen.add(keys)


def _tools(body: Any, spot: Spot) -> Iterator[tuple[Any, Spot]]:
    for steps, tool in items(body, "tools"):
        yield tool, spot.to(*steps)
        for further, declaration in items(tool, "functionDeclarations"):
            if type(declaration) is dict and "function" in declaration:
                yield declaration, spot.to(*steps, *further)


def _declarations(toolbox: Toolbox, spot: Spot, context: Context) -> Iterator[DeclarationFact]:
    first: dict[str, Declaration] = {}
    for each in toolbox.declared:
        before = first.setdefault(each.name, each) if each.name is not None else each
        again, spelled, length = before is not each, each.function.spelled, len(each.name or "")
        yield DeclarationFact(
            context=context,
            spot=spot.to(*each.steps),
            related=(Linked(spot.to(*before.steps), "the first"),) if again else (),
            name=each.name,
            proper=each.name if each.name and spelled and length <= 64 else "",
            long=length if length > 64 else None,
            overlong=spelled and 64 < length <= 128,
            again=again,
            keys=each.function.keys,
            value=each.value,
        )


def _schemas(found: Iterable[DeclaredFlaw], spot: Spot, context: Context) -> Iterator[SchemaFact]:
    """One fact for a flaw, wherever it is made."""
    alike: dict[tuple[str, str, str], list[DeclaredFlaw]] = {}
    for each in found:
        alike.setdefault((each.field, each.flaw.what, each.flaw.word), []).append(each)
    for (field, what, word), places in alike.items():
        first, *others = places
        inside = [str(step) for step in first.flaw.steps]
        yield SchemaFact(
            context=context,
            spot=_at(spot, first),
            related=tuple(Linked(_at(spot, other), "here too") for other in others[:_RELATED]),
            problem=what,
            word=word,
            field=field,
            path=".".join(inside) or "the schema itself",
            name=first.name,
            places=len(places),
            within=_within(field, places),
        )


def _within(field: str, places: list[DeclaredFlaw]) -> str:
    names = list(dict.fromkeys(each.name for each in places if each.name))
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    owner = f" of {', '.join(names[:_NAMES])}{more}" if names else ""
    return f"{field}{owner}{f' ({len(places)} places)' if len(places) > 1 else ''}"


def _at(spot: Spot, flawed: DeclaredFlaw) -> Spot:
    return spot.to(*flawed.steps, *flawed.flaw.steps)
