"""Forward mode, as a client without any library sees it: CONNECT, TLS with our certificates, absolute URLs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.record.run import record
from tests.standin import Standin
from tests.standin.caller import HOST, path

SECRETS = ["tunnelSecret0123456789abcdef", "headerSecret0123456789abcdef", "wordSecret0123456789abcdefgh"]
PROGRAM = """
import http.client, json, os, ssl
from urllib.parse import urlsplit
proxy = urlsplit(os.environ["HTTPS_PROXY"])
tunnel, header, word = os.environ["SECRETS"].split()
host, path = "generativelanguage.googleapis.com", "/v1beta/models/gemini-3.6-flash:generateContent"
body = json.dumps({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]})

inside = http.client.HTTPSConnection(proxy.hostname, proxy.port, context=ssl.create_default_context())
inside.set_tunnel(host, 443, {"Proxy-Authorization": f"Basic {tunnel}"})
inside.request("POST", path, body, {"x-goog-api-key": header})
print(inside.getresponse().status)

plain = http.client.HTTPConnection(proxy.hostname, proxy.port)
plain.request("POST", f"http://{host}{path}?key={word}", body, {"host": host, "proxy-authorization": tunnel})
print(plain.getresponse().status)
"""


@pytest.fixture
def server() -> Iterator[Standin]:
    with Standin() as standin:
        yield standin


def test_nothing_secret_stays_of_what_only_a_proxy_is_told(server: Standin, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    run = record(tmp_path, server.url, [sys.executable, "program.py"], SECRETS=" ".join(SECRETS))
    assert run.out.split() == ["200", "200"], run.err
    opened = run.lines("opened")
    assert [urlsplit(line["url"]).hostname for line in opened] == [HOST] * 2
    assert [heard.target for heard in server.heard] == [path(), f"{path()}?key={SECRETS[2]}"]
    written = run.log.read_text() + run.err
    assert [secret for secret in SECRETS if secret[:12] in written] == []
