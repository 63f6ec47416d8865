"""A sound file of each format, small, with two calls at a time: to be read as it is, and to be broken."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.sources.agents.samples import (
    ASKED,
    CALLED,
    GENERATION,
    LAST_REPLY,
    NEXT_GENERATION,
    REPLY,
    RETURNED,
    SPOKEN,
    Json,
    Sample,
    snake,
)

MODEL = "gemini-2.5-flash"
COUNTS = "Please ensure that the number of function response parts is equal to the number of function call parts"
REFUSED: Json = {"error": {"code": 400, "message": COUNTS, "status": "INVALID_ARGUMENT"}}
HALVES = [
    (part["functionCall"], returned["functionResponse"])
    for part, returned in zip(CALLED["parts"], RETURNED["parts"], strict=True)
]


class Framework(NamedTuple):
    """How a framework writes a conversation: its messages, a request with some of them, a reply that is one of them.

    `returned` are the messages with both responses; where `apart` each has one of its own.
    """

    asked: Json
    called: Json
    returned: tuple[Json, ...]
    spoken: Json
    given: Callable[[Sequence[Json]], Any]
    said: Callable[[Json], Any]
    apart: bool = True
    where: str = ""  # in the input, before the number of the message

    @property
    def history(self) -> tuple[Json, ...]:
        return self.asked, self.called, *self.returned

    def lacking(self) -> tuple[Json, ...]:
        """The history without the second response."""
        if self.apart:
            return self.history[:-1]
        answered: Json = json.loads(json.dumps(self.returned[0]))
        next(each for each in answered.values() if isinstance(each, list)).pop()
        return self.asked, self.called, answered


def _body(contents: Sequence[Json]) -> Json:
    return {"model": MODEL, "contents": list(contents), "config": {"temperature": 0}}


def _candidates(content: Json) -> Json:
    return {"candidates": [{"content": content, "finish_reason": "STOP"}], "model_version": MODEL}


def openai_call(n: int) -> Json:
    call = HALVES[n][0]
    function = {"name": call["name"], "arguments": json.dumps(call["args"])}
    return {"id": call["id"], "type": "function", "function": function}


def openai_result(n: int) -> Json:
    call = HALVES[n][0]
    return {"role": "tool", "tool_call_id": call["id"], "name": call["name"], "content": "leeks"}


def _otel(role: str, *parts: Json) -> Json:
    return {"role": role, "parts": list(parts)}


def _otel_call(n: int) -> Json:
    call = HALVES[n][0]
    return {"type": "tool_call", "id": call["id"], "name": call["name"], "arguments": json.dumps(call["args"])}


def _otel_result(n: int) -> Json:
    call = HALVES[n][0]
    return {"type": "tool_call_response", "id": call["id"], "name": call["name"], "result": "leeks"}


def _ai_call(n: int, **more: Any) -> Json:
    call = HALVES[n][0]
    return {"toolCallId": call["id"], "toolName": call["name"], "input": json.dumps(call["args"]), **more}


def _ai_result(n: int) -> Json:
    call = HALVES[n][0]
    output = {"type": "text", "value": "leeks"}
    return {"type": "tool-result", "toolCallId": call["id"], "toolName": call["name"], "output": output}


SAYS, SPEAKS = "What do we need, and what is in stock?", "Leeks, and there are none."
OPENAI = Framework(
    {"role": "user", "content": SAYS},
    {"role": "assistant", "content": None, "tool_calls": [openai_call(0), openai_call(1)]},
    (openai_result(0), openai_result(1)),
    {"role": "assistant", "content": SPEAKS},
    lambda messages: {"messages": [{"role": "system", "content": "Be brief."}, *messages], "model": MODEL},
    lambda message: {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]},
    where="/messages",
)
LANGCHAIN_CALLS = [
    {"name": call["name"], "args": call["args"], "id": call["id"], "type": "tool_call"} for call, _ in HALVES
]
FRAMEWORKS = {
    "google-genai": Framework(ASKED, CALLED, (RETURNED,), SPOKEN, _body, _candidates, apart=False, where="/contents"),
    "google-adk": Framework(
        snake(ASKED),
        snake(CALLED),
        (snake(RETURNED),),
        snake(SPOKEN),
        _body,
        lambda content: {"content": content, "finish_reason": "STOP", "partial": False},
        apart=False,
        where="/contents",
    ),
    "pydantic-ai": Framework(
        _otel("user", {"type": "text", "content": SAYS}),
        _otel("assistant", _otel_call(0), _otel_call(1)),
        (_otel("user", _otel_result(0), _otel_result(1)),),
        _otel("assistant", {"type": "text", "content": SPEAKS}),
        lambda messages: [_otel("system", {"type": "text", "content": "Be brief."}), *messages],
        lambda message: [{**message, "finish_reason": "stop"}],
        apart=False,
    ),
    "ai-sdk": Framework(
        {"role": "user", "content": [{"type": "text", "text": SAYS}]},
        {"role": "assistant", "content": [_ai_call(0, type="tool-call"), _ai_call(1, type="tool-call")]},
        ({"role": "tool", "content": [_ai_result(0), _ai_result(1)]},),
        {"role": "assistant", "content": [{"type": "text", "text": SPEAKS}]},
        list,
        lambda message: [_ai_call(0), _ai_call(1)] if "toolCallId" in message["content"][0] else SPEAKS,
        apart=False,
    ),
    "openai": OPENAI,
    "langchain": Framework(
        {"type": "human", "content": SAYS},
        {"type": "ai", "content": "", "tool_calls": LANGCHAIN_CALLS},
        tuple(
            {"type": "tool", "content": "leeks", "tool_call_id": call["id"], "name": call["name"]} for call, _ in HALVES
        ),
        {"type": "ai", "content": SPEAKS},
        list,
        lambda message: {
            "role": "assistant",
            "content": message["content"],
            "tool_calls": message.get("tool_calls", []),
        },
    ),
}

DECLARED = {"role": "tool", "content": {"type": "function", "function": {"name": "needed", "parameters": {}}}}
FRAMEWORKS["langgraph"] = Framework(
    OPENAI.asked,
    {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [openai_call(0), openai_call(1)]}},
    tuple({key: openai_result(n)[key] for key in ("role", "tool_call_id", "content")} for n in (0, 1)),
    {"role": "assistant", "content": SPEAKS, "additional_kwargs": {"refusal": None}},
    lambda messages: [{"role": "user", "content": "Be helpful!"}, *messages, DECLARED, DECLARED],
    lambda message: message,
)


def observation(n: int, given: Any, said: Any, **more: Any) -> Json:
    """A generation as Langfuse exports it: what it was given, and what came of it, as texts."""
    return {
        "id": f"o{n}",
        "traceId": "t1",
        "projectId": "p1",
        "parentObservationId": "o0",
        "type": "GENERATION",
        "name": "call_llm",
        "startTime": f"2026-01-02T03:04:{n:02}.000Z",
        "level": "DEFAULT",
        "statusMessage": None,
        "model": MODEL,
        "modelParameters": {"temperature": "0"},
        "input": None if given is None else json.dumps(given),
        "output": None if said is None else json.dumps(said),
        "metadata": json.dumps({"attributes": {"gen_ai.system": "google-gla"}}),
        **more,
    }


LACKING: Json = {"contents": [ASKED, CALLED, {"role": "user", "parts": RETURNED["parts"][:1]}]}


def plain(observed: Json) -> Json:
    """The same with values where texts of them stand, as the API answers."""
    return {**observed, **{key: json.loads(observed[key]) for key in ("input", "output") if observed[key]}}


def turns(framework: Framework, history: Sequence[Json] | None = None) -> list[Json]:
    """Two generations: one that calls, and one that was given what came of it."""
    given = framework.history if history is None else history
    return [
        observation(1, framework.given([framework.asked]), framework.said(framework.called)),
        observation(3, framework.given(given), framework.said(framework.spoken)),
    ]


AGENT = observation(0, None, None, type="AGENT", name="agent_run [cook]", parentObservationId=None, model=None)
TOOL = observation(2, {}, {}, type="TOOL", name="execute_tool needed", model=None)


def trace(*observations: Json) -> Json:
    """The download of a trace: the latest first."""
    told = {"id": "t1", "projectId": "p1", "timestamp": "2026-01-02T03:04:00.000Z", "input": "…", "observations": []}
    return {"trace": told, "observations": list(reversed(observations))}


SNAKE = {
    "traceId": "trace_id",
    "projectId": "project_id",
    "startTime": "start_time",
    "model": "provided_model_name",
} | {
    "parentObservationId": "parent_observation_id",
    "statusMessage": "status_message",
    "modelParameters": "model_parameters",
}


def row(observed: Json) -> Json:
    """The same as a row of an export to a bucket."""
    return {SNAKE.get(key, key): value for key, value in observed.items()}


def payload(n: int, messages: Sequence[Json], response: Any, **more: Any) -> Json:
    """What LiteLLM logs of a call."""
    return {
        "id": f"r{n}",
        "litellm_call_id": f"l{n}",
        "trace_id": f"t{n}",
        "session_id": "",
        "call_type": "acompletion",
        "status": "success",
        "custom_llm_provider": "gemini",
        "model": MODEL,
        "messages": list(messages),
        "response": response,
        "error_str": None,
        "error_information": {"error_code": "", "error_message": ""},
        **more,
    }


def refusal(n: int, messages: Sequence[Json], **more: Any) -> Json:
    said = f"litellm.BadRequestError: GeminiException BadRequestError - {json.dumps(REFUSED)}"
    return {**payload(n, messages, {}, status="failure", error_str=said), **more}


def calls(history: Sequence[Json] = OPENAI.history) -> list[Json]:
    """Two calls that LiteLLM logged."""
    return [
        payload(1, [OPENAI.asked], OPENAI.said(OPENAI.called)),
        payload(2, history, OPENAI.said(OPENAI.spoken)),
    ]


def spend(payload: Json, **more: Any) -> Json:
    """The same as a row of the table of spend, where most is text."""
    return {
        "request_id": payload["id"],
        "call_type": payload["call_type"],
        "api_key": "0a1b",
        "spend": 0.01,
        "model": f"gemini/{payload['model']}",
        "custom_llm_provider": payload["custom_llm_provider"],
        "metadata": json.dumps({"status": "success", "error_information": None}),
        "messages": json.dumps(payload["messages"]),
        "response": json.dumps(payload["response"]),
        "session_id": "s1",
        **more,
    }


def logged(body: Json | str, reply: Any, **more: Any) -> Json:
    """A row of Vertex AI's table."""
    return {
        "endpoint": f"projects/1/locations/us-central1/publishers/google/models/{MODEL}",
        "deployed_model_id": None,
        "logging_time": "2026-01-02 03:04:05 UTC",
        "request_id": "98765432101234567",
        "request_payload": [json.dumps(body)],
        "response_payload": [json.dumps(reply)],
        "model": f"publishers/google/models/{MODEL}",
        "api_method": "generateContent",
        "full_request": body,
        "full_response": reply,
        **more,
    }


