"""Forward mode, as a client without any library sees it: CONNECT, TLS with our certificates, absolute URLs."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.recorder.end_to_end.run import record
from tests.standin import Standin
from tests.standin.caller import HOST, path

SECRETS = ["tunnelSecret0123456789abcdef", "headerSecret0123456789abcdef", "wordSecret0123456789abcdefgh"]
PROGRAM = """
import http.client, json, os, ssl
from base64 import b64encode
from urllib.parse import urlsplit
proxy = urlsplit(os.environ["HTTPS_PROXY"])
tunnel, header, word = os.environ["SECRETS"].split()
host, path = "generativelanguage.googleapis.com", "/v1beta/models/gemini-3.6-flash:generateContent"
body = json.dumps({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]})

inside = http.client.HTTPSConnection(proxy.hostname, proxy.port, context=ssl.create_default_context())
inside.set_tunnel(host, 443, {"Proxy-Authorization": "Basic " + b64encode(f"me:{tunnel}".encode()).decode()})
echo = body.replace("hi", f"the proxy knows me as {tunnel}")
inside.request("POST", path, echo, {"x-goog-api-key": header})
print(inside.getresponse().status)

plain = http.client.HTTPConnection(proxy.hostname, proxy.port)
plain.request("POST", f"http://{host}{path}?key={word}", body, {"host": host, "proxy-authorization": tunnel})
print(plain.getresponse().status)
"""

LEAVES = """
import json, os, socket, ssl
from urllib.parse import urlsplit
from h2.connection import H2Connection
from h2.events import DataReceived
proxy, host = urlsplit(os.environ["HTTPS_PROXY"]), "generativelanguage.googleapis.com"
line = socket.create_connection((proxy.hostname, proxy.port))
line.sendall(f"CONNECT {host}:443 HTTP/1.1\\r\\nhost: {host}:443\\r\\n\\r\\n".encode())
assert b"200" in line.recv(1 << 16)
context = ssl.create_default_context()
context.set_alpn_protocols(["h2"])
line = context.wrap_socket(line, server_hostname=host)
assert line.selected_alpn_protocol() == "h2"
http = H2Connection()
http.initiate_connection()
head = {":method": "POST", ":scheme": "https", ":authority": host, ":path": os.environ["TARGET"]}
body = json.dumps({"contents": [{"role": "user", "parts": [{"text": "[[slow=0.3]]"}]}]}).encode()
http.send_headers(1, [*head.items(), ("content-type", "application/json"), ("content-length", str(len(body)))])
http.send_data(1, body, True)
while True:
    line.sendall(http.data_to_send())
    if any(isinstance(event, DataReceived) for event in http.receive_data(line.recv(1 << 16))):
        break
if os.environ["WAY"] == "says goodbye":
    http.close_connection()
    line.sendall(http.data_to_send())
line.close()
"""

SPEAKS = """
import json, os, ssl
from tests.standin.caller import HOST, Call
inside = ssl.create_default_context()
with Call(f"https://{HOST}:443", proxy=os.environ["HTTPS_PROXY"], tls=inside) as call:
    call.say({"setup": {"model": "models/gemini-3.8-live"}})
    call.until("setupComplete")
    call.say({"toolResponse": {"functionResponses": [{"id": "nobody", "name": "f", "response": {}}]}})
    print(json.dumps([list(call), call.closed.code, call.closed.reason]))
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


@pytest.mark.parametrize("way", ["says goodbye", "is gone"])
def test_a_client_that_leaves_over_http_2_is_not_the_servers_fault(server: Standin, tmp_path: Path, way: str) -> None:
    (tmp_path / "program.py").write_text(LEAVES)
    target = f"{path('streamGenerateContent')}?alt=sse"
    run = record(tmp_path, server.url, [sys.executable, "program.py"], TARGET=target, WAY=way)
    assert run.code == 0, run.err
    (closed,) = run.lines("closed")
    assert (closed["by"], closed["recorded"]) == ("client", False)
    assert run.live() == run.linted() == []


def test_a_live_frame_that_is_refused_closes_the_websocket_inside_the_tunnel(server: Standin, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SPEAKS)
    run = record(tmp_path, server.url, [sys.executable, "program.py"], "--enforce")
    assert run.code == 1, run.err
    heard, code, reason = json.loads(run.out)
    assert (heard, code) == ([], 1007)
    assert reason.startswith("[wirecheck WC7")
    assert [list(map(list, call.messages)) for call in server.heard] == [[["setup"]]]
    assert "Traceback" not in run.err
    assert run.linted() == run.live()
