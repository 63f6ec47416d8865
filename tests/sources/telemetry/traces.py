"""A conversation of two calls of a model as tracing tells it: in each dialect, by each exporter."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Json = dict[str, Any]
MODEL = "gemini-2.5-flash"
ASKED = 'What do we need – and what is "in stock"?'
NAMES: tuple[str, ...] = ("needed", "in_stock")
ARGS: tuple[Json, ...] = ({"dish": "soup"}, {})
RETURNED = ({"output": "leeks"}, {"output": "no leeks"})
SAID = "Leeks, and there are none.\nIt's a pity."
SERVER = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
TRACE, SECRET = "4e546433d1158652090bb74ed0d79609", "0123456789abcdef"


class Turn(NamedTuple):
    """A call of the model. `ids` are those of the responses that were sent; without any it is the first one."""

    number: int = 1
    ids: tuple[str, ...] = ()
    said: bool = True
    refused: str = ""

    @property
    def span(self) -> str:
        return f"{self.number:016x}"


FIRST, SECOND = Turn(1), Turn(2, ("n1", "n2"))
LOST_ID = Turn(2, ("n1", "n9"))
REFUSED = Turn(2, ("n1",), said=False, refused=SERVER)
SOUND, BROKEN = (FIRST, SECOND), (FIRST, REFUSED)


class Told(NamedTuple):
    """What a dialect makes of a call: attributes, events of the span with attributes, log records with bodies."""

    attributes: Json
    events: tuple[tuple[str, Json], ...] = ()
    logs: tuple[tuple[str, Json, Any], ...] = ()


BASE: Json = {
    "gen_ai.operation.name": "generate_content",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.request.model": MODEL,
}


def _typed(turn: Turn) -> tuple[list[Json], list[Json]]:
    calls = [
        {"type": "tool_call", "id": f"n{n}", "name": name, "arguments": args}
        for n, (name, args) in enumerate(zip(NAMES, ARGS, strict=True), 1)
    ]
    asked: list[Json] = [{"role": "user", "parts": [{"type": "text", "content": ASKED}]}]
    if not turn.ids:
        return asked, [{"role": "assistant", "parts": calls, "finish_reason": "stop"}]
    answers = [
        {"type": "tool_call_response", "id": id, "response": output}
        for id, output in zip(turn.ids, RETURNED, strict=False)
    ]
    asked += [{"role": "assistant", "parts": calls}, {"role": "user", "parts": answers}]
    return asked, [{"role": "assistant", "parts": [{"type": "text", "content": SAID}], "finish_reason": "stop"}]


def typed(turn: Turn) -> Told:
    asked, said = _typed(turn)
    found = {**BASE, "gen_ai.input.messages": json.dumps(asked)}
    return Told({**found, "gen_ai.output.messages": json.dumps(said)} if turn.said else found)


def structured(turn: Turn) -> Told:
    """The same as objects."""
    asked, said = _typed(turn)
    found = {**BASE, "gen_ai.input.messages": asked}
    return Told({**found, "gen_ai.output.messages": said} if turn.said else found)


def details(turn: Turn) -> Told:
    """In a log record of its own."""
    return Told(BASE, logs=(("gen_ai.client.inference.operation.details", structured(turn).attributes, None),))


def span_event(turn: Turn) -> Told:
    return Told(BASE, events=(("gen_ai.client.inference.operation.details", typed(turn).attributes),))


def _openai(turn: Turn) -> tuple[list[Json], Json]:
    calls = [
        {"id": f"n{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for n, (name, args) in enumerate(zip(NAMES, ARGS, strict=True), 1)
    ]
    called = {"role": "assistant", "tool_calls": calls}
    if not turn.ids:
        return [{"role": "user", "content": ASKED}], called
    answers = [
        {"role": "tool", "id": id, "content": json.dumps(output)}
        for id, output in zip(turn.ids, RETURNED, strict=False)
    ]
    return [{"role": "user", "content": ASKED}, called, *answers], {"role": "assistant", "content": SAID}


def _messages(turn: Turn) -> Iterator[tuple[str, Json]]:
    asked, said = _openai(turn)
    yield "gen_ai.system.message", {"content": "Be brief."}
    for message in asked:
        yield f"gen_ai.{message['role']}.message", message
    if turn.said:
        yield "gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": said}


def message_logs(turn: Turn) -> Told:
    return Told(BASE, logs=tuple((name, {"gen_ai.system": "gemini"}, body) for name, body in _messages(turn)))


def message_events(turn: Turn) -> Told:
    """As events of the span, with the body in an attribute."""
    return Told(BASE, tuple((name, {"gen_ai.event.content": json.dumps(body)}) for name, body in _messages(turn)))


def flat_events(turn: Turn) -> Told:
    """As events of the span, with what the body holds as attributes."""
    return Told(BASE, tuple((name, _flat_event(body)) for name, body in _messages(turn)))


def _flat_event(body: Json) -> Json:
    held = body.get("message", body)
    return {key: each if isinstance(each, str) else json.dumps(each) for key, each in held.items()}


def logfire(turn: Turn) -> Told:
    """As one attribute of the span."""
    told = [{"event.name": name, "gen_ai.message.index": n, **body} for n, (name, body) in enumerate(_messages(turn))]
    return Told({**BASE, "events": json.dumps(told), "gen_ai.operation.name": "chat"})


def content_events(turn: Turn) -> Told:
    asked, said = _openai(turn)
    events = (("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps(asked)}),)
    told = (("gen_ai.content.completion", {"gen_ai.completion": json.dumps([said])}),) * turn.said
    return Told(BASE, events + told)


def indexed(turn: Turn) -> Told:
    asked, said = _openai(turn)
    found = {"gen_ai.system": "Google", "gen_ai.request.model": MODEL, "llm.request.type": "completion"}
    for n, message in enumerate(asked):
        found |= _indexed(f"gen_ai.prompt.{n}", message)
    return Told(found | _indexed("gen_ai.completion.0", said) if turn.said else found)


def _indexed(prefix: str, message: Json) -> Json:
    found = {f"{prefix}.role": message["role"]}
    if "content" in message:
        found[f"{prefix}.content"] = message["content"]
    if message["role"] == "tool":
        found[f"{prefix}.tool_call_id"] = message["id"]
    for n, call in enumerate(message.get("tool_calls", ())):
        found |= {f"{prefix}.tool_calls.{n}.id": call["id"]}
        found |= {f"{prefix}.tool_calls.{n}.{key}": call["function"][key] for key in ("name", "arguments")}
    return found


def openinference(turn: Turn) -> Told:
    """Flattened; the ids of calls are lost in replies."""
    asked, said = _openai(turn)
    found = {"openinference.span.kind": "LLM", "llm.model_name": MODEL, "llm.provider": "google"}
    for n, message in enumerate(asked):
        found |= _flattened(f"llm.input_messages.{n}", message)
    if turn.said:
        told = _flattened("llm.output_messages.0", said)
        found |= {key: each for key, each in told.items() if not key.endswith("tool_call.id")}
    return Told({**found, "input.value": ASKED, "output.value": SAID})


def _flattened(prefix: str, message: Json) -> Json:
    found = {f"{prefix}.message.role": {"assistant": "model"}.get(message["role"], message["role"])}
    if message["role"] == "user":
        found[f"{prefix}.message.contents.0.message_content.type"] = "text"
        found[f"{prefix}.message.contents.0.message_content.text"] = message["content"]
    elif "content" in message:
        found[f"{prefix}.message.content"] = message["content"]
    if message["role"] == "tool":
        found[f"{prefix}.message.tool_call_id"] = message["id"]
    for n, call in enumerate(message.get("tool_calls", ())):
        at = f"{prefix}.message.tool_calls.{n}.tool_call"
        found |= {f"{at}.id": call["id"], f"{at}.function.name": call["function"]["name"]}
        found |= {f"{at}.function.arguments": call["function"]["arguments"]}
    return found


def _contents(turn: Turn) -> tuple[list[Json], Json]:
    calls = [
        {"function_call": {"id": f"n{n}", "name": name, "args": args}}
        for n, (name, args) in enumerate(zip(NAMES, ARGS, strict=True), 1)
    ]
    asked: list[Json] = [{"role": "user", "parts": [{"text": ASKED}]}]
    if not turn.ids:
        return asked, {"role": "model", "parts": calls}
    answers = [
        {"function_response": {"id": id, "name": name, "response": output}}
        for id, name, output in zip(turn.ids, NAMES, RETURNED, strict=False)
    ]
    asked += [{"role": "model", "parts": calls}, {"role": "user", "parts": answers}]
    return asked, {"role": "model", "parts": [{"text": SAID}]}


def bodies(turn: Turn) -> Told:
    """The bodies that OpenInference keeps, beside what it flattens."""
    asked, said = _contents(turn)
    value = {"contents": asked, "generation_config": {}}
    told = {"sdk_http_response": {}, "candidates": [{"content": said, "finish_reason": "STOP"}]}
    found = {**openinference(turn).attributes, "input.value": json.dumps(value), "output.value": "{}"}
    return Told(found | {"output.value": json.dumps(told)} if turn.said else found)


def adk(turn: Turn) -> Told:
    asked, said = _contents(turn)
    found: Json = {"gen_ai.system": "gcp.vertex.agent", "gen_ai.request.model": MODEL}
    found["gcp.vertex.agent.llm_request"] = json.dumps({"model": MODEL, "config": {}, "contents": asked})
    reply = json.dumps({"content": said, "finish_reason": "STOP"} if turn.said else {})
    return Told({**found, "gcp.vertex.agent.llm_response": reply})


def events_with_contents(turn: Turn) -> Told:
    """As older instrumentations of Google's SDK log them."""
    asked, said = _contents(turn)
    logs = [("gen_ai.user.message", {"gen_ai.system": "gemini"}, {"content": content}) for content in asked]
    told: list[tuple[str, Json, Any]] = [("gen_ai.choice", {}, {"index": 0, "content": said, "finish_reason": "STOP"})]
    return Told(BASE, logs=(*logs, *told * turn.said))


