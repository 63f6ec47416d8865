"""A sound file of each format, small, with two calls at a time: to be read as it is, and to be broken."""

import json
from typing import Any, NamedTuple

Json = dict[str, Any]
ASKED: Json = {"role": "user", "parts": [{"text": "What do we need, and what is in stock?"}]}
CALLED: Json = {
    "role": "model",
    "parts": [
        {"functionCall": {"id": "n1", "name": "needed", "args": {"dish": "soup"}}, "thoughtSignature": "c2lnbmVk"},
        {"functionCall": {"id": "n2", "name": "in_stock", "args": {}}},
    ],
}
RETURNED: Json = {
    "role": "user",
    "parts": [
        {"functionResponse": {"id": "n1", "name": "needed", "response": {"output": "leeks"}}},
        {"functionResponse": {"id": "n2", "name": "in_stock", "response": {"output": "no leeks"}}},
    ],
}
SPOKEN: Json = {"role": "model", "parts": [{"text": "Leeks, and there are none."}]}
CONTENTS = (ASKED, CALLED, RETURNED, SPOKEN)


def lines(*values: Any) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def event(content: Json | None, n: int = 1, **more: Any) -> Json:
    author = "user" if content is ASKED else "cook"
    return {"content": content, "invocationId": f"i{n}", "author": author, "actions": {}, "id": f"e{n}", **more}


def adk_session(*events: Json) -> Json:
    return {"id": "s1", "appName": "kitchen", "userId": "u1", "state": {}, "events": [*events], "lastUpdateTime": 1.5}


def snake(content: Json) -> Json:
    """A content as Python's SDK dumps it, with all that is not there as null."""
    empty: Json = {"text": None, "function_call": None, "function_response": None}
    names = {"functionCall": "function_call", "functionResponse": "function_response"}
    return {
        "parts": [{**empty, **{names.get(key, key): part[key] for key in part}} for part in content["parts"]],
        "role": content["role"],
    }


def eval_set(*invocations: Json) -> Json:
    return {"eval_set_id": "set", "eval_cases": [{"eval_id": "case", "conversation": [*invocations]}]}


def invocation(steps: Json, final: Json | None = SPOKEN) -> Json:
    ended = None if final is None else snake(final)
    return {"user_content": snake(ASKED), "final_response": ended, "intermediate_data": steps}


OLD_STEPS: Json = {
    "tool_uses": [part["functionCall"] for part in CALLED["parts"]],
    "tool_responses": [part["functionResponse"] for part in RETURNED["parts"]],
    "intermediate_responses": [],
}
NEW_STEPS: Json = {
    "invocation_events": [
        {"author": "cook", "content": snake(CALLED)},
        {"author": "cook", "content": snake(RETURNED)},
    ]
}
CHAT_HEAD: Json = {"sessionId": "s1", "projectHash": "0a1b", "startTime": "2026-01-02T03:04:05Z", "kind": "main"}


def tool_call(n: int, **more: Any) -> Json:
    call, result = CALLED["parts"][n]["functionCall"], RETURNED["parts"][n]
    return {**call, "result": [result], "status": "success", "timestamp": "2026-01-02T03:04:06Z", **more}


CHAT: tuple[Json, ...] = (
    CHAT_HEAD,
    {"$set": {"messages": [{"id": "m0", "type": "user", "content": [{"text": "<session_context>\nHere."}]}]}},
    {"id": "m1", "type": "user", "content": ASKED["parts"]},
    {"$set": {"lastUpdated": "2026-01-02T03:04:06Z"}},
    {"id": "m2", "type": "gemini", "content": "", "thoughts": [], "model": "gemini-2.5-flash"},
    {
        "id": "m2",
        "type": "gemini",
        "content": "",
        "model": "gemini-2.5-flash",
        "toolCalls": [tool_call(0), tool_call(1)],
    },
    {"id": "m3", "type": "user", "content": RETURNED["parts"]},
    {"id": "m4", "type": "gemini", "content": "Leeks, and there are none.", "model": "gemini-2.5-flash"},
)
PRINTED: tuple[Json, ...] = (
    {"type": "init", "timestamp": "2026-01-02T03:04:05Z", "session_id": "s1", "model": "gemini-2.5-flash"},
    {"type": "message", "role": "user", "content": "What do we need?"},
    {"type": "tool_use", "tool_name": "needed", "tool_id": "n1", "parameters": {"dish": "soup"}},
    {"type": "tool_use", "tool_name": "in_stock", "tool_id": "n2", "parameters": {}},
    {"type": "message", "role": "assistant", "content": "I look.", "delta": True},
    {"type": "tool_result", "tool_id": "n1", "status": "success", "output": "leeks"},
    {"type": "tool_result", "tool_id": "n2", "status": "success"},
    {"type": "message", "role": "assistant", "content": "Leeks.", "delta": True},
    {"type": "result", "status": "success", "stats": {"total_tokens": 30}},
)
REPLY: Json = {"candidates": [{"content": CALLED, "finishReason": "STOP", "index": 0}], "usageMetadata": {}}
LAST_REPLY: Json = {"candidates": [{"content": SPOKEN, "finishReason": "STOP", "index": 0}], "usageMetadata": {}}
RECORDED: tuple[Json, ...] = (
    {"method": "generateContentStream", "response": [REPLY]},
    {"method": "generateContent", "response": LAST_REPLY},
)


