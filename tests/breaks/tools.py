"""How calls and declarations come apart."""

from collections.abc import Iterator

from tests.breaks.requests import ANSWER, CALL
from tests.breaks.table import Break, Damage, Json, Steps, calling, halves, part_of
from wirecheck.dialects.vocabulary.field_names import get


def with_tools(body: Json) -> Iterator[int]:
    """Requests that declare functions."""
    return iter((0,) if "tools" in body else ())


def called_what_is_gone(body: Json, n: int) -> Steps:
    for half in (*halves(body["contents"][n], CALL), *halves(body["contents"][n + 1], ANSWER)):
        half["name"] = "gone"
    return "contents", n, *part_of(body["contents"][n], CALL)


def not_described(body: Json, n: int) -> Steps:
    declarations = get(body["tools"][0], "functionDeclarations")
    del declarations[0]["description"]
    return ("tools",)


def called(name: str) -> Json:
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}}]}


def calls_nothing_known(chunks: list[Json]) -> Steps:
    chunks[0]["candidates"][0]["content"] = called("unheard_of")
    return 0, "candidates", 0, "content", "parts", 0, "functionCall"


BREAKS = (
    Break("a function that is gone", "undeclared-function-in-history", calling, called_what_is_gone),
    Break("no description", "function-description-missing", with_tools, not_described),
)
DAMAGES = (Damage("a function nobody declared", "undeclared-function-called", calls_nothing_known),)
