"""Flows of mitmproxy are flows again, without the secrets in them; those without one stay byte for byte."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from mitmproxy.flow import Error
from mitmproxy.http import Headers, HTTPFlow, Request, Response
from mitmproxy.io import FlowReader, FlowWriter
from mitmproxy.net.encoding import encode
from mitmproxy.proxy.mode_specs import ProxyMode
from mitmproxy.test import tflow

from tests.redacting.planting import CORE, FORMS, HEADERS, answer, asked, left, written
from tests.sources.captures.test_mitm_flows import SAMPLES, flow_of, socket
from tests.sources.traffic import STREAMED, Spoken
from wirecheck.redacting.unredactable import Unredactable

KEY = FORMS["Google API key"]
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"


def saved(*flows: HTTPFlow) -> bytes:
    out = io.BytesIO()
    for flow in flows:
        FlowWriter(out).add(flow)
    return out.getvalue()


def flow(sent: str = "{}", got: str = "{}", url: str = URL, packed: str = "", **headers: str) -> HTTPFlow:
    made = tflow.tflow()
    made.request = Request.make(
        "POST", url, sent, Headers([(name.encode(), value.encode()) for name, value in headers.items()])
    )
    made.response = Response.make(200, b"", Headers(content_encoding=packed) if packed else Headers())
    content = encode(got.encode(), packed) if packed else got.encode()
    made.response.raw_content = content if isinstance(content, bytes) else b""
    return made


def opened(data: bytes) -> list[Any]:
    return list(FlowReader(io.BytesIO(data)).stream())


def failed(message: str) -> HTTPFlow:
    made = flow()
    made.error = Error(message)
    return made


PLACES = {
    "a request": lambda s: flow(sent=asked(s)),
    "a reply": lambda s: flow(got=answer(s)),
    "a reply, packed": lambda s: flow(got=answer(s), packed="gzip"),
    "a reply, packed otherwise": lambda s: flow(got=answer(s), packed="br"),
    "a header": lambda s: flow(warning=s.strip().replace("\n", " ")),
    "a query": lambda s: flow(url=f"{URL}?alt=sse&x={''.join(s.split())}".replace("#", "%23")),
    "a socket": lambda s: socket([("client", {"setup": {}}), ("server", {"serverContent": {"text": s}})]),
    "an error": lambda s: failed(f"cannot: {s}"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_gone_from_any_place(tmp_path: Path, place: str) -> None:
    for kind, secret in FORMS.items():
        if place in ("a query", "a header") and (" " in secret.strip() or "#" in secret or "\n" in secret):
            continue  # not to be had there
        data = saved(flow(sent="before"), PLACES[place](secret), flow(sent="after"))
        after = written(data, "a.mitm", tmp_path)
        assert not left(after, secret), kind
        assert len(opened(after)) == 3
        assert written(after, "a.mitm", tmp_path) == after
        for response in (each.response for each in opened(after)):
            assert response.content is not None


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_is_gone(tmp_path: Path, header: str) -> None:
    made = flow()
    made.request.headers[header] = CORE
    after = written(saved(made, flow(got=CORE)), "a.mitm", tmp_path)
    assert not left(after, CORE)
    assert header in opened(after)[0].request.headers


def test_what_holds_no_secret_stays(tmp_path: Path) -> None:
    assert written(SAMPLES["mitmproxy"], "a.mitm", tmp_path) == SAMPLES["mitmproxy"]
    spoken: Spoken = STREAMED[0]
    plain = saved(flow_of(spoken, packed=True))
    after = written(plain + saved(flow(sent=asked(KEY))) + plain, "a.mitm", tmp_path)
    assert after.startswith(plain)
    assert after.endswith(plain)
    made = flow(sent="x")
    made.client_conn.proxy_mode = ProxyMode.parse("reverse:http://127.0.0.1:8080@9000")
    assert written(saved(made), "a.mitm", tmp_path) == saved(made)


def test_a_body_that_is_no_text_keeps_its_length(tmp_path: Path) -> None:
    made = flow()
    made.request.raw_content = b"\x00\xff\x0b" + KEY.encode() + b"\x10\xff"
    after = opened(written(saved(made), "a.mitm", tmp_path))[0].request.raw_content
    assert after == b"\x00\xff\x0b[redacted]" + b"*" * (len(KEY) - 10) + b"\x10\xff"


@pytest.mark.parametrize(
    "data",
    [
        saved(flow(sent=KEY))[:-20],
        saved(flow(sent=KEY)) + b"999999999999:",
        saved(flow(sent=KEY)) + b"x",
        saved(flow(sent=KEY)) + b"5:abc",
        saved(flow(sent=KEY)).replace(b"4:type;4:http", b"4:type;9:http"),
        b"3000:7:version;" + b"9:" * 1500,
    ],
)
def test_what_is_broken_is_told(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unredactable, match=r"flow [12]"):
        written(data, "a.mitm", tmp_path)


def test_a_reply_that_cannot_be_unpacked_is_searched_as_it_is(tmp_path: Path) -> None:
    made = flow(got=json.dumps({"a": KEY}))
    assert made.response is not None
    made.response.headers["content-encoding"] = "gzip"
    made.request.raw_content = gzip.compress(b"x")[:-3]
    assert not left(written(saved(made), "a.mitm", tmp_path), KEY)
