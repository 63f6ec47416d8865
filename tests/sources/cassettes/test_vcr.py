"""Cassettes of vcrpy, pytest-recording, VCR for Ruby and go-vcr are judged, and places in them lead there."""

import base64
import gzip
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
import yaml
import zstandard

from tests.sources import traffic
from tests.sources.traffic import (
    BROKEN,
    HERE,
    HOST,
    MISCOUNT,
    SOUND,
    STREAMED,
    STREAMED_BROKEN,
    Spoken,
    judged,
)

HEADERS = {"content-type": ["application/json; charset=UTF-8"], "content-encoding": ["gzip"]}
Wrap = Callable[[Spoken], dict[str, Any]]
Dump = Callable[[Any], bytes]


def as_yaml(value: Any) -> bytes:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True).encode()


def as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def vcrpy(spoken: Spoken, body: Any = None) -> dict[str, Any]:
    asked = {"method": "POST", "uri": HOST + spoken.path, "headers": HEADERS, "body": spoken.request}
    status = {"code": spoken.status, "message": "OK"}
    return {
        "request": asked,
        "response": {"status": status, "headers": HEADERS, "body": {"string": body or spoken.reply}},
    }


def zipped(spoken: Spoken) -> dict[str, Any]:
    return vcrpy(spoken, gzip.compress(spoken.reply.encode()))


def httpx(spoken: Spoken) -> dict[str, Any]:
    told = {"content": spoken.reply, "http_version": "HTTP/1.1", "status_code": spoken.status, "headers": []}
    return {**vcrpy(spoken), "response": told}


def parsed(spoken: Spoken) -> dict[str, Any]:
    asked = {"method": "POST", "uri": HOST + spoken.path, "headers": {}, "parsed_body": spoken.asked}
    told: dict[str, Any] = {"headers": {}, "status": {"code": spoken.status, "message": "OK"}}
    told |= {"body": {"string": spoken.reply}} if len(spoken.said) > 1 else {"parsed_body": spoken.said[0]}
    return {"request": asked, "response": told}


def ruby(spoken: Spoken) -> dict[str, Any]:
    body = {"encoding": "UTF-8", "string": spoken.request}
    packed = base64.encodebytes(gzip.compress(spoken.reply.encode())).decode()
    return {
        "request": {"method": "post", "uri": HOST + spoken.path, "body": body, "headers": {"Accept": ["*/*"]}},
        "response": {
            "status": {"code": spoken.status, "message": "OK"},
            "headers": {"Content-Encoding": ["gzip"]},
            "body": {"encoding": "ASCII-8BIT", "base64_string": packed},
        },
        "recorded_at": "Fri, 20 Nov 2026 02:28:45 GMT",
    }


def go(spoken: Spoken) -> dict[str, Any]:
    """As go-vcr writes it since its version 3. Before, less stands around it."""
    asked = {"proto": "HTTP/1.1", "content_length": 7, "host": HOST, "body": spoken.request, "form": {"alt": ["sse"]}}
    asked |= {"headers": {}, "url": HOST + spoken.path, "method": "POST"}
    told = {"body": spoken.reply, "headers": {}, "status": f"{spoken.status} whatever", "code": spoken.status}
    return {"id": 0, "request": asked, "response": {**told, "duration": "210ms"}}


def go_v1(spoken: Spoken) -> dict[str, Any]:
    body = {"body": spoken.request, "form": {}, "headers": {}, "url": HOST + spoken.path, "method": "POST"}
    told = {"body": spoken.reply, "headers": {}, "status": "", "code": spoken.status, "duration": ""}
    return {"request": body, "response": told}


# Writer: a key of the file, its interactions, how it is dumped, and where the body of a request stands.
WRITERS: dict[str, tuple[str, Wrap, Dump, str]] = {
    "vcrpy": ("interactions", vcrpy, as_yaml, "body"),
    "vcrpy, packed": ("interactions", zipped, as_yaml, "body"),
    "vcrpy with httpx": ("interactions", httpx, as_yaml, "body"),
    "vcrpy, JSON": ("interactions", vcrpy, as_json, "body"),
    "pytest-recording, parsed": ("interactions", parsed, as_yaml, "parsed_body"),
    "VCR for Ruby": ("http_interactions", ruby, as_yaml, "body/string"),
    "VCR for Ruby, JSON": ("http_interactions", ruby, as_json, "body/string"),
    "go-vcr": ("interactions", go, as_yaml, "body"),
    "go-vcr 1": ("interactions", go_v1, as_yaml, "body"),
}


def written(writer: str, spoken: list[Spoken]) -> bytes:
    key, wrap, dump, _ = WRITERS[writer]
    return dump({"version": 1, key: [wrap(each) for each in spoken]})


