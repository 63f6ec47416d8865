"""What conversations are made of: words, signatures, ids, tools. The same for the same seed; it knows no protocol."""

import base64
from collections.abc import Callable
from random import Random
from typing import Any

Json = dict[str, Any]

# Most are plain; some have to be escaped in JSON, or are no ASCII.
PLAIN = """the a of to and in is for with on at from it that this please find order list next first last open file line
value parcel shelf train ticket station weather city today tomorrow morning price stock answer question report sum"""
ODD = [
    "Zürich",
    "naïve",
    "18 °C",
    "“so”",
    '"yes"',
    "C:\\temp",
    "tab\there",
    "line\nbreak",
    "東京",
    "🚆",
    "ok.",
    "42",
    "3.5",
]
WORDS = [*PLAIN.split(), *ODD]
TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "get_weather": ("The weather in a city, now.", {"city": "string"}),
    "search_code": ("Search the repository for a pattern.", {"pattern": "string", "limit": "integer"}),
    "read_file": ("Read a file, or some lines of it.", {"path": "string", "from_line": "integer", "lines": "integer"}),
    "run_tests": ("Run the tests whose names match.", {"match": "string"}),
    "book_seat": ("Book a seat on a train.", {"train": "string", "seat": "integer"}),
    "track_parcel": ("Where a parcel is.", {"number": "string"}),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def text(rng: Random, least: int, most: int) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(least, most)))


def signature(rng: Random) -> str:
    return base64.b64encode(rng.randbytes(rng.randint(90, 450))).decode()


def data(rng: Random, size: int) -> str:
    """So many bytes of sound or picture, as they stand in JSON."""
    return base64.b64encode(rng.randbytes(size)).decode()


def token(rng: Random, length: int) -> str:
    return "".join(rng.choices(LETTERS, k=length))


def args(rng: Random, tool: str) -> Json:
    made: dict[str, Callable[[], str | int]] = {
        "string": lambda: text(rng, 1, 6),
        "integer": lambda: rng.randint(1, 400),
    }
    return {name: made[kind]() for name, kind in TOOLS[tool][1].items()}


def declared(tool: str, key: str) -> Json:
    """A tool as clients declare it: with Google's schema under `parameters`, or JSON Schema under the longer key."""
    about, fields = TOOLS[tool]
    types = {kind: kind.upper() if key == "parameters" else kind for kind in ("object", "string", "integer")}
    properties = {name: {"type": types[kind]} for name, kind in fields.items()}
    schema = {"type": types["object"], "properties": properties, "required": [*fields][:1]}
    return {"name": tool, "description": about, key: schema}