def told(event: str, **attributes: Any) -> Json:
    """A log record of telemetry."""
    return {
        "hrTime": [1, 2],
        "resource": {"_rawAttributes": [["service.name", "gemini-cli"]]},
        "attributes": {
            "session.id": "s1",
            "auth_type": "gemini-api-key",
            "event.name": f"gemini_cli.{event}",
            "model": "gemini-2.5-flash",
            "prompt_id": "s1########0",
            **attributes,
        },
        "_body": "…",
    }


def asked(*contents: Json, **more: Any) -> Json:
    return told("api_request", request_text=json.dumps(contents), **more)


def answered(*replies: Json, **more: Any) -> Json:
    return told("api_response", response_text=json.dumps(replies), status_code=200, **more)


def telemetry(*values: Json) -> str:
    return "".join(f"{json.dumps(value, indent=2)}\n" for value in values)


def prefixed(reply: Json) -> Json:
    """A reply as the program keeps it: the name of a function stands before the id of its call."""
    changed: Json = json.loads(json.dumps(reply))
    for part in changed["candidates"][0]["content"]["parts"]:
        part["functionCall"]["id"] = f"{part['functionCall']['name']}__{part['functionCall']['id']}"
    return changed


TELEMETRY: tuple[Json, ...] = (
    told("config", telemetry=True),
    asked(ASKED),
    told(
        "gen_ai.client.inference.operation.details",
        **{"gen_ai.input.messages": '[{"role":"system","parts":[{"x":1}]}]'},
    ),
    answered(prefixed(REPLY)),
    asked(ASKED, CALLED, RETURNED),
    answered(LAST_REPLY),
    {"resource": {}, "scopeMetrics": [{"metrics": []}]},
)


def item(kind: str, **more: Any) -> Json:
    return {"id": "item_1", "type": kind, "extra": {}, **more}


LIVEKIT: Json = {
    "items": [
        item("message", role="system", content=["Be brief."], interrupted=False),
        item("message", role="user", content=["What do we need?"], interrupted=False),
        item("function_call", call_id="n1", name="needed", arguments='{"dish": "soup"}'),
        item("function_call", call_id="n2", name="in_stock", arguments=""),
        item("message", role="assistant", content=["I look."], interrupted=True),
        item("function_call_output", call_id="n1", name="needed", output="leeks", is_error=False),
        item("agent_handoff", new_agent_id="cook"),
        item("function_call_output", call_id="n2", name="in_stock", output="", is_error=True),
        item("message", role="assistant", content=["Leeks."], interrupted=False),
    ]
}


def ai_call(n: int, **more: Any) -> Json:
    call = CALLED["parts"][n]["functionCall"]
    return {"type": "tool-call", "toolCallId": call["id"], "toolName": call["name"], "input": call["args"], **more}


def ai_result(n: int, **more: Any) -> Json:
    call = CALLED["parts"][n]["functionCall"]
    output = {"type": "text", "value": "leeks"}
    return {"type": "tool-result", "toolCallId": call["id"], "toolName": call["name"], "output": output, **more}


AI_MESSAGES: tuple[Json, ...] = (
    {"role": "user", "content": "What do we need?"},
    {"role": "assistant", "content": [{"type": "text", "text": "I look."}, ai_call(0), ai_call(1)]},
    {"role": "tool", "content": [ai_result(0), ai_result(1)]},
    {"role": "assistant", "content": [{"type": "text", "text": "Leeks."}]},
)


