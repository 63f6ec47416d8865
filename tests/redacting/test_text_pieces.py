"""What holds no secret stays byte for byte: line ends, blanks, numbers, order; and memory does not grow with a file."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redacting.planting import CORE, FORMS, written
from tests.secrets.test_scrub import HARMLESS
from wirecheck.redacting import text_pieces
from wirecheck.redacting.redacted_file import redacted
from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.counted_marks import SecretMarks

KEY = FORMS["Google API key"]
SIGNATURE = "CrIBAXLI2nwRxKQ8g9tvyoubWZ/ed9yVFvfMKnrqJDML90/uPU1iDlO0uImB+ziUgGNahvymEZVF9vH" * 9
PLAIN = {
    "line ends": b'{"a":1}\r\n\r\n{"b" : 2}\n\n  {"c":3}  \n{"d":4}',
    "numbers": b'{"a":1.50e+3,"b":-0,"c":123456789012345678901234567890,"d":0.1000}\n',
    "keys twice": b'{"a":1,"a":2,"token":3,"token":null}\n',
    "escapes": b'{"a":"\\u00e9\\/\\ud83d\\ude00 \\u003c","token":"\\n"}\n',
    "half a character": b'{"a":"\\ud800 token"}\n',
    "pretty": json.dumps({"headers": {"accept": "*/*"}, "tokens": [1, {}, []]}, indent=3).encode(),
    "several documents": b'{\n "a": "token"\n}\n{\n "b": 2\n}\n',
    "no end": b'{"a":"token',
    "no begin": b'oken"}\n{"token":1}\n',
    "other bytes": b'caf\xe9 token \xff\xfe\n{"a":"\xe9 token"}\n',
    "a byte order mark": b'\xef\xbb\xbf{"token":1}\n',
    "blank": b"\n \n\n",
    "nothing": b"",
    "a signature": b'{"thoughtSignature":"%b","signature":"%b"}\n' % (SIGNATURE.encode(), SIGNATURE.encode()),
    "a hash": b'{"token":5,"sha256":"%b","id":"call_%b"}\n' % (b"3fa9c17e" * 8, CORE.encode()),
    "a schema": b'{"properties":{"password":{"type":"string"},"token":{"type":"string"}},"required":["password"]}',
    "counts": b'{"usageMetadata":{"promptTokenCount":3,"details":[{"modality":"TEXT","tokenCount":3}]}}',
    "probabilities": b'{"logprobsResult":{"chosenCandidates":[{"token":"Hello","tokenId":9906}]}}',
    "a page": b'{"nextPageToken":"CAUQAA","url":"https://x/v1?pageToken=CAUQAA&alt=sse#top"}',
    "redacted before": b'{"headers":{"cookie":"[redacted]","api-key":"[redacted:3fa9c1]"},"password":"REDACTED"}',
    "too deep": b"[" * 3000 + b'"token"' + b"]" * 3000,
    "packed": gzip.compress(b'{"token":1}\n', mtime=7),
    "harmless": "\n".join(HARMLESS).encode(),
}


@pytest.mark.parametrize("data", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("key", [b"", b"k"])
def test_what_holds_no_secret_stays(tmp_path: Path, data: bytes, key: bytes) -> None:
    assert written(data, "a.log", tmp_path, SecretMarks(key)) == data


@pytest.mark.parametrize("data", [data for name, data in PLAIN.items() if name not in ("packed", "no end", "blank")])
def test_beside_a_secret_it_stays_too(tmp_path: Path, data: bytes) -> None:
    line = json.dumps({"text": KEY}).encode()
    after = written(data + b"\n" + line + b"\n", "a.log", tmp_path)
    assert after == data + b"\n" + line.replace(KEY.encode(), b"[redacted]") + b"\n"


@given(st.binary(), st.sampled_from(list(PLAIN.values())), st.integers(0, 10_000))
def test_whatever_stands_there_nothing_is_raised_and_it_is_done_at_once(odd: bytes, data: bytes, at: int) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        spoiled = data[: at % (len(data) + 1)] + odd + data[at % (len(data) + 1) :]
        try:
            after = written(spoiled + b" " + KEY.encode() + b"\n", "a.log", Path(folder))
            again = written(after, "a.log", Path(folder))
        except OSError:
            return
        assert KEY.encode() not in after
        assert again == after


HOSTILE = {
    "many brackets": b"[{" * 200_000,
    "many quotes": b'"' * 300_000,
    "many escapes": b'{"a":"' + b"\\" * 300_000,
    "one long word": b"a" * 2_000_000,
    "much base64": b"QUl6YQ" * 300_000,
    "many hints": b"password token secret key cookie AIza sk- ://" * 20_000,
    "many keys": b'{"password":' * 40_000,
    "many pieces": b'data: {"candidates":[{"text":"sk-"}]}\n' * 20_000,
    "JSON in JSON": json.dumps(json.dumps(json.dumps(json.dumps(json.dumps(json.dumps({"password": CORE})))))).encode(),
    "percent": b"%41%49" * 100_000,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_what_is_made_to_hurt_does_not(tmp_path: Path, data: bytes) -> None:
    assert CORE.encode() not in written(data, "a.log", tmp_path)


def test_a_bomb_is_left_packed(tmp_path: Path) -> None:
    from base64 import b64encode

    bomb = gzip.compress(gzip.compress(b"\0" * (80 << 20)))
    line = b'{"a":"%b","b":"%b"}\n' % (b64encode(bomb), KEY.encode())
    assert written(line, "a.jsonl", tmp_path) == line.replace(KEY.encode(), b"[redacted]")


def test_memory_does_not_grow_with_lines(tmp_path: Path) -> None:
    line = json.dumps({"text": f"{KEY} " + "x " * 5000}).encode() + b"\n"

    def peak(lines: int) -> int:
        path = tmp_path / "a.jsonl"
        path.write_bytes(line * lines)
        tracemalloc.start()
        with open(path, "rb") as stream:
            for _ in redacted(stream, str(path), SecretMarks()):
                pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(250) < peak(50) + (1 << 19)


def test_what_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_pieces, "LIMIT", 1000)
    for data in (b"x" * 1001, b'{"a":\n' + b"1,\n" * 400):
        with pytest.raises(Unredactable, match="a line or document of over"):
            written(data, "a.jsonl", tmp_path)
