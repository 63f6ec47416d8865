"""Conversations with the Interactions API: whole or in events, with its memory or without. It knows no form of log."""

from collections.abc import Iterator
from random import Random

import orjson

from bench.agent import Exchange
from bench.tools import Tool, args, schema, tools
from bench.words import Json, signature, text, token

URL = "https://generativelanguage.googleapis.com/v1beta/interactions"


def talk(rng: Random, model: str, turns: int) -> Iterator[Exchange]:
    """The server remembers, or the client tells all steps again."""
    owned, streamed, remembers = tools(rng, 1, 4), rng.random() < 0.5, rng.random() < 0.7
    declared = [_function(tool) for tool in owned]
    around: Json = {"model": model, "tools": declared}
    around |= {"stream": True} if streamed else {}
    around |= {} if remembers else {"store": False}
    around |= {"generation_config": {"thinking_level": rng.choice(("low", "high"))}} if rng.random() < 0.6 else {}
    around |= {"system_instruction": text(rng, 5, 60)} if rng.random() < 0.4 else {}
    steps, new = list[Json](), [_ask(rng)]
    before = ""
    for _ in range(turns):
        known = {"previous_interaction_id": before} if remembers and before else {}
        body = orjson.dumps({**around, **known, "input": new if remembers else [*steps, *new]})
        made = [{"type": "thought", "signature": signature(rng)}, *_said(rng, owned)]
        number = f"v1_{token(rng, 30)}"
        yield _exchange(rng, body, model, number, made, streamed)
        steps += new + made
        called = [step for step in made if step["type"] == "function_call"]
        new = [_answer(rng, call) for call in called] or [_ask(rng)]
        before = number


def _ask(rng: Random) -> Json:
    return {"type": "user_input", "content": [{"type": "text", "text": text(rng, 5, 60)}]}


def _function(tool: Tool) -> Json:
    return {"type": "function", "name": tool.name, "description": tool.about, "parameters": schema(tool, "small")}


def _said(rng: Random, owned: list[Tool]) -> list[Json]:
    if rng.random() < 0.5:
        return [{"type": "model_output", "content": [{"type": "text", "text": text(rng, 5, 120)}]}]
    called = rng.sample(owned, rng.randint(1, min(2, len(owned))))
    return [
        {"type": "function_call", "id": token(rng, 8), "name": tool.name, "arguments": args(rng, tool)}
        for tool in called
    ]


def _answer(rng: Random, call: Json) -> Json:
    said = text(rng, 1, 60)
    result: object = rng.choice((said, {"result": said}, [{"type": "text", "text": said}]))
    return {"type": "function_result", "call_id": call["id"], "name": call["name"], "result": result}


def _exchange(rng: Random, body: bytes, model: str, number: str, made: list[Json], streamed: bool) -> Exchange:
    status = "requires_action" if made[-1]["type"] == "function_call" else "completed"
    counts = dict(zip(("input", "output", "thought"), rng.choices(range(5, 900), k=3), strict=True))
    usage = {"total_tokens": sum(counts.values()), **{f"total_{key}_tokens": many for key, many in counts.items()}}
    head = {"id": number, "status": status, "object": "interaction", "model": model}
    if not streamed:
        return Exchange(URL, body, [orjson.dumps({**head, "steps": made, "usage": usage})])
    begun = {"interaction": {**head, "status": "in_progress"}, "event_type": "interaction.created"}
    over = {"interaction": {**head, "usage": usage}, "event_type": "interaction.completed"}
    told = [begun, *(event for at, step in enumerate(made) for event in _events(at, step)), over]
    events = [(event["event_type"], orjson.dumps(event)) for event in told]
    all_of_it = b"".join(b"event: %b\ndata: %b\n\n" % (kind.encode(), event) for kind, event in events)
    done = b"event: done\ndata: [DONE]\n\n"
    return Exchange(URL, body, [event for _, event in events], "sse", text=all_of_it + done)


def _events(index: int, step: Json) -> Iterator[Json]:
    """A step begins, comes in pieces and ends."""
    begun: dict[str, Json] = {
        "thought": {"type": "thought"},
        "model_output": {"type": "model_output"},
        "function_call": {**step, "arguments": {}},
    }
    yield {"index": index, "step": begun[step["type"]], "event_type": "step.start"}
    for delta in _deltas(step):
        yield {"index": index, "delta": delta, "event_type": "step.delta"}
    yield {"index": index, "event_type": "step.stop"}


def _deltas(step: Json) -> list[Json]:
    if step["type"] == "thought":
        return [{"type": "thought_signature", "signature": step["signature"]}]
    if step["type"] == "model_output":
        said: str = step["content"][0]["text"]
        half = len(said) // 2
        return [{"type": "text", "text": piece} for piece in (said[:half], said[half:]) if piece]
    written = orjson.dumps(step["arguments"]).decode()
    return [{"type": "arguments_delta", "arguments": piece} for piece in (written[:5], written[5:]) if piece]
