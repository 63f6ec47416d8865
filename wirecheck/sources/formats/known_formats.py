"""The formats that files are recognised as, before anything is searched for inside."""

from wirecheck.sources.formats.file_format import FileFormat

FORMATS = (
    FileFormat(
        name="vcr-yaml",
        title="a VCR cassette",
        known_by="`interactions:` or `http_interactions:` at the top, with `request:` in them",
        recognises=lambda b: b.is_yaml("interactions", "http_interactions") and b"request:" in b.head,
        where="`tests/**/cassettes/**/*.yaml` (vcrpy, pytest-recording), `spec/**/*.yml` (VCR for Ruby)",
        endings=(".yaml", ".yml"),
        module="cassettes.vcr:yaml",
    ),
    FileFormat(
        name="vcr-json",
        title="a VCR cassette (JSON)",
        known_by="`interactions[].request.uri`",
        recognises=lambda b: b.has("interactions[].request.uri") or b.has("http_interactions[].request"),
        where="the same folders, where cassettes are serialized as JSON",
        endings=(".json",),
        module="cassettes.vcr:json",
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