def vertexai(turn: Turn) -> Told:
    """As the instrumentation of Vertex AI logs them: calls twice, and ids made of names and numbers."""
    asked, said = _contents(Turn(turn.number, turn.ids and ("", "")[: len(turn.ids)]))
    logs: list[tuple[str, Json, Any]] = []
    for content in asked:
        parts = [{key: _without_id(each) for key, each in part.items()} for part in content["parts"]]
        answers = [part["function_response"] for part in parts if "function_response" in part]
        for n, (answer, id) in enumerate(zip(answers, turn.ids, strict=False)):
            told = {"id": f"{answer['name']}_{n}" if id != "n9" else id, "role": "user", "content": answer["response"]}
            logs.append(("gen_ai.tool.message", {}, told))
        name = "assistant" if content["role"] == "model" else "user"
        if not answers:
            logs.append((f"gen_ai.{name}.message", {}, {"role": content["role"], "content": parts}))
    parts = [{key: _without_id(each) for key, each in part.items()} for part in said["parts"]]
    calls = [
        {"id": f"{name}_{n}", "type": "function", "function": {"name": name, "arguments": args}}
        for n, (name, args) in enumerate(zip(NAMES, ARGS, strict=True))
    ]
    told = {"index": 0, "finish_reason": "stop", "message": {"role": "model", "content": parts}}
    logs += [("gen_ai.choice", {}, told if turn.ids else {**told, "tool_calls": calls})] * turn.said
    return Told(BASE, logs=tuple(logs))


