"""A program on google-genai that is traced: `python tracing.py SCENE MODEL`, in a folder of its own. Where the server
is, it is told by the environment; by whom it is traced, by what is installed. Writes spans.log (as the console exporter
prints), spans.jsonl (OTLP as JSON), and logs.log and logs.jsonl where log records are written."""

import io
import json
import os
import sys
from pathlib import Path

from google import genai
from google.genai import errors, types
from google.protobuf.json_format import MessageToDict
from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import ConsoleLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

try:
    from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor as Instrumentor
except ImportError:
    from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor as Instrumentor

SCENE, MODEL = sys.argv[1:3]
SWITCHES = {
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_AND_EVENT",
    "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true",
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
}
SILENT = {
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "NO_CONTENT",
    "OPENINFERENCE_HIDE_INPUTS": "true",
    "OPENINFERENCE_HIDE_OUTPUTS": "true",
}
PRINTED = {"spans.log": io.StringIO(), "logs.log": io.StringIO()}
ASKED = "What is the weather in Paris, and where can I go? [[call=get_weather,find_flights]]"
SCHEMA = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}


def as_lines(exporter, encode, name):
    """An exporter of the console, made to write OTLP in JSON."""

    def export(batch):
        with open(name, "a") as file:
            file.write(json.dumps(MessageToDict(encode(batch))) + "\n")

    exporter.export = export
    return exporter


def traced():
    os.environ.update(SWITCHES)
    if SCENE == "silent":
        os.environ.update(SILENT)
    spans, logs = TracerProvider(), LoggerProvider()
    for exporter in (
        ConsoleSpanExporter(out=PRINTED["spans.log"]),
        as_lines(ConsoleSpanExporter(), encode_spans, "spans.jsonl"),
    ):
        spans.add_span_processor(SimpleSpanProcessor(exporter))
    for exporter in (
        ConsoleLogRecordExporter(out=PRINTED["logs.log"]),
        as_lines(ConsoleLogRecordExporter(), encode_logs, "logs.jsonl"),
    ):
        logs.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    trace.set_tracer_provider(spans)
    _logs.set_logger_provider(logs)
    Instrumentor().instrument()


def asked(client, contents):
    """The content of the reply; of a stream the parts of all chunks."""
    declared = [
        types.FunctionDeclaration(name=name, description="x", parameters=SCHEMA)
        for name in ("get_weather", "find_flights")
    ]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=declared)])
    if SCENE != "stream":
        reply = client.models.generate_content(model=MODEL, contents=contents, config=config)
        return reply.candidates[0].content
    chunks = client.models.generate_content_stream(model=MODEL, contents=contents, config=config)
    return types.Content(
        role="model", parts=[part for chunk in chunks for part in chunk.candidates[0].content.parts or ()]
    )


def main():
    traced()
    client = genai.Client()
    contents = [types.Content(role="user", parts=[types.Part(text=ASKED)])]
    contents.append(asked(client, contents))
    if SCENE == "open":
        return
    calls = [part.function_call for part in contents[1].parts if part.function_call]
    answers = [
        types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": "ok"}))
        for call in calls
    ]
    contents.append(types.Content(role="user", parts=answers[:1] if SCENE == "broken" else answers))
    try:
        contents.append(asked(client, contents))
        contents.append(types.Content(role="user", parts=[types.Part(text="And tomorrow?")]))
        asked(client, contents)
    except errors.ClientError as error:
        print(error.code)


try:
    main()
finally:
    for name, out in PRINTED.items():
        Path(name).write_text(out.getvalue())