def entry(n: int, told: Any, kind: str = "jsonPayload", **more: Any) -> Json:
    """An entry of Cloud Logging."""
    return {
        "insertId": f"i{n}",
        kind: told,
        "resource": {"type": "cloud_run_revision", "labels": {}},
        "severity": "INFO",
        "logName": "projects/p/logs/run.googleapis.com%2Fstdout",
        **more,
    }


def structured(told: Json) -> Json:
    """A line of a program's own output."""
    return {**told, "severity": "INFO", "logging.googleapis.com/trace": "", "httpRequest": {}}


URL = f"https://generativelanguage.googleapis.com/v1beta/models/{MODEL}:generateContent"
TOLD = (
    {"message": "starting"},
    {"url": URL, "request": GENERATION},
    {"response": REPLY},
    {"url": URL, "request": NEXT_GENERATION},
    {"response": LAST_REPLY},
)


def table(*observations: Json) -> str:
    """The same as CSV."""
    written = io.StringIO()
    writer = csv.DictWriter(written, list(observations[0]))
    writer.writeheader()
    writer.writerows(
        {key: value if isinstance(value, str | None) else json.dumps(value) for key, value in each.items()}
        for each in observations
    )
    return written.getvalue()


OBSERVED = [AGENT, *turns(FRAMEWORKS["google-adk"]), TOOL]
PLAIN = [plain(each) for each in turns(OPENAI)]
PLAIN_CONTENTS = [plain(each) for each in turns(FRAMEWORKS["google-genai"])]
ROWS = [logged(GENERATION, REPLY), logged(NEXT_GENERATION, LAST_REPLY)]
TEXTS = [logged(json.dumps(GENERATION), json.dumps(REPLY)), logged(json.dumps(NEXT_GENERATION), json.dumps(LAST_REPLY))]
RAW = [
    {"raw_request": GENERATION, "original_response": json.dumps(REPLY)},
    {"raw_request": NEXT_GENERATION, "original_response": json.dumps(LAST_REPLY)},
]
SOUND = {
    "langfuse": Sample("trace.json", (trace(*OBSERVED),), pretty=True),
    "langfuse of the API": Sample(
        "data.json", ({"data": [plain(each) for each in turns(OPENAI)], "meta": {"page": 1}},)
    ),
    "langfuse of Gemini": Sample(
        "list.json", ([plain(each) for each in turns(FRAMEWORKS["google-genai"])],), pretty=True
    ),
    "langfuse rows": Sample("rows.jsonl", tuple(row(each) for each in turns(FRAMEWORKS["pydantic-ai"]))),
    "litellm": Sample("payloads.jsonl", tuple(calls())),
    "litellm spend": Sample("spend.json", ([spend(each) for each in calls()],)),
    "litellm-requests": Sample("raw.jsonl", tuple(RAW)),
    "vertex-logging": Sample("rows.json", (ROWS,)),
    "vertex-logging texts": Sample("rows.jsonl", tuple(TEXTS)),
    "cloud-logging": Sample("read.json", ([entry(n, told) for n, told in enumerate(TOLD)],), pretty=True),
    "cloud-logging of a sink": Sample(
        "sink.jsonl", tuple(entry(n, json.dumps(told), "textPayload") for n, told in enumerate(TOLD))
    ),
    "cloud-logging stdout": Sample("stdout.jsonl", tuple(structured(each) for each in TOLD)),
}
# Those that are one value, as they are written.
SAMPLES = {name: sample.text.encode() for name, sample in SOUND.items() if len(sample.values) == 1}
