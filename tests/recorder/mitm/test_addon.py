"""The addon as mitmproxy sees it: what becomes of flows, and that no fault of ours ever reaches them."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from mitmproxy.exceptions import OptionsError
from mitmproxy.io.tnetstring import dumps

from tests.recorder.flows import BAD, FRAME, GOOD, STREAM, exchange, running, session, traffic, whole
from wirecheck.recorder.capture.journal import JournalLost

WARNING = b'{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[]}]}'


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.mark.parametrize(
    ("body", "status", "marker", "codes"),
    [(GOOD, 200, "", ""), (BAD, 400, ":red_circle:", "WC301"), (BAD, 200, ":yellow_circle:", "WC301")],
)
async def test_findings_mark_the_flow(body: bytes, status: int, marker: str, codes: str) -> None:
    with running(select=["WC3"]) as addon:
        flow = whole(addon, exchange(body, status=status))
    assert flow.marked == marker
    assert flow.metadata.get("wirecheck", "") == codes
    assert ("f (no id) was called and never answered" in flow.comment) is bool(codes)
    assert dumps(flow.get_state())  # as -w would


async def test_marks_and_comments_of_users_stay_and_nothing_is_said_twice() -> None:
    flow = exchange(BAD, status=400)
    flow.marked, flow.comment = ":bug:", "mine"
    for _ in range(2):
        with running(select=["WC3"]) as addon:
            whole(addon, flow)
    assert flow.marked == ":bug:"
    first, *rest = flow.comment.split("\n")
    assert (first, len(rest)) == ("mine", 1)


async def test_comments_hold_no_secrets() -> None:
    key = "AIza" + "k" * 35
    body = BAD.replace(b'"name":"f"', b'"name":"f","id":"%s"' % key.encode())
    with running(select=["WC3"]) as addon:
        flow = whole(addon, exchange(body, status=400))
    assert "was called and never answered" in flow.comment
    assert key not in flow.comment


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, 1), ({"fail_on": "never"}, 0), ({"ignore": ["WC"]}, 0), ({"fail_on": "error"}, 0)],
)
async def test_the_verdict_is_the_code(options: dict[str, Any], code: int) -> None:
    with running(**options) as addon:
        whole(addon, exchange(BAD))  # which the server accepts, so it is a warning
    assert addon.code == code


@pytest.mark.parametrize(("options", "code"), [({}, 2), ({"allow_empty": True}, 0)])
async def test_nothing_to_judge_is_not_green(options: dict[str, Any], code: int) -> None:
    with running(**options) as addon:
        whole(addon, exchange(b"hello", "https://example.org/"))
    assert addon.code == code


@pytest.mark.parametrize(
    "options",
    [{"report": ["json"]}, {"report": ["xml=x"]}, {"select": ["WC9999"]}, {"rules": ["/nowhere"]}, {"fail_on": "much"}],
)
async def test_an_option_that_cannot_be_had_is_refused(options: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(OptionsError), running(said.append, **options):
        raise AssertionError("it runs")


async def test_mitmproxys_own_programs_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, running(report=["json"]):
        raise AssertionError("it runs")
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("wirecheck: wirecheck_report: 'json' is not FORMAT=PATH")


async def test_findings_are_told_as_they_happen_and_never_as_errors(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with running(select=["WC3"]) as addon:
        whole(addon, exchange(BAD))
        told = [record for record in caplog.records if "WC301" in record.message]
        assert [record.levelname for record in told] == ["WARNING"]
    assert "1 exchange → 1 conversation" in caplog.text


async def test_the_last_line_names_the_settings(said: list[str]) -> None:
    with running(said.append, settings="wirecheck.toml") as addon:
        whole(addon, exchange(GOOD))
    assert said[-1].splitlines()[-1].endswith(" · settings: wirecheck.toml")


async def test_reports_are_written_as_it_happens_or_at_the_end(tmp_path: Path) -> None:
    lines, end = tmp_path / "live.jsonl", tmp_path / "end.json"
    with running(select=["WC3"], report=[f"json-lines={lines}", f"json={end}"]) as addon:
        whole(addon, exchange(BAD))
        assert [json.loads(line)["code"] for line in lines.read_text().splitlines()] == ["WC301"]
        assert not end.exists()
    assert json.loads(end.read_text())["summary"]["warning"] == 1


async def test_a_report_that_cannot_be_written_fails_the_run_only(tmp_path: Path, said: list[str]) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    with running(said.append, report=[f"json={folder / 'end.json'}"]) as addon:
        whole(addon, exchange(GOOD))
        folder.rmdir()
    assert addon.code == 2
    assert "end.json: cannot be written" in said[-1]


async def test_a_stream_goes_on_as_it_comes_and_can_be_looked_at_afterwards() -> None:
    chunks = [b'data: {"candidates":[]}\r', b"\n\r\n", b""]
    with running() as addon:
        flow, hooks = exchange(GOOD, STREAM, kind="text/event-stream"), traffic(addon)
        assert flow.response is not None
        flow.response.raw_content = None
        hooks.request(flow)
        hooks.responseheaders(flow)
        assert callable(flow.response.stream)
        assert [flow.response.stream(chunk) for chunk in chunks] == chunks
        hooks.response(flow)
    assert flow.response.raw_content == b"".join(chunks)


@pytest.mark.parametrize("embedded", [True, False])
async def test_what_is_not_recorded_is_not_touched(embedded: bool, said: list[str]) -> None:
    """Only a proxy of our own keeps nothing back: in mitmproxy somebody wants to see the body."""
    with running(said.append if embedded else None, allow_empty=True) as addon:
        flow = whole(addon, exchange(b"hello", "https://example.org/"))
    assert flow.response is not None
    assert flow.response.stream is embedded
    assert (flow.marked, flow.comment, dict(flow.metadata)) == ("", "", {})


@pytest.mark.parametrize("event", ["request", "responseheaders", "chunk", "response"])
async def test_a_fault_in_capturing_costs_one_exchange(
    event: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(said.append) as addon:

        def crash(*_: object) -> None:
            raise RuntimeError("our fault\x1b[2J")

        with monkeypatch.context() as broken:
            broken.setattr(addon._recording.capture, event, crash)  # type: ignore[union-attr]
            flow, hooks = exchange(GOOD, STREAM, kind="text/event-stream"), traffic(addon)
            hooks.request(flow)
            hooks.responseheaders(flow)
            if flow.response is not None and callable(flow.response.stream):
                assert flow.response.stream(b"data: {}\n\n") == b"data: {}\n\n"
            hooks.response(flow)
        whole(addon, exchange(GOOD))
    assert addon.code == 2
    assert sum("our fault" in line for line in said) == 1
    assert "\x1b" not in "".join(said)
    assert "1 exchange" in said[-1] or "2 exchanges" in said[-1]


async def test_a_fault_in_judging_switches_judging_off_and_recording_goes_on(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    with running(said.append, log=str(log)) as addon:

        def crash(*_: object) -> None:
            raise RuntimeError("our fault")

        monkeypatch.setattr(addon._recording.judge._inspector, "feed", crash)  # type: ignore[union-attr]
        flows = [whole(addon, exchange(BAD)) for _ in range(2)]
    assert [flow.response.status_code for flow in flows if flow.response] == [200, 200]
    assert sum("judging is switched off" in line for line in said) == 1
    assert len(log.read_text().splitlines()) == 8
    assert addon.code == 2


@pytest.mark.parametrize("there", [True, False])
async def test_a_lost_log_ends_the_proxy(
    there: bool, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request at hand is told; one that has its answer already is cut off."""
    with running(said.append, log=str(tmp_path / "log.jsonl")) as addon:
        ended: list[bool] = []
        monkeypatch.setattr("mitmproxy.ctx.master.shutdown", lambda: ended.append(True), raising=False)

        def lose(*_: object) -> None:
            raise JournalLost("log.jsonl was removed")

        monkeypatch.setattr(addon._recording._journal, "look", lose)  # type: ignore[union-attr]
        flow = exchange(GOOD)
        if not there:
            flow.response = None
        traffic(addon).request(flow)
    assert ended == [True]
    assert addon.lost == "log.jsonl was removed"
    assert addon.code == 2
    assert flow.error if there else flow.response and flow.response.status_code == 502


