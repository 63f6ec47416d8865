"""Conversations at the OpenAI-compatible endpoint, whole or in deltas. It knows no form of log."""

from collections.abc import Iterator
from random import Random

import orjson

from bench.agent import Exchange
from bench.tools import Tool, args, schema, tools
from bench.words import Json, signature, text, token

URL = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
VERTEX = (
    "https://us-central1-aiplatform.googleapis.com/v1beta1/projects/demo-project/locations/us-central1"
    "/endpoints/openapi/chat/completions"
)


def talk(rng: Random, model: str, turns: int) -> Iterator[Exchange]:
    url, owned, streamed = rng.choice((URL, URL, VERTEX)), tools(rng, 1, 4), rng.random() < 0.4
    declared = [{"type": "function", "function": _function(tool)} for tool in owned]
    around: Json = {"model": model if url == URL else f"google/{model}", "tools": declared}
    around |= {"stream": True} if streamed else {}
    around |= {"temperature": round(rng.random(), 2)} if rng.random() < 0.4 else {}
    around |= {"max_tokens": rng.randint(100, 8192)} if rng.random() < 0.4 else {}
    messages: list[Json] = [{"role": "system", "content": text(rng, 5, 60)}] if rng.random() < 0.6 else []
    messages.append(_ask(rng))
    for _ in range(turns):
        body = orjson.dumps({**around, "messages": messages})
        said = _calls(rng, owned) if rng.random() < 0.5 else _says(rng)
        yield _exchange(rng, url, body, model, said, streamed)
        messages.append(said)
        called: list[Json] = said.get("tool_calls", [])
        messages += [_answer(rng, call) for call in called] or [_ask(rng)]


def _ask(rng: Random) -> Json:
    said = text(rng, 5, 60)
    return {"role": "user", "content": said if rng.random() < 0.7 else [{"type": "text", "text": said}]}


def _says(rng: Random) -> Json:
    return {"role": "assistant", "content": text(rng, 5, 120)}


def _function(tool: Tool) -> Json:
    return {"name": tool.name, "description": tool.about, "parameters": schema(tool, "small")}


def _calls(rng: Random, owned: list[Tool]) -> Json:
    calls: list[Json] = []
    for tool in rng.sample(owned, rng.randint(1, min(2, len(owned)))):
        called = {"name": tool.name, "arguments": orjson.dumps(args(rng, tool)).decode()}
        calls.append({"id": f"function-call-{rng.getrandbits(63)}", "type": "function", "function": called})
    calls[0]["extra_content"] = {"google": {"thought_signature": signature(rng)}}
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _answer(rng: Random, call: Json) -> Json:
    said = orjson.dumps({"result": text(rng, 1, 60)}).decode()
    return {"role": "tool", "tool_call_id": call["id"], "name": call["function"]["name"], "content": said}


def _exchange(rng: Random, url: str, body: bytes, model: str, said: Json, streamed: bool) -> Exchange:
    head = {"id": token(rng, 22), "created": 1_763_450_000 + rng.randint(0, 99999), "model": model}
    prompt, spoken = len(body) // 4, rng.randint(3, 400)
    usage = {"prompt_tokens": prompt, "completion_tokens": spoken, "total_tokens": prompt + spoken}
    finish = "tool_calls" if "tool_calls" in said else "stop"
    if not streamed:
        choice = {"index": 0, "message": said, "finish_reason": finish}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        return Exchange(url, body, [orjson.dumps(whole)])
    deltas: list[Json] = [
        {"choices": [{"index": 0, "delta": delta}], **head, "object": "chat.completion.chunk"} for delta in _cut(said)
    ]
    deltas[-1]["choices"][0]["finish_reason"] = finish
    chunks = [orjson.dumps({**delta, "usage": usage} if delta is deltas[-1] else delta) for delta in deltas]
    events = b"".join(b"data: %b\n\n" % chunk for chunk in chunks)
    return Exchange(url, body, chunks, "sse", text=events + b"data: [DONE]\n\n")


def _cut(said: Json) -> list[Json]:
    if "tool_calls" in said:
        calls = [{"index": number, **call} for number, call in enumerate(said["tool_calls"])]
        return [{"role": "assistant", "tool_calls": [call]} for call in calls]
    words: str = said["content"]
    size = max(len(words) // 3, 1)
    return [{"role": "assistant", "content": words[at : at + size]} for at in range(0, len(words), size)]
