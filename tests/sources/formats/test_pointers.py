"""Whatever the format: the place of a payload leads to it in the file, from its top."""

import io
import json
from typing import Any

import pytest
import yaml

from tests.sources.formats.test_recognition import SAMPLES
from tests.sources.telling import singly
from tests.sources.test_places import walk
from wirecheck.sources import Reader
from wirecheck.wire.records import Body, Closed, Frame, Opened, Replied

# Files that are no one value, and payloads that were put together: tests/sources/telemetry follows places in those.
WITHOUT = ("mitmproxy", "test-server, websocket", "OpenTelemetry", "langfuse of the API")


def _value(data: bytes) -> Any:
    return json.loads(data) if data[:1] in b"{[" else yaml.safe_load(data)


def _payload(stands: Any, body: Body) -> bool:
    """Whether a value is this payload, where it is not packed."""
    if isinstance(stands, dict | list) and body.form == "json" and not body.site.inner:
        return bool(stands == json.loads(body.raw))
    written = stands.decode(errors="replace") if isinstance(stands, bytes) else stands
    return isinstance(written, str | list) and written != []


@pytest.mark.parametrize("name", [name for name in SAMPLES if not name.startswith(WITHOUT)])
def test_a_place_leads_to_what_stands_there(name: str) -> None:
    value, bodies = _value(SAMPLES[name]), 0
    for record in singly(Reader(["-"], stdin=io.BytesIO(SAMPLES[name]))):
        if isinstance(record, Opened | Frame) and record.body is not None:
            assert _payload(walk(value, record.body.site.pointer), record.body), record.body.site
            bodies += 1
        elif isinstance(record, Replied):
            assert walk(value, record.pointer) == record.status
        elif isinstance(record, Closed) and record.pointer:
            assert record.code in walk(value, record.pointer).values()
        assert 1 <= record.origin.line <= SAMPLES[name].count(b"\n") + 1
    assert bodies > 1