async def test_a_request_is_written_while_the_server_is_at_work(tmp_path: Path, said: list[str]) -> None:
    log = tmp_path / "log.jsonl"
    with running(said.append, log=str(log), allow_empty=True) as addon:
        first, second = exchange(BAD), exchange(BAD.replace(b"hi", b"ho").replace(b'"f"', b'"g"'))
        traffic(addon).request(first)
        assert log.read_bytes() == b""
        traffic(addon).request(second)
        assert log.read_bytes().count(b"\n") == 1  # before anything else happens
        await asyncio.sleep(0)
        assert log.read_bytes().count(b"\n") == 2
        for flow in (second, first):
            traffic(addon).responseheaders(flow)
            traffic(addon).response(flow)
    assert [flow.comment.count("WC301") for flow in (first, second)] == [1, 1]


async def test_a_request_that_went_on_and_cannot_be_written_gets_no_answer(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(said.append, log=str(tmp_path / "log.jsonl")) as addon:
        monkeypatch.setattr("mitmproxy.ctx.master.shutdown", lambda: None, raising=False)

        def full(*_: object) -> None:
            raise JournalLost("log.jsonl is full")

        monkeypatch.setattr(addon._recording._journal, "write", full)  # type: ignore[union-attr]
        flow = exchange(GOOD)
        traffic(addon).request(flow)
        assert flow.error is None
        await asyncio.sleep(0)
        traffic(addon).responseheaders(flow)
    assert flow.error is not None
    assert addon.lost == "log.jsonl is full"


async def test_a_frame_that_cannot_be_written_is_not_sent_either(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    with running(said.append, log=str(log)) as addon:
        monkeypatch.setattr("mitmproxy.ctx.master.shutdown", lambda: None, raising=False)
        flow = session(FRAME)
        traffic(addon).request(flow)
        traffic(addon).websocket_start(flow)
        log.unlink()
        traffic(addon).websocket_message(flow)
    assert flow.websocket is not None
    assert flow.websocket.messages[-1].dropped
    assert "log.jsonl" in addon.lost


async def test_messages_of_a_websocket_do_not_pile_up(said: list[str]) -> None:
    with running(said.append) as addon:
        flow = session(FRAME, FRAME, FRAME)
        traffic(addon).request(flow)
        traffic(addon).websocket_start(flow)
        traffic(addon).websocket_message(flow)
    assert flow.websocket is not None
    assert len(flow.websocket.messages) == 1
