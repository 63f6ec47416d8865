"""Logs of every protocol, format and rule, with a value in one place that nobody expects there.

Each is a list of JSON values, a line each: those of the fixtures, and the examples of all rules as our own log has
them.
"""

import copy
import io
import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from wirecheck import sources
from wirecheck.api import repeated
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.rules.pages.examples import records
from wirecheck.sources import read_file
from wirecheck.wire import log
from wirecheck.wire.records import Closed, Frame, Opened, Replied

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
FIRST = 12  # lines of a fixture that are looked at
SOME = int(os.environ.get("WIRECHECK_MUTATIONS", "2"))  # of each log
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
# A line after what nobody expects, and the rule that has something to say about it.
LAST = {
    "request": {
        "method": "POST",
        "url": URL,
        "body": {
            "contents": [
                {"role": "user", "parts": [{"text": "The last one?"}]},
                {"role": "model", "parts": [{"functionCall": {"name": "last_one", "args": {}}}]},
                {"role": "user", "parts": [{"text": "Never mind."}]},
            ]
        },
    },
    "response": {"status": 200, "body": {}},
}
LAST_RULE = "unanswered-function-call"
Place = tuple[str | int, ...]
Log = list[Any]
DEEP = ("@150 lists", "@400 lists", "@300 objects", "@1100 lists")  # stand for values as deep, which json cannot write
BRACKETS = {"lists": ("[", "]"), "objects": ('{"a":', "}")}
SIMPLE: tuple[Any, ...] = (None, {}, [], "", 0, True, "x", 1.5, -1, "\ud800", [None], [{}], [[]], *DEEP)
# Values that are sound elsewhere.
OTHERS: tuple[Any, ...] = (
    {"text": "Hi"},
    {"text": None},
    {"text": {}},
    {"functionCall": {"name": "f", "args": {}}},
    {"functionCall": None},
    {"functionCall": {"name": None, "args": None, "id": None}},
    {"functionResponse": {"name": "f", "response": {"output": 1}}},
    {"functionResponse": None},
    {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
    {"inlineData": None},
    {"fileData": {"fileUri": None}},
    {"thought": True, "text": "Hm.", "thoughtSignature": "c2lnbmF0dXJl"},
    {"executableCode": None},
    {"toolCall": {}},
    {"role": "user", "parts": None},
    {"role": {}, "parts": [None]},
    {"parts": {"text": "Hi"}},
    {"type": "text"},
    {"type": "text", "text": {}},
    {"type": []},
    {"type": "image"},
    {"type": "thought", "summary": None, "signature": {}},
    {"type": "user_input"},
    {"type": "user_input", "content": [{"type": "text"}]},
    {"type": "model_output", "content": {}},
    {"type": "function_call"},
    {"type": "function_call", "id": "1", "name": "f", "arguments": []},
    {"type": "function_result"},
    {"type": "function_result", "call_id": {}, "result": None},
    {"type": "tool_use"},
    {"type": "tool_result", "content": None},
    {"role": "assistant", "tool_calls": [None, {}, {"function": None}, {"id": {}, "function": {"arguments": "{"}}]},
    {"role": "tool", "content": None},
    {"functionDeclarations": [None, {}, {"name": None}, {"name": "f", "parameters": []}]},
    {"functionDeclarations": {}},
    {"type": "OBJECT", "properties": {"x": None}, "required": [None], "enum": {}},
    {"setup": None},
    {"serverContent": {"modelTurn": {"parts": [{"functionCall": {}}]}}},
    {"toolCall": {"functionCalls": [None]}},
    {"toolResponse": {"functionResponses": [None, {}]}},
    {"candidates": [None, {"content": None}]},
    {"error": None},
)


@cache
def rules() -> Ruleset:
    return load()


@cache
def logs() -> dict[str, Log]:
    """The logs by name."""
    found: dict[str, Log] = {}
    for path in sorted(FIXTURES.glob("*/log.json*")):
        try:
            found[path.parent.name] = [json.loads(line) for line in path.read_bytes().splitlines()[:FIRST]]
        except ValueError:
            continue  # it is broken already
    for rule in rules().rules:
        page = rule.page()
        for example in (*page.bad, *page.good):
            read = records(example, sources.read_file)
            kept = [one for one in read if isinstance(one, Opened | Replied | Frame | Closed)]
            found[f"{rule.name}, {example.name}"] = [json.loads(log.encode(one)) for one in kept]
    return found


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """All places in it, but for the lines themselves."""
    if len(at) > 1:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


def put(value: Any, place: Place, other: Any) -> Any:
    """A copy with another value in this place."""
    made = copy.copy(value)
    at = made
    for step in place[:-1]:
        at[step] = copy.copy(at[step])
        at = at[step]
    at[place[-1]] = other
    return made


def mutations(said: Log, dice: Random, some: int = SOME) -> Iterator[Log]:
    """So many of the log with another value in one place."""
    cases = [(place, other) for place in places(said) for other in (*SIMPLE, *OTHERS)]
    for place, other in dice.sample(cases, min(some, len(cases))):
        yield put(said, place, other)


def reordered(said: Log, other: Log, dice: Random) -> Log:
    """Its lines in another order, twice, in part, or among those of another log."""
    return dice.choice(
        (
            lambda: dice.sample(said, len(said)),
            lambda: [line for line in said for _ in range(dice.choice((1, 2)))],
            lambda: [line for line in said if dice.random() < 0.7],
            lambda: said + other,
            lambda: [line for pair in zip(said, other, strict=False) for line in pair],
        )
    )()


def written(said: Iterable[Any]) -> list[bytes]:
    """The lines, and the last."""
    return [*map(_written, said), _written(LAST)]


def _written(line: Any) -> bytes:
    text = json.dumps(line)
    for name in DEEP if "@" in text else ():
        depth, what = name[1:].split()
        begin, end = BRACKETS[what]
        text = text.replace(f'"{name}"', f"{begin * int(depth)}1{end * int(depth)}")
    return text.encode()


def judged(lines: list[bytes], **options: Any) -> list[Finding]:
    inspector = Inspector(rules(), **options)
    read = read_file(io.BytesIO(b"\n".join(lines) + b"\n"), "log.jsonl")
    return repeated(inspector, [finding for record in read for finding in inspector.feed(record)])
