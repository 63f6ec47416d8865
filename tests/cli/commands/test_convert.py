"""`wirecheck convert`: what it writes, what it tells, and what it refuses."""

import gzip
import json
import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from tests.cli.logs import BAD, GOOD, Desk
from tests.cli.test_process import COMMAND, HEAVY, JUDGING, environ, on_terminal
from tests.sources.formats.test_recognition import SAMPLES
from tests.work import work

FRAME = '{"from": "client", "data": {"setup": {}}}'
ODD = '{"level": "info"}'


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_log_goes_to_standard_output_and_what_is_told_of_it_to_the_other(desk: Desk) -> None:
    done = desk.run("convert", desk.write("log.jsonl", BAD, ODD, "hello"))
    assert done.exit_code == 0
    assert [line["kind"] for line in lines(done.stdout)] == ["opened", "replied", "frame", "closed", "unreadable"]
    assert {line["origin"]["path"] for line in lines(done.stdout)} == {"log.jsonl"}
    left_out, summary = done.stderr.splitlines()
    assert left_out.startswith("wirecheck:   log.jsonl:2: left out, an object without request, ")
    assert summary == (
        "3 lines of 1 file → 1 exchange: 5 records · 0 values redacted · 1 line unreadable · 1 line left out"
    )


def test_the_log_has_the_findings_of_its_files_at_their_places(desk: Desk) -> None:
    desk.write("a.jsonl", GOOD, BAD)
    desk.write("b.jsonl", "no", BAD)
    assert desk.run("convert", "a.jsonl", "b.jsonl", "-o", "all.log").exit_code == 0
    before, after = (desk.run("lint", *paths).stdout for paths in (("a.jsonl", "b.jsonl"), ("all.log",)))
    assert "b.jsonl:2: error[OWN201" in before
    assert after.splitlines()[:-1] == before.splitlines()[:-1]


def test_a_folder_is_searched_and_each_file_converted_once(desk: Desk) -> None:
    (desk.folder / "logs").mkdir()
    desk.write("logs/a.jsonl", GOOD)
    (desk.folder / "logs" / "b.jsonl.gz").write_bytes(gzip.compress(FRAME.encode()))
    (desk.folder / "logs" / "c.har").write_bytes(SAMPLES["HAR"])
    desk.write("logs/notes.log", "Notes.", "None of them is JSON.")
    done = desk.run("convert", "logs", "logs/a.jsonl", "-o", "all.jsonl")
    assert done.exit_code == 0, done.stderr
    came = dict.fromkeys(line["origin"]["path"] for line in lines(desk.read("all.jsonl")))
    assert [*came] == ["logs/a.jsonl", "logs/b.jsonl.gz", "logs/c.har"]
    assert " of 3 files → " in done.stderr
    assert done.stderr.endswith(" · 1 file passed over\n")
    assert " in all.jsonl · " in done.stderr


def test_standard_input_is_read_and_its_format_may_be_named(desk: Desk) -> None:
    done = desk.run("convert", "-", stdin=f"{GOOD}\n{FRAME}\n")
    assert [line["origin"]["path"] for line in lines(done.stdout)] == ["<stdin>"] * 7
    done = desk.run("convert", "-", "--input-format", "frames", stdin=f"{GOOD}\n{FRAME}\n")
    assert [line["kind"] for line in lines(done.stdout)] == ["opened", "frame"] + ["closed"] * (
        len(lines(done.stdout)) - 2
    )
    desk.settings('input-format = "frames"')
    assert desk.run("convert", "-", stdin=f"{GOOD}\n{FRAME}\n").stdout == done.stdout


