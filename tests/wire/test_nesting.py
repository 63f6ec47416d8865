"""A value nested too deep is said to be: at each depth the same, whoever reads it and however it was met before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.memo.agree import agree
from tests.test_faults import LIVE, URL, content, exchange, frame, unanswered
from wirecheck.cli.app import program
from wirecheck.report import FORMATS
from wirecheck.rules import Ruleset, load
from wirecheck.wire.nesting import DEEPEST, may_be_deep, too_deep

DEPTHS = (100, DEEPEST, DEEPEST + 2, 200, 255, 330, 700, *range(940, 1000, 5), 1100, 10_000, 1_000_000)
LISTS, OBJECTS = ("[", "]"), ('{"a":', "}")
CHAT = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
INTERACTIONS = "https://generativelanguage.googleapis.com/v1beta/interactions"
DEEP, SCHEMA = "@deep", "@schema"  # stand for a deep value, and for a schema as deep
LAST = json.dumps(exchange(unanswered("last_one"))).encode()


def nested(depth: int, brackets: tuple[str, str] = LISTS, inner: str = "1") -> str:
    return f"{brackets[0] * depth}{inner}{brackets[1] * depth}"


def asked(body: Any, said: Any = None, url: str = URL) -> dict[str, Any]:
    request = {"method": "POST", "url": url, "body": body}
    return {"request": request, "response": {"status": 200, "body": said or {}}}


def said(**part: Any) -> dict[str, Any]:
    return {"candidates": [{"content": content("model", **part), "finishReason": "STOP"}]}


def called(**args: Any) -> dict[str, Any]:
    return content("model", functionCall={"name": "f", "args": args})


def declared(key: str, schema: Any) -> list[Any]:
    return [{"functionDeclarations": [{"name": "f", "description": "d", key: schema}]}]


HI, SETUP = content("user", text="Hi"), {"model": "models/gemini-live-2.5-flash-preview"}
ANSWER = content("user", functionResponse={"name": "f", "response": {"x": DEEP}})
HISTORY = [HI, called(x=DEEP), ANSWER]
STEPS = [
    {"type": "user_input", "content": [{"type": "text", "text": "Hi"}]},
    {"type": "function_call", "id": "1", "name": "f", "arguments": {"x": DEEP}},
    {"type": "function_result", "call_id": "1", "name": "f", "result": DEEP},
]
BEGUN = [frame("1", "client", setup=SETUP), frame("1", "server", setupComplete={})]
PLACES: dict[str, list[Any]] = {
    "arguments and response": [asked({"contents": HISTORY})],
    "recited": [asked({"contents": [HI]}, said(**called(x=DEEP)["parts"][0])), asked({"contents": HISTORY})],
    "recited otherwise": [
        asked({"contents": [HI]}, said(**called(x=DEEP)["parts"][0])),
        asked({"contents": [HI, called(y=DEEP), ANSWER]}),
    ],
    "a history written anew": [
        asked({"contents": [*HISTORY, content("model", text="k"), content("user", text="b")]}),
        asked(
            {
                "contents": [
                    content("user", text="z"),
                    *HISTORY[1:],
                    content("model", text="k"),
                    content("user", text="b"),
                ]
            }
        ),
    ],
    "a schema": [
        asked(
            {"contents": [HI], "tools": declared("parameters", SCHEMA)},
            said(functionCall={"name": "f", "args": {"a": 5}}),
        )
    ],
    "a JSON schema": [
        asked(
            {"contents": [HI], "tools": declared("parametersJsonSchema", SCHEMA)},
            said(functionCall={"name": "f", "args": {"a": DEEP}}),
        )
    ],
    "settings": [
        asked(
            {
                "contents": [HI],
                "generationConfig": {"responseSchema": SCHEMA},
                "systemInstruction": DEEP,
                "labels": DEEP,
            }
        )
    ],
    "metadata of a reply": [
        asked(
            {"contents": [HI]},
            {
                "candidates": [{"content": content("model", text="k"), "groundingMetadata": {"x": DEEP}}],
                "usageMetadata": {"x": DEEP},
            },
        )
    ],
    "an error": [asked({"contents": [HI]}, {"error": {"message": DEEP}})],
    "contents": [asked({"contents": DEEP})],
    "a bare body": [{"contents": HISTORY}],
    "bare contents": [HISTORY],
    "messages": [
        {
            "messages": [
                {"role": "user", "content": DEEP},
                {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": DEEP}}]},
            ]
        }
    ],
    "messages of a request": [
        asked(
            {"model": "gemini-2.5-flash", "messages": [{"role": "user", "content": [{"type": "text", "text": DEEP}]}]},
            None,
            CHAT,
        )
    ],
    "a message a line": [{"role": "user", "content": "a"}, {"role": "assistant", "content": DEEP}],
    "steps": [
        asked(
            {"model": "gemini-2.5-flash", "input": STEPS},
            {"id": "v1", "status": "completed", "steps": STEPS[1:2]},
            INTERACTIONS,
        )
    ],
    "Live calls": [
        *BEGUN,
        frame("1", "server", toolCall={"functionCalls": [{"id": "1", "name": "f", "args": {"x": DEEP}}]}),
        frame("1", "client", toolResponse={"functionResponses": [{"id": "1", "name": "f", "response": {"x": DEEP}}]}),
    ],
    "Live tools": [frame("1", "client", setup={**SETUP, "tools": declared("parameters", SCHEMA)}), BEGUN[1]],
    "Live frames": [
        *BEGUN,
        frame("1", "server", serverContent=DEEP),
        *2 * [frame("1", "server", serverContent={"turnComplete": True, "groundingMetadata": {"x": DEEP}})],
        frame("1", "client", realtimeInput={"activityStart": {"x": DEEP}}),
        frame("1", "client", clientContent={"turns": [HI, DEEP], "turnComplete": True}),
        frame("1", "server", usageMetadata={"x": DEEP}),
    ],
    "one session a line": [
        {
            "frames": [
                *BEGUN,
                frame("1", "server", toolCall={"functionCalls": [{"id": "1", "name": "f", "args": {"x": DEEP}}]}),
            ],
            "url": LIVE,
        }
    ],
    "our own log": [
        {"v": 1, "kind": "opened", "channel": "1", "method": "POST", "url": URL, "body": {"contents": HISTORY}},
        {"v": 1, "kind": "frame", "channel": "1", "from": "server", "data": said(**called(x=DEEP)["parts"][0])},
    ],
}
BESIDE = {"metadata": [{**asked({"contents": [HI]}), "metadata": {"x": DEEP}}], "no traffic": [{"x": DEEP}]}


def lines(place: list[Any], depth: int, brackets: tuple[str, str]) -> list[bytes]:
    schema = nested(depth // 2, ('{"type": "OBJECT", "properties": {"a": ', "}}"), '{"type": "STRING"}')
    with_deep = [json.dumps(line).replace(f'"{DEEP}"', nested(depth, brackets)) for line in place]
    return [*[line.replace(f'"{SCHEMA}"', schema).encode() for line in with_deep], LAST]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def found(rules: Ruleset, path: Path, log: list[bytes]) -> Iterator[tuple[int, str, str]]:
    path.write_bytes(b"\n".join(log) + b"\n")
    for finding in agree(rules, path, counted=(), pictures=True):
        yield finding.place.line, finding.rule, finding.message


@pytest.mark.parametrize("brackets", [LISTS, OBJECTS], ids=["lists", "objects"])
@pytest.mark.parametrize("place", PLACES)
def test_what_is_too_deep_is_told_and_the_next_line_is_judged(
    rules: Ruleset, tmp_path: Path, place: str, brackets: tuple[str, str]
) -> None:
    for depth in DEPTHS:
        log = lines(PLACES[place], depth, brackets)
        told = list(found(rules, tmp_path / "log.jsonl", log))
        assert (len(log), "unanswered-function-call") in [each[:2] for each in told], depth
        deep = [message for _, rule, message in told if rule == "unreadable-line"]
        assert [each for each in deep if f"nested too deep (over {DEEPEST} levels)" not in each] == [], depth
        assert bool(deep) == (depth > DEEPEST) or 0 <= DEEPEST + 1 - depth <= 8, depth  # what is around it counts


@pytest.mark.parametrize("place", BESIDE)
def test_nothing_is_said_of_what_nobody_reads(rules: Ruleset, tmp_path: Path, place: str) -> None:
    """A line is told as a whole where not even its keys can be read."""
    for depth in DEPTHS:
        log = lines(BESIDE[place], depth, LISTS)
        told = list(found(rules, tmp_path / "log.jsonl", log))
        assert (len(log), "unanswered-function-call") in [each[:2] for each in told], depth


@pytest.mark.parametrize("words", [["show"], *(["lint", "--output-format", name] for name in FORMATS)], ids=" ".join)
def test_every_command_and_format_tells_it(tmp_path: Path, words: list[str]) -> None:
    log = [
        line
        for depth in (100, 130, 300, 950, 975, 985, 1100, 100_000)
        for place in PLACES.values()
        for line in lines(place, depth, OBJECTS)
    ]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log) + b"\n")
    done = CliRunner().invoke(program, [*words, "--isolated", str(path)])
    assert done.exit_code == (0 if words == ["show"] else 1), done.stderr
    assert "fault" not in done.stderr
    assert "last_one" in done.stdout or "html" in words


@pytest.mark.parametrize("depth", [1, DEEPEST - 1, DEEPEST, DEEPEST + 1, 5 * DEEPEST])
@pytest.mark.parametrize("brackets", [LISTS, OBJECTS, ("[1,", "]")])
def test_depth_is_counted_in_lists_and_objects(depth: int, brackets: tuple[str, str]) -> None:
    value = json.loads(nested(depth, brackets))
    assert too_deep(value) == (depth > DEEPEST)
    assert may_be_deep(nested(depth, brackets).encode()) or not too_deep(value)


def test_what_is_long_is_not_deep() -> None:
    wide = [[{"a": [n]}] for n in range(1000)]
    assert may_be_deep(json.dumps(wide).encode())
    assert not too_deep(wide)
    assert not may_be_deep(json.dumps("[" * 100).encode())
