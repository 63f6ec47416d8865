"""What tracing keeps is recognised and not read: one sentence with what to do, and no finding."""

from pathlib import Path

import pytest

from tests.sources.agents.judged import judged

WRITTEN = {
    '{"trace": {"id": "1", "projectId": "2"}, "observations": [{"input": {"contents": []}}]}': "an export of Langfuse",
    '{"id": "1", "litellm_call_id": "2", "call_type": "acompletion", "messages": []}': "what LiteLLM logs of a call",
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
