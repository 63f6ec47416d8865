"""A log is complete, private and one recorder's, whatever happens to it; and what is returned is what its lines say."""

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from tests.wire.test_log import records
from wirecheck.recorder.capture.journal import Journal, JournalLost
from wirecheck.sources import Reader
from wirecheck.wire.records import Body, Closed, Frame, Origin, Record, Site

HERE = Origin("", 0)


def frame(raw: bytes = b'{"a":1}', channel: str = "1") -> Frame:
    return Frame(channel=channel, origin=HERE, sender="server", body=Body(raw, Site(HERE)))


def read(path: Path) -> list[Record]:
    return list(Reader([str(path)]))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=records())
def test_what_is_returned_is_what_is_read_later(path: Path, record: Frame) -> None:
    path.unlink(missing_ok=True)
    journal = Journal(path)
    returned = [journal.write(record), journal.write(frame())]
    journal.close()
    assert read(path) == returned


@pytest.mark.parametrize("depth", [10, 990, 996, 997, 998, 999, 1000, 5000])
def test_json_that_is_nested_too_deep_for_a_line_is_kept_as_text(path: Path, depth: int) -> None:
    journal = Journal(path)
    returned = journal.write(frame(b"[" * depth + b"]" * depth))
    journal.close()
    assert isinstance(returned, Frame)
    assert returned.body.raw == b"[" * depth + b"]" * depth
    assert [(type(each), each.origin.line) for each in read(path)] == [(Frame, 1)]


def test_the_log_is_its_owners_alone_from_the_first_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes, create = [], os.open

    def watched(*args: object, **more: object) -> int:
        fd: int = create(*args, **more)  # type: ignore[arg-type]
        modes.append(stat.S_IMODE(os.fstat(fd).st_mode))
        return fd

    monkeypatch.setattr(os, "open", watched)
    before = os.umask(0)
    try:
        Journal(path).close()
    finally:
        os.umask(before)
    assert modes == [0o600]


def test_a_log_is_continued(path: Path) -> None:
    first = Journal(path)
    first.write(frame())
    first.close()
    path.chmod(0o644)
    second = Journal(path)
    again = second.write(frame())
    second.close()
    assert again.origin == Origin(str(path), 2)
    assert len(read(path)) == 2
    assert (first.run, second.run) == ("", "1.")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("torn", [b"{", b'{"v":1,"kind":"frame","chan'])
def test_a_line_that_was_cut_off_by_a_kill_is_taken_away(path: Path, torn: bytes) -> None:
    journal = Journal(path)
    journal.write(frame())
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    Journal(path).close()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content", [b"\n", b"hello\n", b'{"contents":[]}\n', b'{"v":1,"kind": "opened"}\n', b"\0" * 99]
)
def test_what_wirecheck_did_not_write_stays_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalLost, match="no log that wirecheck wrote"):
        Journal(path)
    assert path.read_bytes() == content


def test_what_is_no_file_is_not_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe", tmp_path / "missing" / "log.jsonl", Path("/dev/null")):
        with pytest.raises(JournalLost, match=place.name):
            Journal(place)


def test_two_recorders_never_write_one_log(path: Path) -> None:
    first = Journal(path)
    with pytest.raises(JournalLost, match="another recorder"):
        Journal(path)
    first.write(frame())
    first.close()
    Journal(path).close()
    assert len(read(path)) == 1


def _remove(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    path.rename(path.with_suffix(".1"))
    path.touch()


def _cut(path: Path) -> None:
    os.truncate(path, 3)


def _add(path: Path) -> None:
    with path.open("ab") as log:
        log.write(b"hello\n")


@pytest.mark.parametrize(
    ("happens", "why"),
    [(_remove, "is gone"), (_replace, "was replaced"), (_cut, "was changed"), (_add, "was changed")],
)
def test_a_log_that_is_not_ours_any_more_is_lost_for_good(path: Path, happens: object, why: str) -> None:
    journal = Journal(path)
    journal.write(frame())
    happens(path)  # type: ignore[operator]
    left = {each: each.read_bytes() for each in path.parent.iterdir()}
    for _ in range(2):
        with pytest.raises(JournalLost, match=why):
            journal.write(frame())
    journal.close()
    assert {each: each.read_bytes() for each in path.parent.iterdir()} == left


FULL = f"""
import resource, sys
from wirecheck.recorder.capture.journal import Journal, JournalLost
from tests.recorder.capture.test_journal import frame
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, {resource.RLIM_INFINITY}))
journal = Journal(sys.argv[1])
try:
    while True: journal.write(frame())
except JournalLost as lost:
    sys.exit(str(lost))
"""
BUSY = """
import sys
from wirecheck.recorder.capture.journal import Journal
from tests.recorder.capture.test_journal import frame
journal, number = Journal(sys.argv[1]), 0
while True:
    journal.write(frame(b'"%s"' % (b"x" * 20000), channel=str(number)))
    number += 1
    print(number, flush=True)
"""


def test_what_does_not_fit_on_a_full_disk_is_not_begun(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"{path} cannot be written: File too large\n")
    assert path.read_bytes().endswith(b"}\n")
    assert {type(each) for each in read(path)} == {Frame}


def test_a_kill_loses_no_more_than_the_line_being_written(path: Path) -> None:
    said = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", BUSY, str(path)], stdout=subprocess.PIPE, text=True) as busy:
            assert busy.stdout is not None
            busy.stdout.readline()
            os.kill(busy.pid, signal.SIGKILL)
            said += 1 + len(busy.stdout.read().split())
        Journal(path).close()
        kept = read(path)
        assert {type(each) for each in kept} == {Frame}
        assert said <= len(kept)


def test_without_a_file_all_goes_the_same_way(path: Path) -> None:
    journal, nowhere = Journal(path), Journal(None)
    for record in (frame(), frame(b'{"password":"x"}'), Closed(channel="1", origin=HERE, reason="key=x")):
        written, told = journal.write(record), nowhere.write(record)
        assert told.origin == Origin("(not recorded)", written.origin.line)
        if isinstance(told, Closed):
            assert replace(told, origin=written.origin) == written
    journal.close()
    nowhere.close()
    with pytest.raises(JournalLost, match="closed"):
        nowhere.write(frame())
