"""Files of other programs are what they are said to be, and all of their traffic is read."""

from pathlib import Path

import pytest

from bench import readers
from wirecheck import Inspector, Reader, load
from wirecheck.sources.formats.beginning import HEAD
from wirecheck.sources.formats.recognition import recognise

SIZE = 60_000


@pytest.mark.parametrize("each", readers.FORMATS, ids=lambda each: each.name)
def test_a_file_is_of_its_format_and_holds_traffic(each: readers.Format, tmp_path: Path) -> None:
    path = tmp_path / each.name
    each.write(path, readers.traffic(1), SIZE)
    assert path.stat().st_size > SIZE / 4
    known = recognise(path.read_bytes()[:HEAD])
    assert known is not None
    assert known.name == each.name
    reader, inspector = Reader([str(path)]), Inspector(load())
    for record in reader:
        inspector.feed(record)
    assert inspector.checked.conversations > 0
    assert (inspector.checked.skipped, reader.problems) == ([], [])
    assert each.cheapest(path)


def test_what_was_measured_is_told_as_it_was() -> None:
    told = readers.Reading("har", "orjson", 12_000_000, 4_000, 0.2, 0.05)
    assert readers.row(told) == ["har", "12.0", "4000", "50", "orjson", "4.0"]


def test_a_file_that_is_not_read_is_no_reading(tmp_path: Path) -> None:
    broken = readers.FORMATS[0]._replace(
        write=lambda path, some, size: path.write_bytes(b'{"log": {"version": "1.2", "entries": [')
    )
    with pytest.raises(ValueError, match="breaks off"):
        readers.reading(broken, tmp_path / "har", 1.0, 0)
