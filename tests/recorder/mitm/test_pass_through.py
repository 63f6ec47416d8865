"""What is not recorded goes through the recorder as if it were not there."""

import http.server
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mitmproxy.certs import CertStore

from tests.recorder.end_to_end.run import record
from tests.standin import Standin

# Through a tunnel: whose certificate is shown, and when the first bytes of a slow answer are there.
TUNNEL = """
import hashlib, os, ssl, socket
proxy = os.environ["HTTPS_PROXY"].rpartition(":")[2]
line = socket.create_connection(("127.0.0.1", int(proxy)))
line.sendall(b"CONNECT localhost:PORT HTTP/1.1\\r\\n\\r\\n")
assert b" 200 " in line.recv(1000)
context = ssl._create_unverified_context()
line = context.wrap_socket(line, server_hostname="localhost")
print(hashlib.sha256(line.getpeercert(True)).hexdigest())
"""
SLOW = """
import time, urllib.request as web
with web.urlopen("http://localhost:PORT/") as answer:
    answer.read(1)
    first = time.monotonic()
    answer.read()
    print(time.monotonic() - first > 0.5)
"""


class Slow(http.server.BaseHTTPRequestHandler):
    """An answer that takes a second."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in (b"1\r\na\r\n", b"1\r\nb\r\n0\r\n\r\n"):
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(1)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def certificate(folder: Path) -> tuple[ssl.SSLContext, str]:
    """A server's own certificate, and its fingerprint."""
    CertStore.create_store(folder, "own", 2048)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own-ca.pem")
    store = CertStore.from_store(folder, "own", 2048)
    return context, store.default_ca.fingerprint().hex()


def run(folder: Path, program: str, *options: str) -> str:
    with Standin() as server:
        done = record(folder, server.url, [sys.executable, "-c", program], "--allow-empty", *options)
    assert done.code == 0, done.err
    assert not done.log.exists()  # nothing was recorded
    return done.out.strip()


def test_a_connection_to_another_host_stays_closed_to_us(tmp_path: Path) -> None:
    context, fingerprint = certificate(tmp_path)
    with serving(context) as port:
        program = TUNNEL.replace("PORT", str(port))
        assert run(tmp_path / "closed", program) == fingerprint
        assert run(tmp_path / "opened", program, "--all-hosts") != fingerprint


def test_nothing_of_another_host_is_held_back(tmp_path: Path) -> None:
    with serving() as port:
        assert run(tmp_path, SLOW.replace("PORT", str(port))) == "True"
