"""The formats that files are recognised as, before anything is searched for inside."""

import re

from wirecheck.sources.formats.beginning import HEAD
from wirecheck.sources.formats.file_format import FileFormat

DIRECTION = rb"[ -]*direction: ['\"]?(?:sent|received)\b"
REQUEST = rb"[ -]*request:"
HAR = {f"log.{key}" for key in ("version", "creator", "browser", "pages", "entries")}
WIREMOCK_BODIES = ("bodyFileName", "jsonBody", "base64Body")
MITM = re.compile(rb"[0-9]{2,12}:([0-9]{1,2}):([a-z_]{1,30})[;,]")

PRINTED_BY_PYTHON = re.compile(
    rb"(?m)^\[?(?:GenerateContentResponse|LiveServerMessage|Content|UserContent|ModelContent|Candidate|Part)\("
    rb"|^(?:parts|candidates|sdk_http_response)=(?:\[(?:Part|Candidate)|HttpResponse)\("
    rb"|^\[?\{'(?:parts|role|candidates|contents)': "
)
PRINTED_BY_NODE = re.compile(
    rb"\[(?:Object|Array)\]|\b(?:LiveServerMessage|GenerateContentResponse) \{|(?m:^ *\{ role: '|^ *parts: \[)"
)
PRINTED_BY_GEMINI = re.compile(rb'\s*\{\s*"type"\s*:\s*"init"')
RECORDED_BY_GEMINI = re.compile(rb'\s*\{\s*"method"\s*:\s*"(?:generateContent|countTokens|embedContent)')
VERTEX_BODIES = ("full_request", "full_response", "request_payload", "response_payload")
VERTEX_ROWS = ("logging_time", "deployed_model_id", "api_method", "model", "model_version")
CLOUD_ENTRIES = {
    f"{at}{key}"
    for at in ("", "entries[].")
    for key in ("insertId", "logName", "receiveTimestamp", "jsonPayload", "textPayload")
}
STRUCTURED = re.compile(rb'[{,]\s{0,9}"logging\.googleapis\.com/')
CURL = rb"(?:[0-9:.]{1,20} )?(?:\*   Trying |\* Connected to |== Info: )"
OBSERVED_COLUMNS = (("traceId", "type", "startTime", "input"), ("trace_id", "type", "start_time", "input"))
OBSERVED = ("projectId", "project_id", "parentObservationId", "parent_observation_id", "level")
PRINTED_SPAN = rb"        \"trace_id\": \"0x[0-9a-f]{32}\"|  traceId: '[0-9a-f]{32}'"
CALL_OF_A_MODEL = re.compile(rb"\b(?:gen_ai|llm|openinference|gcp\.vertex)\.")
UI_PART = re.compile(rb'"type"\s*:\s*"(?:tool-|dynamic-tool")')
FORMATS = (
    FileFormat(
        name="realtime-yaml",
        title="a cassette of realtime sessions",
        known_by="`interactions:` at the top, with `direction: sent` or `received` in them and no request",
        recognises=lambda b: b.is_yaml("interactions") and b.has_line(DIRECTION) and not b.has_line(REQUEST),
        where="`tests/**/cassettes/**/*.yaml` of pydantic-ai",
        endings=(".yaml", ".yml"),
        module="cassettes.realtime",
    ),
    FileFormat(
        name="vcr-yaml",
        title="a VCR cassette",
        known_by="`interactions:` or `http_interactions:` at the top, with `request:` in them",
        recognises=lambda b: b.is_yaml("interactions", "http_interactions") and b.has_line(REQUEST),
        where="`tests/**/cassettes/**/*.yaml` (vcrpy, pytest-recording), `spec/**/*.yml` (VCR for Ruby), "
        "`testdata/*.yaml` (go-vcr)",
        endings=(".yaml", ".yml"),
        module="cassettes.vcr:yaml",
    ),
    FileFormat(
        name="test-server",
        title="a recording of google/test-server",
        known_by="`interactions[].request.bodySegments`, or `recordID` beside `interactions`",
        recognises=lambda b: b.has("interactions[].request.bodySegments") or b.has("recordID", "interactions"),
        where="`tests/**/recordings/*.json` of clients of Google",
        endings=(".json",),
        module="cassettes.google_test_server:json",
    ),
    FileFormat(  # after test-server, which has interactions as well
        name="vcr-json",
        title="a VCR cassette (JSON)",
        known_by="`interactions[].request.uri` (of go-vcr `url`)",
        recognises=lambda b: (
            any(b.has(f"interactions[].request.{key}") for key in ("uri", "url"))
            or b.has("http_interactions[].request")
        ),
        where="the same folders, where cassettes are serialized as JSON",
        endings=(".json",),
        module="cassettes.vcr:json",
    ),
    FileFormat(
        name="test-server-websocket",
        title="a Live session of google/test-server",
        known_by="`>LEN {` or `<LEN {` in the first line",
        recognises=lambda b: re.match(rb"[<>][0-9]{1,10} [\[{]", b.first_line) is not None,
        where="`tests/**/recordings/*.websocket.log` of clients of Google",
        endings=(".log",),
        module="cassettes.google_test_server:websocket",
        loses="times and closes",
    ),
    FileFormat(
        name="braintrust",
        title="a cassette of the Braintrust SDKs",
        known_by="`entries[].request.body.kind`, or `entries[].matchKey`",
        recognises=lambda b: b.has("entries[].request.body.kind") or b.has("entries[].matchKey", "entries[].request"),
        where="`*.cassette.json`",
        endings=(".json",),
        module="cassettes.braintrust",
    ),
    FileFormat(
        name="nock",
        title="a recording of nock",
        known_by="a list of objects with `scope`, `method` and `path`",
        recognises=lambda b: b.head.lstrip()[:1] == b"[" and b.has("scope", "method", "path"),
        where="what `nock.recorder.play()` returns, and the fixtures of nockBack",
        endings=(".json",),
        module="cassettes.nock",
    ),
    FileFormat(
        name="wiremock",
        title="mappings of WireMock",
        known_by="`mappings[].request`, or `requests[].request.absoluteUrl`",
        recognises=lambda b: b.has("mappings[].request.method") or b.has("requests[].request.absoluteUrl"),
        where="what `/__admin/mappings` and `/__admin/requests` answer",
        endings=(".json",),
        module="cassettes.wiremock:several",
        loses="the host, in mappings",
    ),
    FileFormat(
        name="wiremock-mapping",
        title="a mapping of WireMock",
        known_by="`request.bodyPatterns`, or `response` with `bodyFileName`, `jsonBody` or `base64Body`",
        recognises=lambda b: (
            b.has("request.bodyPatterns")
            or (b.has("request.method") and any(b.has(f"response.{key}") for key in WIREMOCK_BODIES))
        ),
        where="`mappings/*.json`",
        endings=(".json",),
        loses="the host",
        module="cassettes.wiremock:one",
    ),
    FileFormat(
        name="req-llm",
        title="a fixture of ReqLLM",
        known_by="`request.canonical_json`, or `request.body.b64`",
        recognises=lambda b: b.has("request.canonical_json") or b.has("request.body.b64"),
        where="`test/support/fixtures/**/*.json`",
        endings=(".json",),
        module="cassettes.req_llm",
    ),
    FileFormat(
        name="har",
        title="a HAR file",
        known_by="`log` with two of `version`, `creator`, `browser`, `pages` and `entries`, or `log.entries[].request`",
        recognises=lambda b: b'"log"' in b.head and (len(b.keys & HAR) > 1 or b.has("log.entries[].request")),
        where="what a browser, Charles, Proxyman, HTTP Toolkit or mitmproxy (`hardump`) exports, and Playwright or "
        "Polly.JS records",
        endings=(".har",),
        module="captures.har",
        loses="how a websocket was closed, in most programs",
    ),
    FileFormat(
        name="mitmproxy-flows",
        title="flows of mitmproxy",
        known_by="the first bytes, `LEN:` twice and the name of a field",
        recognises=lambda b: (found := MITM.match(b.head)) is not None and int(found[1]) == len(found[2]),
        where="what `mitmproxy -w` and `mitmdump -w` write; the mitmproxy that is installed reads it",
        endings=(".mitm", ".flow", ".flows"),
        module="captures.mitm_flows",
    ),
    FileFormat(
        name="adk-session",
        title="a session of Google's Agent Development Kit",
        known_by="`appName` and `userId`, with `events[].invocationId` or `state`, in either spelling; the same in "
        "`sessions[]`",
        recognises=lambda b: any(
            b.has(f"{at}{app}", f"{at}{user}") and (b.has(f"{at}events[].{ran}") or b.has(f"{at}id", f"{at}state"))
            for at in ("", "sessions[].")
            for app, user, ran in (("appName", "userId", "invocationId"), ("app_name", "user_id", "invocation_id"))
        ),
        where="what `Session.model_dump_json()` writes, or the web interface saves",
        endings=(".json",),
        module="agents.adk:session",
    ),
    FileFormat(
        name="adk-events",
        title="events of Google's Agent Development Kit",
        known_by="`invocationId`, `author` and `actions` in the first line",
        recognises=lambda b: b.has("invocationId", "author", "actions") or b.has("invocation_id", "author", "actions"),
        where="what `Event.model_dump_json()` writes, one event a line",
        endings=(".jsonl",),
        module="agents.adk:events",
    ),
    FileFormat(
        name="adk-eval-set",
        title="an eval set of Google's Agent Development Kit",
        known_by="`eval_set_id` and `eval_cases`, in either spelling",
        recognises=lambda b: b.has("eval_set_id", "eval_cases") or b.has("evalSetId", "evalCases"),
        where="`*.evalset.json` beside an agent",
        endings=(".json",),
        module="agents.adk:eval_set",
        loses="responses, where it is older than `invocation_events`: then its calls are not judged",
    ),
    FileFormat(
        name="adk-database",
        title="a database of sessions of Google's Agent Development Kit",
        known_by="SQLite; a table `events` with a column `event_data` or `content`",
        recognises=lambda b: b.head.startswith(b"SQLite format 3\0"),  # the table may be told of anywhere
        where="`sessions.db`, as SqliteSessionService and DatabaseSessionService write it",
        endings=(".db", ".sqlite"),
        in_folders=lambda b: re.search(rb'TABLE "?events"?', b.head) is not None,  # most are of other programs
        module="agents.adk_database",
        loses="pickled actions, which are never looked at",
    ),
    FileFormat(
        name="gemini-cli-chat",
        title="a session of gemini-cli",
        known_by="`sessionId` and `projectHash` in the first value",
        recognises=lambda b: b.has("sessionId", "projectHash"),
        where="`~/.gemini/tmp/*/chats/session-*.jsonl`; `.json` of older versions",
        endings=(".jsonl", ".json"),
        module="agents.gemini_cli:chat",
        loses="thought signatures, and what the program takes out of a history before it sends it",
    ),
    FileFormat(
        name="gemini-cli-stream",
        title="what gemini-cli prints with --output-format stream-json",
        known_by="`type` `init` before all else, `session_id` and `model`",
        recognises=lambda b: b.has("type", "session_id", "model") and PRINTED_BY_GEMINI.match(b.head) is not None,
        where="`gemini --output-format stream-json > run.jsonl`",
        endings=(".jsonl",),
        module="agents.gemini_cli:printed",
        loses="signatures and statuses; results as the user sees them",
    ),
    FileFormat(
        name="gemini-cli-responses",
        title="replies that gemini-cli recorded",
        known_by="`method` before all else, which is one of the API's, and `response`",
        recognises=lambda b: b.has("method", "response") and RECORDED_BY_GEMINI.match(b.head) is not None,
        where="`gemini --record-responses=FILE`",
        endings=(".responses",),
        module="agents.gemini_cli:recorded",
        loses="the requests",
    ),
    FileFormat(
        name="gemini-cli-telemetry",
        title="telemetry of gemini-cli",
        known_by="a span, a log record or metrics as the SDK of OpenTelemetry holds them, with names of gemini-cli",
        recognises=lambda b: (
            b.has("_spanContext", "attributes.gen_ai.agent.name")
            or b.has("_spanContext", "attributes.gen_ai.prompt.name")
            or (b.has("hrTime") and b'"gemini_cli.' in b.head)
            or (b.has("resource", "scopeMetrics") and b'"gemini_cli.' in b.head)
        ),
        where="the file of `telemetry.outfile`, or of `GEMINI_TELEMETRY_OUTFILE`",
        endings=(".log", ".json"),
        module="agents.gemini_telemetry",
        loses="settings and tools of requests; anything where `telemetry.logPrompts` is off",
    ),
    FileFormat(
        name="livekit-chat",
        title="a chat context of LiveKit Agents",
        known_by="`items[].type`, with `items[].interrupted` or `items[].call_id`; the same in `chat_history`",
        recognises=lambda b: any(
            b.has(f"{at}items[].type") and (b.has(f"{at}items[].interrupted") or b.has(f"{at}items[].call_id"))
            for at in ("", "chat_history.", "chat_ctx.")
        ),
        where="what `ChatContext.to_dict()` or the report of a session gives, as JSON",
        endings=(".json", ".jsonl"),
        module="agents.livekit",
        loses="thought signatures, and that LiveKit leaves out calls without output when it asks the model",
    ),
    FileFormat(
        name="ai-sdk-generations",
        title="generations that the devtools of Vercel's AI SDK collected",
        known_by="`runs` and `steps[].run_id`",
        recognises=lambda b: b.has("runs", "steps[].run_id", "steps[].step_number"),
        where="`.devtools/generations.json`",
        endings=(".json",),
        module="agents.vercel:generations",
        loses="statuses",
    ),
    FileFormat(
        name="ai-sdk-steps",
        title="steps of Vercel's AI SDK",
        known_by="`content[].type` with `stepNumber`, or with `finishReason` and `usage`; the same in `steps[]`",
        recognises=lambda b: any(
            b.has(f"{at}content[].type") and (b.has(f"{at}stepNumber") or b.has(f"{at}finishReason", f"{at}usage"))
            for at in ("", "steps[].")
        ),
        where="`JSON.stringify(await result.steps)`",
        endings=(".json", ".jsonl"),
        module="agents.vercel:steps",
        loses="statuses, and the replies of `streamText`",
    ),
    FileFormat(
        name="ai-sdk-errors",
        title="errors of Vercel's AI SDK",
        known_by="`requestBodyValues` and `url`",
        recognises=lambda b: b.has("requestBodyValues", "url"),
        where="`JSON.stringify(error)` of an APICallError",
        endings=(".json", ".jsonl"),
        module="agents.vercel:errors",
    ),
    FileFormat(
        name="ai-sdk-messages",
        title="messages of Vercel's AI SDK",
        known_by="`role`, and a part with `toolCallId` whose type is `tool-…` or `dynamic-tool`",
        recognises=lambda b: (
            (b.has("role") or b.has("messages[].role"))
            and b'"toolCallId"' in b.head
            and UI_PART.search(b.head) is not None
        ),
        where="`result.response.messages`, or what an application stores of `useChat`, as JSON",
        endings=(".json", ".jsonl"),
        module="agents.vercel:messages",
    ),
    FileFormat(  # before js-console, for spans are printed by console.dir
        name="opentelemetry",
        title="traces of OpenTelemetry",
        known_by="`resourceSpans` or `resourceLogs`; a span or a log record as the SDKs print it, with its `trace_id`",
        recognises=lambda b: (
            any(b.has(key) for key in ("resourceSpans", "resourceLogs", "resource_spans", "resource_logs"))
            or b.has("context.trace_id", "context.span_id", "attributes")
            or b.has("data[].context.trace_id", "data[].context.span_id", "data[].attributes")
            or b.has("trace_id", "span_id", "severity_number", "attributes")
            or b.has_line(PRINTED_SPAN)
        ),
        where="what an exporter writes to a file (OTLP as JSON), or a console exporter of Python or JavaScript prints",
        endings=(".json", ".jsonl"),
        # Most are of other programs; in a long one calls may come late.
        in_folders=lambda b: len(b.head) >= HEAD or CALL_OF_A_MODEL.search(b.head) is not None,
        module="telemetry.opentelemetry",
        loses="thought signatures, settings and tools",
    ),
    FileFormat(
        name="python-repr",
        title="what Python prints of the objects of an SDK",
        known_by="`Content(`, `parts=[Part(` and the like, or dictionaries with `'parts'`; nothing in it is JSON",
        recognises=lambda b: not b.has_json_line and PRINTED_BY_PYTHON.search(b.head) is not None,
        where="`print(response)`, `repr(chat.get_history())`",
        endings=(),
        instead="print leaves out what lies deep, and signatures; write `x.model_dump_json()` of each, one a line",
    ),
    FileFormat(
        name="js-console",
        title="what console.log prints of objects",
        known_by="`[Object]`, `LiveServerMessage {`, `{ role: 'user'`; nothing in it is JSON",
        recognises=lambda b: not b.has_json_line and PRINTED_BY_NODE.search(b.head) is not None,
        where="`console.log(response)`",
        endings=(),
        instead="console.log leaves out what lies deep; write `JSON.stringify(x)` of each, one a line",
    ),
    FileFormat(
        name="ai-studio-prompt",
        title="a prompt of AI Studio",
        known_by="`runSettings` and `chunkedPrompt`",
        recognises=lambda b: b.has("runSettings", "chunkedPrompt"),
        where="the folder `Google AI Studio` in Drive",
        endings=(),
        instead="it holds the text of a chat, and not its requests; record what crosses the wire (`wirecheck record`)",
    ),
    FileFormat(
        name="langfuse",
        title="an export of Langfuse",
        known_by="`trace.projectId`; `projectId` and `timestamp` of a trace; `traceId`, `type` and `startTime` of "
        "observations, in either spelling",
        recognises=lambda b: (
            b.has("trace.projectId")
            or b.has("trace", "observations")
            or (b.has("projectId", "timestamp") and (b.has("bookmarked") or b.has("htmlPath") or b.has("sessionId")))
            or any(
                b.has(*(at + key for key in keys)) and any(b.has(f"{at}{key}") for key in OBSERVED)
                for at in ("", "data[].")
                for keys in (("traceId", "type", "startTime"), ("trace_id", "type", "start_time"))
            )
        ),
        where="the download of a trace, its API, and exports of observations as JSON or JSON lines",
        endings=(".json", ".jsonl"),
        module="telemetry.langfuse",
        loses="what was sent: messages are as the framework has them",
    ),
    FileFormat(
        name="langfuse-csv",
        title="a table of observations of Langfuse",
        known_by="`traceId`, `type`, `startTime` and `input` in the first line, in either spelling, between commas",
        recognises=lambda b: any(b.has_columns(*names) for names in OBSERVED_COLUMNS),
        where="exports of observations as CSV",
        endings=(".csv",),
        module="telemetry.langfuse:table",
        loses="what was sent: messages are as the framework has them",
    ),
    FileFormat(
        name="litellm",
        title="what LiteLLM logs of a call",
        known_by="`litellm_call_id` and `call_type`; `call_type`, `spend` and `request_id` in rows of its table",
        recognises=lambda b: b.has("litellm_call_id", "call_type") or b.has("request_id", "call_type", "spend"),
        where="`standard_logging_object` of a callback, a bucket that a proxy logs to, `LiteLLM_SpendLogs`",
        endings=(".json", ".jsonl"),
        module="telemetry.litellm:payloads",
        loses="what was sent: messages are in the words of OpenAI",
    ),
    FileFormat(
        name="litellm-requests",
        title="requests and replies that a callback of LiteLLM wrote",
        known_by="`raw_request` or `complete_input_dict`, with `original_response`",
        recognises=lambda b: any(b.has(key, "original_response") for key in ("raw_request", "complete_input_dict")),
        where='`additional_args["complete_input_dict"]` and `original_response` of a callback',
        endings=(".json", ".jsonl"),
        module="telemetry.litellm:requests",
        loses="statuses",
    ),
    FileFormat(
        name="vertex-logging",
        title="requests and responses that Vertex AI logged",
        known_by="`full_request` or `request_payload`, with `logging_time`, `deployed_model_id`, `api_method` or "
        "`model`",
        recognises=lambda b: any(map(b.has, VERTEX_BODIES)) and any(map(b.has, VERTEX_ROWS)),
        where="the table of request-response logging in BigQuery: `bq query --format=json`, an export as JSON lines",
        endings=(".json", ".jsonl"),
        module="captures.vertex_logging",
        loses="the region; statuses, but for errors",
    ),
    FileFormat(
        name="cloud-logging",
        title="entries of Cloud Logging",
        known_by="two of `insertId`, `logName`, `receiveTimestamp`, `jsonPayload` and `textPayload`; keys that begin "
        "with `logging.googleapis.com/`",
        recognises=lambda b: (
            len(b.keys & CLOUD_ENTRIES) > 1
            or (b'"logging.googleapis.com/' in b.head and STRUCTURED.search(b.head) is not None)
        ),
        where="`gcloud logging read --format=json`, the files of a sink, structured lines on standard output",
        endings=(".json", ".jsonl"),
        module="captures.cloud_logging",
    ),
    FileFormat(
        name="langsmith",
        title="runs of LangSmith",
        known_by="`dotted_order` and `trace_id`",
        recognises=lambda b: b.has("dotted_order", "trace_id"),
        where="the export of a project",
        endings=(".json", ".jsonl"),
        instead="its wrapper for Gemini leaves out of requests the parts that call functions and answer them, others "
        "tell messages in words of their own. Record the traffic: `wirecheck record`",
    ),
    FileFormat(
        name="tshark",
        title="packets of tshark",
        known_by="`_source.layers`, or an `index` of packets",
        recognises=lambda b: b.has("_source.layers") or b'"_index":"packets-' in b.head,
        where="`tshark -T json`, `-T ek`",
        endings=(".json", ".jsonl"),
        instead="it holds packets, not messages. Record the traffic: `wirecheck record`, or a HAR file",
    ),
    FileFormat(
        name="curl",
        title="what curl prints of a request",
        known_by="no JSON, and a line that begins with `*   Trying`, `* Connected to` or `== Info:`",
        recognises=lambda b: b.head.lstrip()[:1] not in (b"{", b"[") and b.has_line(CURL),
        where="`curl -v`, `--trace-ascii`",
        endings=(".txt",),
        instead="of a request it holds no body, or one in lines of 64 characters in which all but ASCII is lost. Send "
        "it through `wirecheck record -- curl …`",
    ),
)
BY_NAME = {each.name: each for each in FORMATS}
READ = [each.name for each in FORMATS if each.module]
