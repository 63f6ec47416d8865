"""Frames keep their order, and the length before each is that of what follows."""

from pathlib import Path

import pytest

from tests.redacting.planting import FORMS, written
from wirecheck.redacting.unredactable import Unredactable

KEY = FORMS["Google API key"]


def frame(sign: str, payload: str) -> bytes:
    return f"{sign}{len(payload.encode())} {payload}".encode()


@pytest.mark.parametrize("end", ["\n", "\r\n", "", "\n\n"])
def test_the_length_is_that_of_what_follows(tmp_path: Path, end: str) -> None:
    payloads = [f'{{"setup": {{"a": "é {KEY}"}}}}{end}', f"{{}}{end}", f'{{"text":\n "{KEY}"}}{end}']
    data = b"".join(frame(sign, each) for sign, each in zip("><>", payloads, strict=True))
    wanted = [each.replace(KEY, "[redacted]") for each in payloads]
    assert written(data, "a.websocket.log", tmp_path) == b"".join(
        frame(sign, each) for sign, each in zip("><>", wanted, strict=True)
    )


def test_what_is_no_frame_is_redacted_as_well(tmp_path: Path) -> None:
    data = b'>12 {"setup":{}}\nhere: %b\n' % KEY.encode()
    assert written(data, "a.websocket.log", tmp_path) == b'>12 {"setup":{}}\nhere: [redacted]\n'


@pytest.mark.parametrize("length", [500, 9_999_999])
def test_a_frame_that_breaks_off_still_does(tmp_path: Path, length: int) -> None:
    data = f'>{length} {{"setup": "{KEY}'.encode()
    found = written(data, "a.websocket.log", tmp_path)
    assert found == f'>{length + 10 - len(KEY)} {{"setup": "[redacted]'.encode()
    assert written(found, "a.websocket.log", tmp_path) == found


def test_a_length_beyond_all_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unredactable, match="longer than the file"):
        written(b'>9999999999 {"setup": {}}', "a.websocket.log", tmp_path)


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("length", [3, 15, 30])
def test_a_length_that_parts_a_text_is_told(tmp_path: Path, length: int, end: str) -> None:
    """Of what stands in two frames neither would show that it is a secret."""
    with pytest.raises(Unredactable, match="goes on after its length"):
        written(f'>{length} {{{end}"setup": "{KEY}"}}\n'.encode(), "a.websocket.log", tmp_path)
