"""Functions that a client declares, and arguments that fit them. It knows no model and no log."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from bench.words import Json, name, text

TYPES = ("string", "integer", "number", "boolean", "enum", "array", "object")
SHARES = (50, 15, 7, 8, 8, 8, 4)


class Tool(NamedTuple):
    name: str
    about: str
    fields: dict[str, Json]  # their JSON Schema
    required: list[str]


def tools(rng: Random, least: int, most: int) -> list[Tool]:
    made = (tool(rng) for _ in range(rng.randint(least, most)))
    return [*{each.name: each for each in made}.values()]


def tool(rng: Random) -> Tool:
    fields = {
        name(rng, rng.randint(1, 2)): _field(rng) for _ in range(rng.choices((0, 1, 2, 3, 5), (1, 4, 4, 3, 1))[0])
    }
    required = [key for key in fields if rng.random() < 0.6]
    return Tool(name(rng, rng.randint(2, 3)), text(rng, 4, 25), fields, required)


def _field(rng: Random, deep: bool = False) -> Json:
    kind = rng.choices(TYPES, SHARES)[0]
    about = {"description": text(rng, 3, 12)} if rng.random() < 0.6 else {}
    if kind == "enum":
        return {"type": "string", **about, "enum": [name(rng, 1) + str(n) for n in range(rng.randint(2, 5))]}
    if kind == "array":
        return {"type": "array", **about, "items": {"type": rng.choice(("string", "integer"))}}
    if kind == "object" and not deep:
        inner = {name(rng, 1): _field(rng, True) for _ in range(rng.randint(1, 3))}
        return {"type": "object", **about, "properties": inner}
    return {"type": "string" if kind == "object" else kind, **about}


def args(rng: Random, tool: Tool) -> Json:
    given = [key for key in tool.fields if key in tool.required or rng.random() < 0.5]
    return {key: value(rng, tool.fields[key]) for key in given}


VALUES: dict[str, Callable[[Random], object]] = {
    "string": lambda rng: text(rng, 1, 8),
    "integer": lambda rng: rng.randint(0, 10 ** rng.randint(1, 9)),
    "number": lambda rng: round(rng.uniform(-500, 500), rng.randint(0, 12)),
    "boolean": lambda rng: rng.random() < 0.5,
}


def value(rng: Random, schema: Json) -> object:
    """One that meets the schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "array":
        return [value(rng, schema["items"]) for _ in range(rng.randint(0, 4))]
    if schema["type"] == "object":
        return {key: value(rng, inner) for key, inner in schema["properties"].items()}
    return VALUES[schema["type"]](rng)


def answer(rng: Random, deep: int = 2) -> object:
    """What a function gives back: any JSON."""
    kind = rng.random()
    if deep and kind < 0.3:
        return {name(rng, rng.randint(1, 2)): answer(rng, deep - 1) for _ in range(rng.randint(1, 6))}
    if deep and kind < 0.4:
        return [answer(rng, 0) for _ in range(rng.randint(0, 6))]
    if kind < 0.75:
        return text(rng, 1, 60)
    return rng.choice((None, True, rng.randint(0, 99999), round(rng.random() * 1000, rng.randint(1, 14))))


# How clients write the schema of a function: Google's types in capitals, in small letters, or JSON Schema.
def declared(tool: Tool, style: str) -> Json:
    if not tool.fields and style != "json":
        return {"name": tool.name, "description": tool.about}
    key = "parametersJsonSchema" if style == "json" else "parameters"
    return {"name": tool.name, "description": tool.about, key: schema(tool, style)}


def schema(tool: Tool, style: str) -> Json:
    fields = {key: capitals(field) if style == "google" else field for key, field in tool.fields.items()}
    whole: Json = {"type": "OBJECT" if style == "google" else "object", "properties": fields}
    required = {"required": tool.required} if tool.required else {}
    closed = {"additionalProperties": False} if style == "json" else {}
    return {**whole, **required, **closed}


def capitals(schema: Json) -> Json:
    inner = {key: capitals(schema[key]) for key in ("items",) if key in schema}
    if "properties" in schema:
        inner["properties"] = {key: capitals(field) for key, field in schema["properties"].items()}
    return {**schema, "type": schema["type"].upper(), **inner}
