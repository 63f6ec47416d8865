"""HAR files of browsers and proxies: exchanges and websockets, judged or counted by host."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.traffic import (
    BROKEN,
    HERE,
    HOST,
    LIVE,
    LOST,
    LOST_ID,
    MISCOUNT,
    SESSION,
    SOUND,
    STREAMED,
    STREAMED_BROKEN,
    Spoken,
    judged,
)

Frames = list[tuple[str, dict[str, Any]]]
TIME = "2026-11-18T07:29:28.810Z"
JSON = "application/json; charset=UTF-8"


def entry(url: str, asked: str = "", status: int = 200, said: str = "", method: str = "POST") -> dict[str, Any]:
    request: dict[str, Any] = {"method": method, "url": url, "httpVersion": "HTTP/2", "headers": []}
    request |= {"queryString": [], "cookies": [], "headersSize": -1, "bodySize": len(asked)}
    if asked:
        request["postData"] = {"mimeType": JSON, "text": asked, "params": []}
    # Browsers unpack what they write, and keep the headers.
    headers = [{"name": "Content-Encoding", "value": "br"}, {"name": "Content-Type", "value": JSON}]
    content = {"size": len(said), "mimeType": JSON, "text": said}
    response = {"status": status, "statusText": "", "headers": headers, "content": content, "bodySize": -1}
    return {"startedDateTime": TIME, "time": 40, "request": request, "response": response, "cache": {}, "timings": {}}


def spoken_in(each: Spoken) -> dict[str, Any]:
    return entry(HOST + each.path, each.request, each.status, each.reply)


def encoded(each: Spoken) -> dict[str, Any]:
    """As programs write what they take for bytes."""
    found = spoken_in(each)
    packed = base64.b64encode(each.reply.encode()).decode()
    found["response"]["content"] |= {"text": packed, "encoding": "base64"}
    return found


def polly(each: Spoken) -> dict[str, Any]:
    """As Polly.JS keeps a reply that was packed: a list of its pieces, as text."""
    found, data = spoken_in(each), gzip.compress(each.reply.encode())
    pieces = [base64.b64encode(data[n : n + 40]).decode() for n in range(0, len(data), 40)]
    found["response"]["headers"] = [{"name": "content-encoding", "value": "gzip"}]
    found["response"]["content"] |= {"text": json.dumps(pieces), "encoding": "base64"}
    return found


def old_polly(each: Spoken) -> dict[str, Any]:
    found, data = polly(each), gzip.compress(each.reply.encode())
    pieces = [data[n : n + 40].hex() for n in range(0, len(data), 40)]
    found["response"]["content"] |= {"text": json.dumps(pieces), "encoding": "utf8", "_isBinary": True}
    return found


def socket(frames: Frames, url: str = LIVE, *more: dict[str, Any], **told: Any) -> dict[str, Any]:
    messages = [
        {"type": "send", "time": 1795141712.98 + n, "opcode": 1, "data": json.dumps(value)}
        if sender == "client"
        else {
            "type": "receive",
            "time": 1795141712.98 + n,
            "opcode": 2,
            "data": base64.b64encode(json.dumps(value, indent=1).encode()).decode(),
        }
        for n, (sender, value) in enumerate(frames)
    ]
    found = entry(url, status=101, method="GET")
    return {**found, "_resourceType": "websocket", "_webSocketMessages": [*messages, *more], **told}


def har(*entries: dict[str, Any], creator: str = "WebInspector", indent: int | None = 2) -> bytes:
    log = {"version": "1.2", "creator": {"name": creator, "version": "1"}, "pages": [], "entries": entries}
    return json.dumps({"log": log}, indent=indent).encode()


WRITERS = {"as text": spoken_in, "in base64": encoded, "packed, in pieces": polly, "packed, in hex": old_polly}
SAMPLES = {
    "HAR": har(*map(spoken_in, STREAMED), socket(SESSION, _webSocketClose={"code": 1000, "reason": ""})),
    "HAR of Polly.JS": har(*map(polly, SOUND)),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_sound_file_is_read_and_nothing_is_found(writer: str, spoken: list[Spoken], indent: int | None) -> None:
    found = judged("", har(*map(WRITERS[writer], spoken), indent=indent))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


@pytest.mark.parametrize("spoken", [BROKEN, STREAMED_BROKEN], ids=["whole", "streamed"])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_miscounted_response_is_found_in_its_entry(writer: str, spoken: list[Spoken]) -> None:
    data = har(entry("https://example.com/"), *map(WRITERS[writer], spoken))
    found = judged("", data)
    line = [n for n, row in enumerate(data.splitlines(), 1) if row == b"      {"][2]
    assert found.places == [f"{line}: {MISCOUNT} /log/entries/2/request/postData/text{HERE}"]
    (finding,) = found.findings
    assert (finding.surface, finding.model) == ("gemini-api", "gemini-2.5-flash")
    assert (finding.server.verdict, finding.server.status) == ("confirmed", 400)


def test_a_file_in_one_line_has_its_entries_in_the_pointer() -> None:
    found = judged("", har(*map(spoken_in, BROKEN), indent=None))
    assert found.places == [f"1: {MISCOUNT} /log/entries/1/request/postData/text{HERE}"]


def test_a_byte_order_mark_and_blank_lines_before_are_no_trouble() -> None:
    assert judged("", b"\xef\xbb\xbf\n\n" + har(*map(spoken_in, SOUND))).checked.exchanges == 2


def test_a_websocket_is_a_session() -> None:
    found = judged("", har(socket(SESSION)))
    assert (found.places, found.checked.sessions, found.checked.frames) == ([], 1, 8)
    assert found.checked.open_calls == 0


@pytest.mark.parametrize("url", [LIVE, LIVE.replace("wss:", "https:"), "wss://proxy.example/live"])
def test_a_lost_id_is_found_at_its_frame(url: str) -> None:
    found = judged("", har(entry("https://example.com/"), socket(LOST, url)))
    pointer = "/log/entries/1/_webSocketMessages/4/data/toolResponse/functionResponses/0"
    assert [place.partition(": ")[2] for place in found.places] == [f"{LOST_ID} {pointer}"]


CLOSES = {
    "HTTP Toolkit": ({"_webSocketClose": {"code": 1007, "reason": "invalid argument", "timestamp": 7}}, ()),
    "a frame": (
        {},
        ({"type": "receive", "time": 9, "opcode": 8, "data": base64.b64encode(b"\x03\xefinvalid argument").decode()},),
    ),
}


@pytest.mark.parametrize(("told", "more"), CLOSES.values(), ids=CLOSES)
def test_a_close_is_read_where_a_program_writes_it(told: dict[str, Any], more: tuple[dict[str, Any], ...]) -> None:
    found = judged("", har(socket(LOST, LIVE, *more, **told)))
    at = "/log/entries/0/_webSocketMessages/8" if more else "/log/entries/0/_webSocketClose"
    assert any(each.place.pointer.startswith(at) and "1007" in each.message for each in found.findings)


def test_pings_and_errors_are_no_frames() -> None:
    more = [{"type": "send", "opcode": 9, "data": ""}, {"type": "error", "opcode": -1, "data": "net::ERR"}]
    found = judged("", har(socket(SESSION, LIVE, *more)))
    assert (found.places, found.checked.frames) == ([], 8)


def test_what_is_no_gemini_traffic_is_counted_by_host() -> None:
    others = [
        entry("https://example.com/page", said="<html>", method="GET"),
        entry("https://example.com/api", '{"contents of": 1}', said='{"error": {"code": 400, "message": "no"}}'),
        entry("https://example.com/api", said='{"role": "model", "parts": [{"functionCall": {}}]}', method="GET"),
        entry("https://cdn.example/x.js", said="var x", method="GET"),
        entry("https://cms.example/x", '{"contents": [{"id": 1, "title": "x"}]}', said="{}"),
        entry("https://api.openai.com/v1/chat/completions", '{"messages": [{"role": "tool", "content": "x"}]}'),
        socket([("client", {"type": "ping"}), ("server", {"type": "pong"})], "wss://chat.example/socket"),
        socket([], "wss://chat.example/socket", {"type": "send", "opcode": 1, "data": "2probe", "time": 1}),
        entry(HOST + "/v1beta/models", said='{"models": []}', method="GET"),
        entry(HOST + SOUND[0].path, status=204, method="OPTIONS"),
    ]
    found = judged("", har(*others, *map(spoken_in, SOUND)))
    assert (found.places, found.checked.exchanges, found.checked.sessions) == ([], 2, 0)
    assert found.checked.unjudged == {
        "requests to example.com": 3,
        "requests to cdn.example": 1,
        "requests to cms.example": 1,
        "requests to api.openai.com": 1,
        "requests to chat.example": 2,
        "models": 1,
    }


def test_what_was_redacted_or_left_out_is_skipped() -> None:
    hidden = entry(HOST + SOUND[0].path, "[redacted]", 200, "<REDACTED>")
    large = entry(HOST + SOUND[0].path, SOUND[0].request, 200, "x" * 50_000)
    del large["response"]["content"]["text"]
    found = judged("", har(hidden, large))
    assert found.places == []
    assert set(found.skipped) == {
        "a body that was redacted",
        "a body that was not exported, as programs leave out large ones",
    }


def test_a_request_without_response_is_one_all_the_same() -> None:
    """Browsers write status 0 where none came."""
    aborted = entry(HOST + BROKEN[1].path, BROKEN[1].request, 0)
    (finding,) = judged("", har(aborted)).findings
    assert (finding.rule, finding.server.status) == (MISCOUNT, None)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (har(*map(spoken_in, SOUND))[:-30], "not JSON: it breaks off in line 90"),
        (har().replace(b'"entries": []', b'"entries": null'), "there is no list log.entries in it"),
        (har().replace(b"[]", b"[" * 200_000 + b"]" * 200_000), "it is nested too deep"),
        (har().replace(b'"pages"', b'"pa\xffges"'), "line 8: invalid UTF-8"),
        (har().replace(b'"pages"', b"pages"), "line 8: not JSON: "),
    ],
    ids=["cut", "null", "deep", "bytes", "grammar"],
)
def test_a_file_that_is_broken_is_one_message(data: bytes, why: str) -> None:
    found = judged("", data)
    assert (found.places, len(found.problems)) == ([], 1)
    assert found.problems[0].why.startswith(why)


def test_an_entry_that_is_none_is_skipped_and_the_others_are_judged() -> None:
    found = judged("", har({"time": 1}, *map(spoken_in, BROKEN)))
    assert (found.skipped, len(found.places)) == (["an entry without a request"], 1)


def attached(folder: Path, each: Spoken, name: str) -> dict[str, Any]:
    """As Playwright attaches bodies: each is a file beside the recording."""
    found = spoken_in(each)
    (folder / f"asked-{name}").write_text(each.request)
    (folder / f"said-{name}").write_text(each.reply)
    found["request"]["postData"] = {"mimeType": JSON, "text": "", "params": [], "_file": f"asked-{name}"}
    found["response"]["content"] = {"size": len(each.reply), "mimeType": JSON, "_file": f"said-{name}"}
    return found


@pytest.mark.parametrize(("spoken", "rules"), [(SOUND, []), (BROKEN, [MISCOUNT]), (STREAMED_BROKEN, [MISCOUNT])])
def test_bodies_that_were_attached(spoken: tuple[Spoken, ...], rules: list[str], tmp_path: Path) -> None:
    path = tmp_path / "recorded.har"
    path.write_bytes(har(*(attached(tmp_path, each, f"{n}.json") for n, each in enumerate(spoken))))
    found = judged(path)
    assert [each.rule for each in found.findings] == rules
    assert (found.checked.exchanges, found.checked.skipped) == (2, [])
    assert [Path(each.place.path).name for each in found.findings] == ["asked-1.json"] * len(rules)


def test_a_body_that_was_attached_elsewhere_is_counted(tmp_path: Path) -> None:
    (tmp_path / "recordings").mkdir()
    path = tmp_path / "recordings" / "recorded.har"
    path.write_bytes(
        har(*(attached(tmp_path, each, f"{n}.json") for n, each in enumerate(SOUND))).replace(
            b'"_file": "', b'"_file": "../'
        )
    )
    found = judged(path)
    assert found.findings == []
    assert sum(count for *_, count in found.checked.skipped) == 4