def _without_id(value: Any) -> Any:
    return {key: each for key, each in value.items() if key != "id"} if isinstance(value, dict) else value


def ai_sdk(turn: Turn) -> Told:
    """Of Vercel."""
    calls = [
        {"type": "tool-call", "toolCallId": f"n{n}", "toolName": name, "input": args}
        for n, (name, args) in enumerate(zip(NAMES, ARGS, strict=True), 1)
    ]
    asked: list[Json] = [{"role": "user", "content": [{"type": "text", "text": ASKED}]}]
    found: Json = {"gen_ai.system": "google.generative-ai", "gen_ai.request.model": MODEL}
    if turn.ids:
        answers = [
            {"type": "tool-result", "toolCallId": id, "toolName": name, "output": {"type": "json", "value": output}}
            for id, name, output in zip(turn.ids, NAMES, RETURNED, strict=False)
        ]
        asked += [{"role": "assistant", "content": calls}, {"role": "tool", "content": answers}]
        told: Json = {"ai.response.text": SAID}
    else:
        told = {"ai.response.toolCalls": json.dumps([{**call, "input": json.dumps(call["input"])} for call in calls])}
    return Told({**found, "ai.prompt.messages": json.dumps(asked), **(told if turn.said else {})})


Dialect = Callable[[Turn], Told]
DIALECTS: dict[str, Dialect] = {
    each.__name__: each
    for each in (
        typed,
        structured,
        details,
        span_event,
        message_logs,
        message_events,
        flat_events,
        logfire,
        content_events,
        indexed,
        openinference,
        bodies,
        adk,
        events_with_contents,
        vertexai,
        ai_sdk,
    )
}