SAMPLES = {f"cassette of {name}": written(name, STREAMED) for name in WRITERS}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_a_sound_cassette_is_read_and_nothing_is_found(writer: str, spoken: list[Spoken]) -> None:
    found = judged("", written(writer, spoken))
    assert (found.places, found.problems, found.skipped) == ([], [], [])
    assert (found.checked.exchanges, found.checked.conversations, found.checked.open_calls) == (2, 1, 0)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("spoken", [BROKEN, STREAMED_BROKEN], ids=["whole", "streamed"])
def test_a_miscounted_response_is_found_where_it_stands(writer: str, spoken: list[Spoken], tmp_path: Path) -> None:
    key, _, dump, at = WRITERS[writer]
    data = written(writer, spoken)
    (tmp_path / "cassette").write_bytes(data)
    found = judged(tmp_path / "cassette")
    request = [asked.start() for asked in re.finditer(rb'(?m)^[ "-]*request"?:', data)][1]
    # In YAML the line on which the body begins; in JSON that of the interaction.
    sign = f"{at.rpartition('/')[2]}:".encode()
    stands = data.index(sign, request) if dump is as_yaml else data.rindex(b"\n  {\n", 0, request) + 1
    line = data.count(b"\n", 0, stands) + 1 + (at == "parsed_body")
    assert found.places == [f"{line}: {MISCOUNT} /{key}/1/request/{at}{HERE}"]
    (finding,) = found.findings
    assert (finding.surface, finding.model) == ("gemini-api", "gemini-2.5-flash")
    assert (finding.server.verdict, finding.server.status) == ("confirmed", 400)


def test_a_long_cassette_is_read_item_by_item(tmp_path: Path) -> None:
    """Items are given out before the file was read to its end, which here is broken."""
    path = tmp_path / "long.yaml"
    path.write_bytes(written("vcrpy", SOUND * 20) + b"\t- {")
    found = judged(path)
    assert found.checked.exchanges == 39  # it breaks within the last
    assert [problem.why.partition(":")[0] for problem in found.problems] == ["no YAML"]


PACKED = {
    "br": (brotli.compress(SOUND[0].reply.encode()), "brotli"),
    "zstd": (b"\x28\xb5\x2f\xfd what follows cannot be unpacked \xff", "zstd"),
    "what": (b"\xff\xfe unknown", "packed as what"),
}


def _with(encoding: str, packed: bytes) -> bytes:
    one = vcrpy(SOUND[0], packed)
    one["response"]["headers"] = {"Content-Encoding": [encoding]}
    return as_yaml({"interactions": [one]})


def test_brotli_is_unpacked_where_its_library_is_there() -> None:
    found = judged("", _with("br", PACKED["br"][0]))
    assert (found.places, found.checked.open_calls) == ([], 2)


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("br", "a body is packed as br: install brotli to read it"),
        ("zstd", "a body is packed as zstd: install zstandard to read it"),
        ("what", "a body is packed as what"),
    ],
)
def test_what_cannot_be_unpacked_is_said_in_words(encoding: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("brotli", "zstandard", "backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    found = judged("", _with(encoding, PACKED[encoding][0]))
    (finding,) = found.findings
    assert (finding.rule, finding.message) == ("unreadable-line", said)


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
        ("br", lambda data: brotli.compress(data, quality=1)),
        ("zstd", zstandard.compress),
    ],
)
def test_a_body_that_grows_without_end_is_not_unpacked(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    data = _with(encoding, pack(b"\0" * (200 << 20)))
    (finding,) = judged("", data).findings
    assert "more than 64 MB" in finding.message


def test_a_body_that_was_redacted_is_skipped() -> None:
    one = vcrpy(SOUND[0], "[FILTERED]")
    found = judged("", as_yaml({"interactions": [one]}))
    assert (found.places, found.skipped) == ([], ["a body that was redacted"])


def test_a_bomb_of_aliases_is_one_message() -> None:
    rows = ["interactions:", "- request:", "    parsed_body:", "      a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]"]
    rows += [f"      a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    found = judged("", "\n".join(rows).encode())
    assert [problem.why for problem in found.problems] == ["line 10: an item that is too large, or grows so by aliases"]
    itself = judged("", b"interactions:\n- &x\n  request: *x\n")
    assert [problem.why for problem in itself.problems] == ["line 3: 'x' stands in itself"]


def test_an_alias_is_what_it_leads_to() -> None:
    """The dumper writes what is the same object as an alias."""
    one = vcrpy(SOUND[0])
    assert b"*id001" in (data := as_yaml({"interactions": [one, {**one, "request": dict(one["request"])}]}))
    assert judged("", data).checked.exchanges == 2


def test_the_memos_change_nothing() -> None:
    for data in traffic_of_all():
        assert judged("", data).places == judged("", data, memo=False).places


def traffic_of_all() -> list[bytes]:
    return [written(name, spoken) for name in WRITERS for spoken in (traffic.SOUND, traffic.BROKEN)]
