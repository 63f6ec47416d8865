"""What tracing keeps is recognised and not read: one sentence with what to do, and no finding."""

import gzip
from pathlib import Path

import pytest

from tests.sources.agents.judged import judged

WRITTEN = {
    '{"id": "1", "dotted_order": "x", "trace_id": "2", "inputs": {"messages": []}}': "runs of LangSmith",
    '[{"_index": "packets-1", "_source": {"layers": {}}}]': "packets of tshark",
    '{"index":{"_index":"packets-1","_type":"doc"}}\n{"layers":{}}': "packets of tshark",
    "*   Trying 127.0.0.1:1...\n> POST / HTTP/1.1\n": "what curl prints",
    "== Info:   Trying 127.0.0.1:1...\n": "what curl prints",
    "* Host localhost:1 was resolved.\n* IPv6: ::1\n*   Trying [::1]:1...\n": "what curl prints",
    "  % Total    % Received\n12:34:56.123456 == Info: Connected to x\n": "what curl prints",
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_it_is_named(written: str, packed: bool, tmp_path: Path) -> None:
    data = gzip.compress(written.encode()) if packed else written
    (told,) = judged(tmp_path, "x.json.gz" if packed else "x.json", data)
    assert told.startswith(WRITTEN[written])
    assert "which is not read: " in told
    assert "wirecheck record" in told
