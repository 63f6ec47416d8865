"""What tracing keeps is recognised and not read: one sentence with what to do, and no finding."""

from pathlib import Path

import pytest

from tests.sources.agents.judged import judged

SPAN = '{"name": "chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "kind": "SpanKind.CLIENT", "attributes": {}}'
WRITTEN = {
    '{"resourceSpans": [{"scopeSpans": [{"spans": []}]}]}': "spans of OpenTelemetry",
    '{"resourceLogs": []}': "spans of OpenTelemetry",
    SPAN: "spans of OpenTelemetry",
    '{"id": "1", "dotted_order": "x", "trace_id": "2", "inputs": {"messages": []}}': "runs of LangSmith",
    '[{"_index": "packets-1", "_source": {"layers": {}}}]': "packets of tshark",
    '{"index":{"_index":"packets-1","_type":"doc"}}\n{"layers":{}}': "packets of tshark",
    "*   Trying 127.0.0.1:1...\n> POST / HTTP/1.1\n": "what curl prints",
    "== Info:   Trying 127.0.0.1:1...\n": "what curl prints",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_it_is_named(written: str, tmp_path: Path) -> None:
    (told,) = judged(tmp_path, "x.json", written)
    assert told.startswith(WRITTEN[written])
    assert "which is not read: " in told
    assert "wirecheck record" in told
