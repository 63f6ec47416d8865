"""The addon in mitmdump itself: what it writes, how it marks, what it judges of a saved capture, how it exits."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.end_to_end.run import WIRECHECK, Run, free_port, lint, started
from tests.recorder.end_to_end.strewing import strew
from tests.standin import Standin
from tests.standin.caller import Call, answers, ask, asking, path, user, wait_for

mitmproxy_io = pytest.importorskip("mitmproxy.io")
MITMDUMP = str(Path(sys.executable).parent / "mitmdump")
BAD = {"contents": [user("hi"), {"role": "model", "parts": [{"functionCall": {"name": "f"}}] * 2}, user("well?")]}


def addon() -> str:
    return subprocess.run([*WIRECHECK, "addon-path"], capture_output=True, text=True, check=True).stdout.strip()


def line(folder: Path, upstream: str, *options: str) -> list[str]:
    """mitmdump with the addon, whose findings go to `live.jsonl`."""
    settings = {"report": f"json-lines={folder / 'live.jsonl'}", "min_severity": "info", "upstream": upstream}
    named = [part for name, value in settings.items() for part in ("--set", f"wirecheck_{name}={value}")]
    return [MITMDUMP, "-s", addon(), "--set", f"confdir={folder}", *named, *options]


@contextmanager
def dumping(folder: Path, upstream: str, *options: str) -> Iterator[tuple[Run, str]]:
    port = free_port()
    reverse = ("--mode", f"reverse:{upstream}", "-p", str(port), "-w", str(folder / "saved.mitm"))
    log = ("--set", f"wirecheck_log={folder / 'log.jsonl'}")
    with started(folder, line(folder, upstream, *reverse, *log, *options)) as run:
        wait_for(lambda: answers(port) or run.process.poll() is not None, 30)
        yield run, f"http://127.0.0.1:{port}"


def saved(folder: Path) -> list[Any]:
    with (folder / "saved.mitm").open("rb") as file:
        return list(mitmproxy_io.FlowReader(file).stream())


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with Standin(keep=False) as standin:
        yield standin


def test_a_flow_is_marked_and_the_process_exits_with_the_verdict(server: Standin, tmp_path: Path) -> None:
    with dumping(tmp_path, server.url) as (run, url):
        ask(url, path("streamGenerateContent") + "?alt=sse", asking("hello"))
        ask(url, path(), BAD)
        with Call(url) as call:
            call.say({"setup": {"model": "models/gemini-3.8-live"}})
            call.until("setupComplete")
            call.hang_up()
        assert run.end() == 1, run.err
    good, bad, live = saved(tmp_path)
    assert (good.marked, good.comment) == ("", "")
    assert bad.marked == ":red_circle:"
    assert "WC301" in bad.comment
    assert len(live.websocket.messages) == 2  # what is saved is saved whole
    assert "WC301" in run.out + run.err
    assert lint(run.log) == run.live() != []


def test_a_saved_capture_is_judged_as_it_was_live(server: Standin, tmp_path: Path) -> None:
    with dumping(tmp_path, server.url) as (run, url):
        for body in (asking("hello"), BAD, asking("[[breaks=0]]"), asking("[[status=500]]")):
            try:
                ask(url, path(), body)
            except Exception:
                continue
        with Call(url) as call:
            call.say({"clientContent": {"turns": [user("[[close=1007; reason=No]]")], "turnComplete": True}})
            list(call)
        run.end()
    again = tmp_path / "again"
    with started(again, line(again, server.url, "-n", "-r", str(tmp_path / "saved.mitm"))) as later:
        assert later.code == 1, later.err
    assert [_apart_from_place(found) for found in later.live()] == [_apart_from_place(found) for found in run.live()]


def _apart_from_place(found: Any) -> Any:
    return {key: value for key, value in found.items() if key not in ("path", "related")}


def test_no_secret_is_in_a_comment_or_in_what_is_printed(server: Standin, tmp_path: Path) -> None:
    with dumping(tmp_path, server.url, "-q") as (run, url):
        mint = strew(url)
        run.end()
    told = [f"{flow.comment} {flow.marked} {flow.metadata}" for flow in saved(tmp_path)]
    assert len(told) > len(mint.where) * 0.9
    assert sum("WC" in each for each in told) > 50
    assert mint.seen("\n".join(told)) == []
    assert mint.seen(run.log.read_text() + run.err + run.out) == []


def test_a_log_that_cannot_be_had_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("another's\n")
    with dumping(tmp_path, "http://127.0.0.1:9") as (run, _):
        assert run.code not in (0, 1)
    assert "log.jsonl" in run.err + run.out
    assert "Traceback" not in run.err + run.out
    assert (tmp_path / "log.jsonl").read_text() == "another's\n"


def test_without_wirecheck_it_says_so_in_one_line(tmp_path: Path) -> None:
    """In a mitmproxy that has none: the shim alone, in a place from which nothing can be imported."""
    shim = tmp_path / "alone.py"
    shim.write_text(Path(addon()).read_text())
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "wirecheck.py").write_text("raise ModuleNotFoundError('wirecheck', name='wirecheck')\n")
    command = [MITMDUMP, "-s", str(shim), "--set", f"confdir={tmp_path}", "-p", "0"]
    with started(tmp_path, command, PYTHONPATH=str(blocked)) as run:
        wait_for(lambda: "inject" in run.out + run.err or run.process.poll() is not None, 30)
        assert run.code == 1
    (said,) = [each for each in (run.out + run.err).splitlines() if "inject" in each]
    assert "--with wirecheck" in said
    assert "Traceback" not in run.out + run.err
