"""The formats that files are recognised as, before anything is searched for inside."""

import re

from wirecheck.sources.formats.file_format import FileFormat

DIRECTION = rb"[ -]*direction: ['\"]?(?:sent|received)\b"
REQUEST = rb"[ -]*request:"
HAR = {f"log.{key}" for key in ("version", "creator", "browser", "pages", "entries")}
WIREMOCK_BODIES = ("bodyFileName", "jsonBody", "base64Body")
MITM = re.compile(rb"[0-9]{2,12}:([0-9]{1,2}):([a-z_]{1,30})[;,]")

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
        loses="times, and how the session was closed",
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
        recognises=lambda b: len(b.keys & HAR) > 1 or b.has("log.entries[].request"),
        where="what a browser, Charles, Proxyman, HTTP Toolkit or mitmproxy (`hardump`) exports, and Polly.JS records",
        endings=(".har",),
        module="captures.har",
        loses="how a websocket was closed, in most programs",
    ),
    FileFormat(
        name="mitmproxy-flows",
        title="flows of mitmproxy",
        known_by="the first bytes, `LEN:` twice and the name of a field",
        recognises=lambda b: (found := MITM.match(b.head)) is not None and int(found[1]) == len(found[2]),
        where="what `mitmproxy -w` and `mitmdump -w` write",
        endings=(".mitm", ".flow", ".flows"),
        module="captures.mitm_flows",
    ),
    FileFormat(
        name="adk-session",
        title="a session of Google's Agent Development Kit",
        known_by="`appName` and `events[].invocationId`, in either spelling",
        recognises=lambda b: b.has("appName", "events[].invocationId") or b.has("app_name", "events[].invocation_id"),
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
        known_by="`eval_cases[].conversation`",
        recognises=lambda b: b.has("eval_cases[].conversation") or b.has("evalCases[].conversation"),
        where="`*.evalset.json` beside an agent",
        endings=(".json",),
        module="agents.adk:eval_set",
    ),
    FileFormat(
        name="adk-database",
        title="a database of sessions of Google's Agent Development Kit",
        known_by="SQLite with a table `events` that has a column `event_data`",
        recognises=lambda b: b.head.startswith(b"SQLite format 3\0"),
        where="`sessions.db`, as SqliteSessionService writes it",
        endings=(".db", ".sqlite", ".sqlite3"),
        module="agents.adk:database",
    ),
)
BY_NAME = {each.name: each for each in FORMATS}