def shown(n: int, **more: Any) -> Json:
    call = CALLED["parts"][n]["functionCall"]
    held = {"toolCallId": call["id"], "state": "output-available", "input": call["args"], "output": "leeks"}
    return {"type": f"tool-{call['name']}", **held, **more}


UI_MESSAGES: tuple[Json, ...] = (
    {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "What do we need?"}]},
    {
        "id": "m2",
        "role": "assistant",
        "parts": [
            {"type": "step-start"},
            {"type": "text", "text": "I look."},
            shown(0),
            shown(1),
            {"type": "step-start"},
            {"type": "text", "text": "Leeks."},
        ],
    },
)
GENERATION = {"contents": [ASKED], "generationConfig": {}}
NEXT_GENERATION = {"contents": [ASKED, CALLED, RETURNED], "generationConfig": {}}


def ai_step(n: int, body: Json, reply: Json, *content: Json) -> Json:
    return {
        "stepNumber": n,
        "model": {"provider": "google.generative-ai", "modelId": "gemini-2.5-flash"},
        "content": [*content],
        "finishReason": "stop",
        "usage": {},
        "request": {"body": body},
        "response": {"modelId": "gemini-2.5-flash", "body": reply},
    }


AI_STEPS: tuple[Json, ...] = (
    ai_step(0, GENERATION, REPLY, ai_call(0), ai_call(1), ai_result(0), ai_result(1)),
    ai_step(1, NEXT_GENERATION, LAST_REPLY, {"type": "text", "text": "Leeks."}),
)


def generation(n: int, body: Json | None, reply: Json | None, **more: Any) -> Json:
    return {
        "id": f"g{n}",
        "run_id": "r1",
        "step_number": n,
        "type": "generate",
        "model_id": "gemini-2.5-flash",
        "provider": "google.generative-ai",
        "error": None,
        "raw_request": None if body is None else json.dumps(body),
        "raw_response": None if reply is None else json.dumps(reply),
        "raw_chunks": None,
        **more,
    }


def generations(*steps: Json) -> Json:
    return {"runs": [{"id": "r1"}], "steps": [*steps]}


URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"


def ai_error(body: Json, status: int, message: str) -> Json:
    answer = json.dumps({"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}})
    called = {
        "url": URL,
        "requestBodyValues": body,
        "statusCode": status,
        "responseHeaders": {},
        "responseBody": answer,
    }
    return {"name": "AI_APICallError", **called, "isRetryable": False}


class Sample(NamedTuple):
    """A sound file: how it is called, its values, and how they are written."""

    name: str
    values: tuple[Any, ...]
    pretty: bool = False

    @property
    def text(self) -> str:
        return telemetry(*self.values) if self.pretty else lines(*self.values)


SOUND = {
    "adk-session": Sample("s.json", (adk_session(*map(event, CONTENTS)),)),
    "adk-events": Sample("e.jsonl", tuple(map(event, CONTENTS))),
    "adk-eval-set": Sample("k.evalset.json", (eval_set(invocation(OLD_STEPS), invocation(NEW_STEPS)),), pretty=True),
    "gemini-cli-chat": Sample("session-1.jsonl", CHAT),
    "gemini-cli-stream": Sample("run.jsonl", PRINTED),
    "gemini-cli-responses": Sample("rec.responses", RECORDED),
    "gemini-cli-telemetry": Sample("telemetry.log", TELEMETRY, pretty=True),
    "livekit-chat": Sample("chat.json", (LIVEKIT,), pretty=True),
    "ai-sdk-messages": Sample("messages.json", (list(AI_MESSAGES),)),
    "ai-sdk-messages of a user interface": Sample("ui.json", ({"id": "c1", "messages": list(UI_MESSAGES)},)),
    "ai-sdk-steps": Sample("steps.json", (list(AI_STEPS),), pretty=True),
    "ai-sdk-errors": Sample("errors.jsonl", (ai_error(NEXT_GENERATION, 429, "Quota exceeded."),)),
    "ai-sdk-generations": Sample(
        "generations.json",
        (generations(generation(1, GENERATION, REPLY), generation(2, NEXT_GENERATION, LAST_REPLY)),),
        pretty=True,
    ),
}
