"""Frames read together are those read one by one, and most of them are read together."""

import io
from collections.abc import Sequence
from random import Random

import pytest

from bench.logs import lines
from tests.memo.test_live_frames import mixed
from tests.sources.telling import PATH, singly
from wirecheck.sources import read_file
from wirecheck.sources.file_reader import FileReader
from wirecheck.wire.records import Frames, Record

AUDIO = '"data":{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"AAAA"}}}'


def read(log: Sequence[bytes]) -> list[Record]:
    return list(read_file(io.BytesIO(b"".join(log)), PATH))


def one_by_one(log: Sequence[bytes], monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    with monkeypatch.context() as patch:
        patch.setattr(FileReader, "frames", lambda *_: None)
        return list(singly(read(log)))


@pytest.mark.parametrize("seed", range(40))
def test_together_or_one_by_one_the_records_are_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    log = list(mixed(Random(seed)))
    assert list(singly(read(log))) == one_by_one(log, monkeypatch)


# Lines that come after a frame of the client, and how many frames are read together from there.
LINES: dict[str, tuple[list[str], int]] = {
    "the same": (['{"from":"client",%s}'] * 3, 3),
    "blanks": (['{ "from": "client", %s }\r'] * 3, 3),
    "another key": (['{"type":"frame","from":"client",%s}'] * 3, 3),
    "a time": (['{"from":"client","at":17,%s}', '{"from":"client","at":null,%s}'], 2),
    "a channel that is open": (['{"from":"client","channel":"a",%s}', '{"from":"client","channel":"a",%s}'], 1),
    "a channel with a number": (['{"from":"client","channel":7,%s}', '{"from":"client","channel":7,%s}'], 1),
    "a sender in capitals": (['{"from":"CLIENT",%s}'], 0),
    "two senders": (['{"from":"client","dir":"out",%s}'], 0),
    "another kind": (['{"from":"client","contents":[],%s}'], 0),
    "of our log": (['{"v":1,"kind":"frame","channel":"1","from":"client",%s}'] * 2, 1),
    "another setup": (['{"from":"client","data":{"setup":{}}}'], 0),
    "a body": (['{"from":"client","data":{"contents":[]}}'], 0),
    "a text": (['{"from":"client","data":"{}"}'], 0),
    "no JSON": (['{"from":"client",%s'], 0),
    "a time beyond all": (['{"from":"client","at":1e999,%s}'], 0),
}


@pytest.mark.parametrize(("after", "together"), LINES.values(), ids=LINES)
def test_which_frames_are_read_together(after: list[str], together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    log = [line.replace("%s", AUDIO).encode() + b"\n" for line in ['{"from":"client",%s}', *after]]
    assert sum(len(record) for record in read(log) if isinstance(record, Frames)) == together
    assert list(singly(read(log))) == one_by_one(log, monkeypatch)


def test_what_is_no_utf8_is_told_of_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = b'{"from":"server","data":{"serverContent":{"outputTranscription":{"text":"%b"}}}}\n'
    log = [frame % text for text in (b"a", b"b", "ü".encode(), b"\xff", b"c")]
    assert [record.origin.line for record in read(log)] == [1, 1, 2, 4, 5, 5]
    assert list(singly(read(log))) == one_by_one(log, monkeypatch)


@pytest.mark.parametrize("name", ["live", "live.records"])
def test_most_frames_are_read_together(name: str) -> None:
    records = read(list(lines(name, 0.002)))
    together = [record for record in records if isinstance(record, Frames)]
    assert sum(map(len, together)) > 50 * len(together)
