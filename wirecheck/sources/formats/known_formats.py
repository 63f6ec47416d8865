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
        known_by="`appName` and `userId`, with `events[].invocationId` or `state`, in either spelling",
        recognises=lambda b: (
            b.has("appName", "userId")
            and (b.has("events[].invocationId") or b.has("id", "state"))
            or b.has("app_name", "user_id")
            and (b.has("events[].invocation_id") or b.has("id", "state"))
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
        recognises=lambda b: b.head.startswith(b"SQLite format 3\0"),
        where="`sessions.db`, as SqliteSessionService and DatabaseSessionService write it",
        endings=(".db", ".sqlite", ".sqlite3"),
        module="agents.adk_database",
    ),
)
BY_NAME = {each.name: each for each in FORMATS}
