"""Each file is recognised by what only its format has, by no other row of the table, and cheaply."""

import pytest

from tests.sources.captures import test_har, test_mitm_flows
from tests.sources.cassettes import (
    test_braintrust,
    test_google_test_server,
    test_nock,
    test_realtime,
    test_req_llm,
    test_vcr,
    test_wiremock,
)
from tests.sources.telemetry import samples, test_opentelemetry
from tests.work import work
from wirecheck.sources.formats.beginning import HEAD, Beginning
from wirecheck.sources.formats.known_formats import BY_NAME, FORMATS
from wirecheck.sources.formats.recognition import reader, recognise

SAMPLES = {
    **test_braintrust.SAMPLES,
    **test_google_test_server.SAMPLES,
    **test_har.SAMPLES,
    **test_mitm_flows.SAMPLES,
    **test_nock.SAMPLES,
    **test_opentelemetry.SAMPLES,
    **test_realtime.SAMPLES,
    **test_req_llm.SAMPLES,
    **test_vcr.SAMPLES,
    **test_wiremock.SAMPLES,
    **samples.SAMPLES,
}
# How the name of a sample begins, and the format it is.
NAMES = {
    "Braintrust": "braintrust",
    "test-server, websocket": "test-server-websocket",
    "test-server": "test-server",
    "HAR": "har",
    "mitmproxy": "mitmproxy-flows",
    "nock": "nock",
    "OpenTelemetry": "opentelemetry",
    "realtime": "realtime-yaml",
    "ReqLLM": "req-llm",
    "cassette of vcrpy, JSON": "vcr-json",
    "cassette of VCR for Ruby, JSON": "vcr-json",
    "cassette": "vcr-yaml",
    "WireMock, one mapping": "wiremock-mapping",
    "WireMock": "wiremock",
    **{name: name.partition(" ")[0] for name in samples.SAMPLES},
}
# Rows that come behind another one, as a comment says there: what is told apart by order alone.
AFTER = {"test-server": ("vcr-json",), "opentelemetry": ("js-console",)}
OTHERS = {
    "our log": b'{"v":1,"kind":"opened","channel":"1","method":"POST","url":"https://x/v1/interactions:"}\n',
    "an exchange": b'{"request": {"url": "x", "body": {"contents": []}}, "response": {"status": 200}}',
    "an exchange with headers": b'{"request": {"url": "x", "body": {}, "headers": {}}, "response": {"body": {}}}',
    "a list of exchanges": b'[{"request": {"uri": "x"}, "response": {}}]',
    "interactions of the API": b'{"interactions": [{"id": "v1_x", "steps": []}]}',
    "entries of a log": b'{"entries": [{"request": {"contents": []}, "textPayload": "x"}]}',
    "a log in a log": b'{"log": {"entries": [{"contents": []}]}}',
    "a body": b'{"contents": [{"role": "user", "parts": [{"text": "interactions:\\n- request:"}]}]}',
    "YAML": b"services:\n  web:\n    request: x\n",
    "quoted lines": b"> 12 {\n>> 7\n<html>\n",
    "numbers": b"12:30:15 started\n",
    "nothing": b"",
    "bytes": bytes(range(256)) * 8,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_known_by_its_beginning(name: str) -> None:
    wanted = next(known for begin, known in NAMES.items() if name.startswith(begin))
    known = recognise(SAMPLES[name])
    assert known is not None
    assert known.name == wanted
    assert callable(reader(known))


@pytest.mark.parametrize("name", SAMPLES)
def test_rows_agree_whatever_their_order(name: str) -> None:
    """But for those of which the table says that order matters."""
    found = {each.name for each in FORMATS if each.recognises(Beginning(SAMPLES[name]))}
    behind = {after for before in found for after in AFTER.get(before, ())}
    assert len(found - behind) == 1


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_is_none_of_them_is_left_to_be_searched(other: bytes) -> None:
    assert recognise(other) is None


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(FORMATS)


def test_recognising_looks_at_the_beginning_alone() -> None:
    large = SAMPLES["HAR"] + b" " * (10 << 20)
    assert work(lambda: recognise(large)) < 40_000
    assert work(lambda: recognise(b'{"contents": [' + b'{"x": [[1]]},' * HEAD)) < 60_000