def test_a_file_is_written_as_a_whole_and_only_its_owner_may_read_it(desk: Desk) -> None:
    desk.write("log.jsonl", GOOD)
    assert desk.run("convert", "log.jsonl", "-o", "out.jsonl").exit_code == 0
    assert (desk.folder / "out.jsonl").stat().st_mode & 0o777 == 0o600
    before = desk.read("out.jsonl")
    assert desk.run("convert", desk.write("odd.jsonl", ODD), "-o", "out.jsonl").exit_code == 2
    assert desk.read("out.jsonl") == before
    assert not [name for name in os.listdir(desk.folder) if name.endswith(".tmp")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Say what to convert"),
        (("log.jsonl", "-o", "log.jsonl"), "log.jsonl: would be overwritten, and is an input; name another file"),
        (("log.jsonl", "-o", "link.jsonl"), "link.jsonl: would be overwritten, and is an input as log.jsonl"),
        ((".", "-o", "./log.jsonl"), "./log.jsonl: would be overwritten, and is an input"),
        (("log.jsonl", "-o", "-"), "'-' is no file"),
        (("log.jsonl", "-o", "out.jsonl.gz"), "name it out.jsonl and pack it later"),
        (("log.jsonl", "-o", "no/out.jsonl"), "there is no directory no"),
        (("log.jsonl", "-o", "own"), "is a directory"),
        (("log.jsonl", "--input-format", "frmes"), "did you mean 'frames'?"),
        (("none.jsonl", "-o", "out.jsonl"), "none.jsonl: No such file or directory"),
        (("odd.jsonl",), "nothing in the input was traffic, so no log is written: 1 line read"),
        (("repr.txt",), "which is not read"),
        (("empty",), "nothing to read in empty: it is empty"),
    ],
)
def test_what_cannot_be_done_is_said_and_done_to_nothing(desk: Desk, arguments: tuple[str, ...], said: str) -> None:
    desk.write("log.jsonl", GOOD)
    desk.write("odd.jsonl", ODD)
    desk.write("repr.txt", "UserContent(parts=[Part(text='Hi')], role='user')")
    (desk.folder / "empty").mkdir()
    os.symlink("log.jsonl", desk.folder / "link.jsonl")
    before = {name: (desk.folder / name).stat().st_mtime_ns for name in os.listdir(desk.folder)}
    done = desk.run("convert", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert {name: (desk.folder / name).stat().st_mtime_ns for name in os.listdir(desk.folder)} == before


def test_what_could_be_read_is_written_where_something_could_not(desk: Desk) -> None:
    done = desk.run("convert", desk.write("log.jsonl", GOOD), "none.jsonl", "-o", "out.jsonl")
    assert done.exit_code == 2
    assert "none.jsonl: No such file or directory" in done.stderr
    assert len(lines(desk.read("out.jsonl"))) == 4


def test_a_request_that_nobody_answered_is_traffic(desk: Desk) -> None:
    asked = '{"v":1,"kind":"opened","channel":"1","method":"GET","url":"https://generativelanguage.googleapis.com/v1beta/models"}'
    done = desk.run("convert", desk.write("log.jsonl", asked))
    assert (done.exit_code, len(lines(done.stdout))) == (0, 1)
    assert done.stderr == "1 line of 1 file: 1 record · 0 values redacted\n"


def test_a_fault_of_ours_is_told_and_costs_its_line(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from wirecheck.sources import exchanges

    def crash(*_: object) -> None:
        raise KeyError("a secret")

    log = desk.write("log.jsonl", FRAME, GOOD, FRAME)
    monkeypatch.setattr(exchanges, "patient", crash)
    done = desk.run("convert", log)
    assert (done.exit_code, [line["kind"] for line in lines(done.stdout)][:2]) == (2, ["opened", "frame"])
    assert "log.jsonl:2: a fault in wirecheck" in done.stderr
    assert "a secret" not in done.stderr


def test_text_of_others_does_nothing_to_a_terminal(desk: Desk) -> None:
    """What could command it is written as an escape, which in JSON is the same."""
    hostile = "\x9b2J\u202e\u0085\U000e0041é日"
    log = desk.write("log.jsonl", BAD.replace("hi :)", hostile))
    seen = on_terminal("convert", log)
    assert all(char.isprintable() or char == "\n" for char in seen)
    opened = json.loads(seen.splitlines()[0])
    assert opened["body"]["contents"][0]["parts"][0]["text"] == hostile
    assert "é日" in seen


def test_a_reader_that_goes_away_is_no_fault(desk: Desk) -> None:
    log = desk.write("log.jsonl", *[GOOD] * 5000)
    process = subprocess.Popen(
        [*COMMAND, "convert", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b'{"v":1')
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 2


CODE = """
import sys
from wirecheck.cli.app import _run
_run()
print(*sys.modules)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def ran(*arguments: str) -> tuple[set[str], int]:
    """The modules that are there when the command has ended, and the most memory it had, in KB."""
    words = [sys.executable, "-c", CODE, "convert", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, env=environ(), check=True)
    *_, modules, memory = done.stdout.splitlines()
    return set(modules.split()), int(memory)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told by /proc")
def test_memory_does_not_grow_with_the_log(desk: Desk) -> None:
    some = [GOOD.replace("hi", f"hi {n} {'x' * 1000}") for n in range(20_000)]
    small, large = desk.write("small.jsonl", *some[:1000]), desk.write("large.jsonl", *some)
    assert ran(large, "-o", "out.jsonl")[1] < ran(small, "-o", "out.jsonl")[1] + 5_000  # of 25 MB


def test_it_loads_nothing_that_judges(desk: Desk) -> None:
    modules, _ = ran(desk.write("log.jsonl", GOOD), "--isolated")
    searching = {"jsonschema_rs", "email", "socket"}  # how secrets are searched for, and what that loads
    assert not modules & ({*HEAVY, *JUDGING, "yaml"} - searching)


def test_work_grows_with_the_log(desk: Desk) -> None:
    logs = [desk.write(f"{n}.jsonl", *[GOOD] * n) for n in (200, 400)]
    few, many = (work(partial(desk.run, "convert", log)) for log in logs)
    assert many < 2.2 * few
