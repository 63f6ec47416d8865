"""What a break is, and where in a request something can be broken."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from wirecheck.dialects.vocabulary.field_names import get, written

Json = dict[str, Any]
Steps = tuple[str | int, ...]


class Break(NamedTuple):
    """One way to break a request."""

    name: str
    rule: str
    where: Callable[[Json], Iterator[int]]
    do: Callable[[Json, int], Steps]
    beside: tuple[str, ...] = ()  # rules that the same mistake breaks as well


class Damage(NamedTuple):
    """One way to break a reply, given as the list of its chunks: the steps begin with the number of the chunk.

    None: this reply cannot be broken so.
    """

    name: str
    rule: str
    do: Callable[[list[Json]], Steps | None]
    beside: tuple[str, ...] = ()


def parts(content: Json) -> list[Json]:
    return content["parts"]  # type: ignore[no-any-return]


def halves(content: Json, kind: str) -> list[Json]:
    """The calls (`functionCall`) or responses (`functionResponse`) of a content, as written."""
    return [half for part in parts(content) if (half := get(part, kind)) is not None]


def part_of(content: Json, kind: str, n: int = 0) -> Steps:
    """The steps from a content to the part that holds its nth call or response."""
    return "parts", [m for m, part in enumerate(parts(content)) if get(part, kind) is not None][n]


def at(content: Json, kind: str) -> Steps:
    """The steps from a content to its first call or response itself."""
    steps = part_of(content, kind)
    return *steps, written(parts(content)[int(steps[1])], kind)


def anywhere(body: Json) -> Iterator[int]:
    yield from range(len(body["contents"]))


def whole(body: Json) -> Iterator[int]:
    """Breaks of the request as a whole."""
    yield 0


def calling(body: Json) -> Iterator[int]:
    """Contents with calls."""
    return (n for n, content in enumerate(body["contents"]) if halves(content, "functionCall"))


def answering(body: Json) -> Iterator[int]:
    """Contents with responses."""
    return (n for n, content in enumerate(body["contents"]) if halves(content, "functionResponse"))


def texts(body: Json) -> Iterator[int]:
    """Contents that only say something."""
    calls, answers = set(calling(body)), set(answering(body))
    return (n for n in anywhere(body) if n not in calls | answers)


def answering_first(body: Json) -> Iterator[int]:
    """The first content with responses: before its call stand no others."""
    yield from list(answering(body))[:1]


def answering_alone(body: Json) -> Iterator[int]:
    """Contents with nothing but one response."""
    return (n for n in answering(body) if len(parts(body["contents"][n])) == 1)


def several(kind: str) -> Callable[[Json], Iterator[int]]:
    """Contents with more than one call or response."""

    def where(body: Json) -> Iterator[int]:
        return (n for n, content in enumerate(body["contents"]) if len(halves(content, kind)) > 1)

    return where


def with_ids(where: Callable[[Json], Iterator[int]], kind: str) -> Callable[[Json], Iterator[int]]:
    """Of these contents, those whose calls or responses have ids."""

    def narrowed(body: Json) -> Iterator[int]:
        return (n for n in where(body) if all(half.get("id") for half in halves(body["contents"][n], kind)))

    return narrowed