def failure(turn: Turn) -> str:
    error = {"code": 400, "message": turn.refused, "status": "INVALID_ARGUMENT"}
    return f"400 INVALID_ARGUMENT. {{'error': {error!r}}}"


def any_value(value: Any) -> Json:
    """As OTLP has it."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(each) for each in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": key_values(value)}}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {} if value is None else {"stringValue": value}


def key_values(found: Json) -> list[Json]:
    return [{"key": key, "value": any_value(value)} for key, value in found.items()]


def otlp_span(turn: Turn, told: Told) -> Json:
    begin = 1795142012000000000 + turn.number * 1000
    return {
        "traceId": TRACE,
        "spanId": turn.span,
        "name": f"generate_content {MODEL}",
        "kind": 3,
        "startTimeUnixNano": str(begin),
        "endTimeUnixNano": str(begin + 500),
        "attributes": key_values(told.attributes),
        "events": [{"timeUnixNano": "1", "name": name, "attributes": key_values(held)} for name, held in told.events],
        "status": {"code": 2, "message": failure(turn)} if turn.refused else {},
    }


def resource_spans(*spans: Json) -> Json:
    scope = {"scope": {"name": "opentelemetry.instrumentation.google_genai"}, "spans": [*spans]}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [scope]}]}


def resource_logs(*records: Json) -> Json:
    return {"resourceLogs": [{"resource": {}, "scopeLogs": [{"scope": {}, "logRecords": [*records]}]}]}


def otlp_values(turns: tuple[Turn, ...], dialect: Dialect) -> list[Json]:
    values = list[Json]()
    for turn in turns:
        told = dialect(turn)
        records = [
            {
                "timeUnixNano": "1",
                "eventName": name,
                "attributes": key_values(held),
                "traceId": TRACE,
                "spanId": turn.span,
                **({} if body is None else {"body": any_value(body)}),
            }
            for name, held, body in told.logs
        ]
        values += [resource_logs(*records)] * bool(records) + [resource_spans(otlp_span(turn, told))]
    return values


def otlp(turns: tuple[Turn, ...], dialect: Dialect) -> str:
    """A line for each export."""
    return "".join(f"{json.dumps(value)}\n" for value in otlp_values(turns, dialect))


def python_span(turn: Turn, told: Told) -> Json:
    context = {"trace_id": f"0x{TRACE}", "span_id": f"0x{turn.span}", "trace_state": "[]"}
    return {
        "name": f"generate_content {MODEL}",
        "context": context,
        "kind": "SpanKind.CLIENT",
        "parent_id": None,
        "start_time": f"2026-11-20T02:33:3{turn.number}.546039Z",
        "status": {"status_code": "ERROR", "description": failure(turn)} if turn.refused else {"status_code": "UNSET"},
        "attributes": told.attributes,
        "events": [{"name": name, "timestamp": "", "attributes": held} for name, held in told.events],
        "links": [],
        "resource": {"attributes": {"service.name": "unknown_service:python"}, "schema_url": ""},
    }


def python_record(turn: Turn, name: str, held: Json, body: Any) -> Json:
    return {
        "body": body,
        "severity_number": None,
        "attributes": held,
        "timestamp": None,
        "trace_id": f"0x{TRACE}",
        "span_id": f"0x{turn.span}",
        "event_name": name,
    }


def python_values(turns: tuple[Turn, ...], dialect: Dialect) -> list[Json]:
    values = list[Json]()
    for turn in turns:
        told = dialect(turn)
        values += [python_record(turn, *record) for record in told.logs] + [python_span(turn, told)]
    return values


def python_console(turns: tuple[Turn, ...], dialect: Dialect) -> str:
    return "".join(f"{json.dumps(value, indent=4)}\n" for value in python_values(turns, dialect))


def node_values(turns: tuple[Turn, ...], dialect: Dialect) -> list[Json]:
    values = list[Json]()
    for turn in turns:
        told = dialect(turn)
        values += [
            {"traceId": TRACE, "spanId": turn.span, "severityText": None, "eventName": name, "body": body}
            | {"attributes": held}
            for name, held, body in told.logs
        ]
        events = [{"name": name, "attributes": held, "time": [1795177501, 5]} for name, held in told.events]
        status: Json = {"code": 2, "message": failure(turn)} if turn.refused else {"code": 0}
        span: Json = {
            "resource": {},
            "traceId": TRACE,
            "parentSpanContext": None,
            "name": "x",
            "id": turn.span,
            "kind": 0,
        }
        values.append({**span, "attributes": told.attributes, "status": status, "events": events, "links": []})
    return values


def node_console(turns: tuple[Turn, ...], dialect: Dialect) -> str:
    return "".join(f"{printed(value)}\n" for value in node_values(turns, dialect))


def printed(value: Any, depth: int = 0) -> str:
    """As console.dir does."""
    blanks = "  " * (depth + 1)
    if isinstance(value, dict) and value:
        inner = ",\n".join(f"{blanks}{_key(key)}: {printed(each, depth + 1)}" for key, each in value.items())
        return f"{{\n{inner}\n{'  ' * depth}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{blanks}{printed(each, depth + 1)}" for each in value) + f"\n{'  ' * depth}]"
    if isinstance(value, str):
        return f" +\n{blanks}".join(map(_quoted, value.splitlines(keepends=True) or [""]))
    return {"None": "undefined", "True": "true", "False": "false"}.get(str(value), str(value))


def _key(key: str) -> str:
    return key if key.isidentifier() else _quoted(key)


def _quoted(said: str) -> str:
    escaped = said.replace("\\", "\\\\").replace("\n", "\\n")
    quote = "'" if "'" not in said else '"' if '"' not in said else "`" if "`" not in said else "'"
    return quote + escaped.replace(quote, f"\\{quote}") + quote


Exporter = Callable[[tuple[Turn, ...], Dialect], str]
EXPORTERS: dict[str, Exporter] = {each.__name__: each for each in (otlp, python_console, node_console)}
