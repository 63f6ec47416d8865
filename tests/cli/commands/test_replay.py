"""`wirecheck replay`: what is sent, to whom, and what is said of the answers."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from tests.cli.logs import GOOD, URL, Desk, content, exchange

OK = {"candidates": [{"content": content("model", "ok :)")}]}


class Gateway(BaseHTTPRequestHandler):
    """Answers as it is told to, and keeps what it was asked."""

    protocol_version = "HTTP/1.1"
    answers: ClassVar[list[tuple[int, dict[str, str], bytes]]] = []
    asked: ClassVar[list[tuple[str, dict[str, str], bytes]]] = []

    def do_POST(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked.append((self.path, headers, self.rfile.read(int(headers["content-length"]))))
        status, more, body = self.answers.pop(0) if self.answers else (200, {}, json.dumps(OK).encode())
        self.send_response(status)
        for name, value in ({"content-type": "application/json", "content-length": str(len(body))} | more).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


@pytest.fixture
def gateway() -> Iterator[str]:
    Gateway.answers.clear()
    Gateway.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Gateway) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def answers(status: int, body: Any, **headers: str) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    Gateway.answers.append((status, headers, data))


def error(text: str) -> dict[str, Any]:
    return {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}


def test_all_as_it_was(desk: Desk, gateway: str) -> None:
    log = desk.write("log.jsonl", GOOD, exchange(content("user", "again :)")))
    result = desk.run("replay", log, "--to", f"{gateway}/below/")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wirecheck: 2 requests sent · 2 as before\n"), (
        result
    )
    assert [path for path, *_ in Gateway.asked] == ["/below/v1beta/models/gemini-3.6-flash:generateContent"] * 2
    assert [json.loads(body) for *_, body in Gateway.asked] == [
        {"contents": [content("user", text)]} for text in ("hi :)", "again :)")
    ]


def test_another_status_and_another_verdict(desk: Desk, gateway: str) -> None:
    """The gateway looks at what the server let pass."""
    log = desk.write("log.jsonl", exchange(content("nobody", "hi :)")), GOOD)
    answers(400, error("Please use a valid role: user, model."))
    result = desk.run("replay", log, "--to", gateway)
    assert result.exit_code == 1
    was, now, before = result.stdout.splitlines()
    assert was.startswith("log.jsonl:1: status 400, was 200: ")
    assert now == "log.jsonl:1: now error[OWN201 own-role] role nobody"
    assert before.startswith("log.jsonl:1: no longer warning[OWN201 own-role] role nobody")
    assert result.stderr == "wirecheck: 2 requests sent · 1 as before · 1 otherwise\n"


def test_what_is_wrong_with_the_answer_is_told(desk: Desk, gateway: str) -> None:
    log = desk.write("log.jsonl", GOOD)
    answers(200, {"candidates": [{"content": content("assistant", "ok")}]})
    result = desk.run("replay", log, "--to", gateway, "--isolated")
    assert result.exit_code == 1
    assert "reply-role-not-model" in result.stdout


@pytest.mark.parametrize("reply", ["another answer", "calls"])
def test_a_model_that_answers_otherwise_is_no_difference(desk: Desk, gateway: str, reply: str) -> None:
    """The requests that come later recite what was answered then."""
    call = {"functionCall": {"id": "c1", "name": "now", "args": {}}}
    said = [content("user", "hi :)"), {"role": "model", "parts": [call]}]
    said.append(
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "now", "response": {"time": "12"}}}]}
    )
    said += [content("model", "noon"), content("user", "thanks"), content("model", "bye")]
    lines = []
    for n in (1, 3, 5):
        line = json.loads(exchange(*said[:n]))
        line["response"]["body"] = {"candidates": [{"content": said[n], "finishReason": "STOP"}]}
        lines.append(json.dumps(line))
        parts = [{"text": "something else"}] if reply != "calls" else [call | {"thoughtSignature": "c2ln"}]
        answers(200, {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]})
    result = desk.run("replay", desk.write("log.jsonl", *lines), "--to", gateway, "--isolated")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "wirecheck: 3 requests sent · 3 as before\n"


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (f"data: {json.dumps(OK)}\n\n".encode(), {"content-type": "text/event-stream"}),
        (json.dumps([OK]).encode(), {}),
        (gzip.compress(json.dumps(OK).encode()), {"content-encoding": "gzip"}),
    ],
    ids=["events", "a list", "packed"],
)
def test_replies_are_read_as_they_come(desk: Desk, gateway: str, body: bytes, headers: dict[str, str]) -> None:
    answers(200, body, **headers)
    assert desk.run("replay", desk.write("log.jsonl", GOOD), "--to", gateway).exit_code == 0


def test_keys_are_not_sent_and_what_is_given_is(desk: Desk, gateway: str) -> None:
    asked = json.loads(GOOD)
    asked["request"]["url"] += "?key=[redacted]&alt=json&access_token=abc"
    asked["request"]["headers"] = {"authorization": "Bearer of-the-log", "user-agent": "me"}
    log = desk.write("log.jsonl", json.dumps(asked))
    result = desk.run("replay", log, "--to", gateway, "-H", "Authorization: Bearer mine")
    assert result.exit_code == 0
    ((path, headers, _),) = Gateway.asked
    assert path.endswith(":generateContent?alt=json")
    assert (headers["authorization"], headers["user-agent"]) == ("Bearer mine", "me")
    assert "mine" not in result.output


@pytest.mark.parametrize(
    ("to", "why"),
    [
        (URL, "generativelanguage.googleapis.com is not this machine"),
        ("http://10.0.0.1:8080", "10.0.0.1 is not this machine"),
        ("http://localhost.example.org", "is not this machine"),
        ("localhost", "no URL of a server"),
        ("ftp://localhost", "no URL of a server"),
        ("http://[::1", "no URL of a server"),
        ("http://localhost:99999", "no URL of a server"),
    ],
)
def test_nothing_goes_where_it_must_not(desk: Desk, to: str, why: str) -> None:
    result = desk.run("replay", desk.write("log.jsonl", GOOD), "--to", to)
    assert result.exit_code == 2
    assert why in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_header_that_is_none_is_refused_and_not_told(desk: Desk, gateway: str) -> None:
    result = desk.run("replay", desk.write("log.jsonl", GOOD), "--to", gateway, "-H", "my-secret")
    assert result.exit_code == 2
    assert "my-secret" not in result.output


def test_nobody_is_there(desk: Desk) -> None:
    result = desk.run("replay", desk.write("log.jsonl", GOOD, GOOD), "--to", "http://127.0.0.1:1")
    assert result.exit_code == 2
    assert result.stdout.count("no answer") == 1  # the others are not tried


def test_a_server_that_breaks_off_costs_one_exchange(desk: Desk, gateway: str) -> None:
    log = desk.write("log.jsonl", GOOD, GOOD, GOOD)
    answers(200, OK)
    answers(200, b"{", **{"content-length": "99", "connection": "close"})
    result = desk.run("replay", log, "--to", gateway, "--timeout", "1")
    assert result.exit_code == 2
    assert "log.jsonl:2: no answer" in result.stdout
    assert result.stderr == "wirecheck: 2 requests sent · 2 as before · 1 without an answer\n"


def test_what_is_not_sent_is_counted(desk: Desk, gateway: str) -> None:
    frame = json.dumps({"from": "client", "data": {"setup": {"model": "models/gemini-3.8-live"}}})
    desk.write("live.jsonl", frame)
    desk.write("log.jsonl", GOOD, "no json")
    result = desk.run("replay", "log.jsonl", "live.jsonl", "--to", gateway)
    assert "1 request sent" in result.stderr
    assert "not sent, Live sessions: 1" in result.stderr
    assert "not sent, lines that could not be read: 1" in result.stderr


def test_a_log_without_requests_is_no_success(desk: Desk, gateway: str) -> None:
    assert desk.run("replay", desk.write("log.jsonl", "{}"), "--to", gateway).exit_code == 2


def test_timing_waits_as_long_as_the_log_did(desk: Desk, gateway: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("wirecheck.cli.commands.replay.time.sleep", waited.append)
    lines = [
        json.dumps(
            {
                "v": 1,
                "kind": "opened",
                "channel": str(n),
                "at": at,
                "method": "POST",
                "url": URL,
                "body": {"contents": []},
            }
        )
        for n, at in enumerate((100.0, 101.5, 101.0, 9000.0))
    ]
    desk.run("replay", desk.write("log.jsonl", *lines), "--to", gateway, "--timing")
    assert waited == [0.0, 1.5, 0.0, 60.0]
