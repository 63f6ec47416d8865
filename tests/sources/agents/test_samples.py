"""Files that the programs wrote, where they lie beside the project."""

import gzip
from pathlib import Path

import pytest

from tests.sources.agents.judged import findings

SAMPLES = Path(__file__).parents[4] / "shared" / "samples"
LOST, COUNT = "transcript-missing-function-response", "function-response-count-mismatch"
FILES = {
    "google-adk/events-sound.jsonl": set[str](),
    "google-adk/session-sound.json": set(),
    "google-adk/sound.evalset.json": set(),
    "google-adk/interrupted.evalset.json": {LOST},
    "google-adk/session-interrupted.json": {LOST},
    "google-adk/sessions.db": {LOST},
    "gemini-cli/rec.responses": set(),
    "gemini-cli/session-2026-11-20T02-32-531eab66.jsonl": set(),
    "gemini-cli/stream-json.jsonl": set(),
    "gemini-cli/telemetry.log": set(),
    "openinference/console-spans.txt": {COUNT},
    "openinference/otlp.jsonl": {COUNT},
    "otel-genai/console-spans.txt": {COUNT},
    "otel-genai/otlp.jsonl": {COUNT},
    "livekit/chat_ctx.to_dict.json": {COUNT},
    "livekit/provider-format-google.json": set(),
    "cloud-logging/gcloud-logging-read.json": {COUNT},
    "cloud-logging/gcs-sink.jsonl": {COUNT},
    "cloud-logging/stdout-structured.jsonl": {COUNT},
    "langfuse/google-adk-2025-08-28.trace.json": set(),
    "langfuse/google-gemini-2025-08-01.trace.json": set(),
    "langfuse/pydantic-ai-with-gemini-2025-12-24.trace.json": set(),
    "litellm/raw-callback.jsonl": {COUNT},
    "litellm/standard-logging-payload.jsonl": {COUNT},
    "vertex-bq/bq-query-format-json.json": {COUNT},
    "vertex-bq/rows-json-columns.jsonl": {COUNT},
    "vertex-bq/rows-string-columns.jsonl": {COUNT},
    "vercel-ai-sdk/generations.json": set(),
    "vercel-ai-sdk/response-messages.json": set(),
    "vercel-ai-sdk/steps.json": set(),
}
NAMED = {
    "python-repr/history-print.txt": "what Python prints",
    "python-repr/history-repr.txt": "what Python prints",
    "python-repr/history-model_dump.txt": "what Python prints",
    "python-repr/response-print.txt": "what Python prints",
    "python-repr/response-repr.txt": "what Python prints",
    "js-console/http-history-console-log.txt": "what console.log prints",
    "js-console/live-broken.txt": "what console.log prints",
    "js-console/live-sound.txt": "what console.log prints",
    "ai-studio/prompt.json": "a prompt of AI Studio",
    "curl-v/curl-v.txt": "what curl prints",
    "curl-v/trace-ascii.txt": "what curl prints",
    "langsmith/runs.jsonl": "runs of LangSmith",
    "tshark/tshark-ek.jsonl": "packets of tshark",
    "tshark/tshark.json": "packets of tshark",
}
there = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples lie beside the project")


@there
@pytest.mark.parametrize("name", FILES)
def test_a_sample(name: str) -> None:
    found, reader, inspector = findings(SAMPLES / name)
    assert {each.rule for each in found if each.severity != "info"} == FILES[name]
    assert reader.problems == []
    assert inspector.checked.conversations > 0


@there
@pytest.mark.parametrize("name", NAMED)
def test_a_sample_that_is_named(name: str, tmp_path: Path) -> None:
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress((SAMPLES / name).read_bytes()))
    for path in (SAMPLES / name, packed):
        found, reader, _ = findings(path)
        assert found == []
        assert [problem.why.startswith(NAMED[name]) for problem in reader.problems] == [True]


@there
def test_a_trace_of_another_model_is_passed_over() -> None:
    found, reader, inspector = findings(SAMPLES / "langfuse/vercel-aisdk-2025-11-17.trace.json")
    assert (found, reader.problems, inspector.checked.conversations) == ([], [], 0)
    assert "another model than Google's" in str(inspector.checked.skipped)
