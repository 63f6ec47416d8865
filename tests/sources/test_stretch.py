"""A file is read from one place on, as far as somebody says."""

import io
from pathlib import Path

import pytest

from wirecheck.sources import stretch
from wirecheck.sources.lines import Tally, lines
from wirecheck.sources.stretch import Stretch

DATA = b"".join(b"%d%s\n" % (n, b"x" * (n % 7)) for n in range(2000))


@pytest.mark.parametrize("ends", [(900,), (5000, 9000, 10**9), (0,), (10**9,)])
def test_it_ends_where_somebody_says(tmp_path: Path, ends: tuple[int, ...]) -> None:
    (path := tmp_path / "file").write_bytes(DATA)
    reached: list[int] = []

    def until() -> int:
        reached.append(one.at)
        return next((end for end in ends if end > one.at), ends[-1])

    one = Stretch(str(path), 500, until)
    with io.BufferedReader(one) as stream:
        assert stream.read() == DATA[500 : max(500, ends[-1])]
    assert reached[0] == 500
    assert set(ends[:-1]) <= set(reached)


def test_now_and_then_somebody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "UNASKED", 1000)
    (path := tmp_path / "file").write_bytes(DATA)
    reached: list[int] = []

    def until() -> int:
        reached.append(one.at)
        return 10**9

    one = Stretch(str(path), 0, until)
    room = bytearray(70)
    while one.readinto(room):
        pass
    assert reached == [*range(0, len(DATA), 1000)]


def test_reading_by_lines_stops_where_lines_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "PIECE", 50)
    (path := tmp_path / "file").write_bytes(DATA + b"y" * 200 + b"\nend")
    ends: list[bool] = []

    def until() -> int:
        ends.append(one.whole)
        assert one.at == 0 or not one.whole or path.read_bytes()[: one.at].endswith(b"\n")
        return one.at + 10**6

    one = Stretch(str(path), 0, until)
    one.by_lines = True
    read = [line for _, some in lines(io.BufferedReader(one), Tally()) for line in some]
    assert b"".join(read) == path.read_bytes()
    assert ends.count(True) > 100
    assert ends.count(False) in (3, 4, 5)
