"""What a file is that is no log: each named in one message, with what to do, and never line by line."""

import gzip
import io
import os
import random
import struct
import sys
import zlib
from pathlib import Path

import pytest

import wirecheck
from tests.work import work
from wirecheck.sources import Reader
from wirecheck.sources.files.file_kinds import no_log, no_text
from wirecheck.sources.formats.beginning import HEAD, Beginning

NOISE = random.Random(7).randbytes(9000)
CODE = 'import os\n\n\ndef main():\n    print([])\n    return {"a": 1}\n'
SAMPLES = {
    "a zip archive": b"PK\x03\x04" + NOISE,
    "packed with gzip twice": gzip.compress(gzip.compress(b'{"contents": []}\n' * 99)),
    "packed with zstd": b"\x28\xb5\x2f\xfd" + NOISE,
    "a tar archive": b"log.jsonl".ljust(257, b"\0") + b"ustar\x0000" + NOISE,
    "an image": b"\x89PNG\r\n\x1a\n" + struct.pack(">I4s", 13, b"IHDR") + zlib.compress(NOISE),
    "sound or a film": b"\0\0\0\x20ftypisom" + NOISE,
    "a PDF": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
    "a program": b"\x7fELF" + NOISE,
    "packets, which are encrypted": b"\xd4\xc3\xb2\xa1\x02\0\x04\0" + NOISE,
    "a Parquet file": b"PAR1" + NOISE,
    "a pickle of Python": b"\x80\x04\x95" + NOISE,
    "spans of OpenTelemetry in protobuf": b"\n\xd0\x02\n\x1e\n\x0cservice.name\x12\x0e\n\x0cagent" + NOISE,
    "text in UTF-16": '{"contents": []}\n'.encode("utf-16-le") * 9,
    "bytes and no text": NOISE,
    "HTML": b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n</html>\n",
    "XML": b'<?xml version="1.0"?>\n<testsuite/>\n',
    "what Python prints of dictionaries": b"{'request': {'x': [1]}}\n" * 40,
    "protobuf as text": b'contents {\n  role: "user"\n}\n',
    "HTTP messages as text": b"POST /v1beta/models/x:generateContent HTTP/1.1\r\nHost: x\r\n\r\n",
    "a script": b"#!/bin/sh\nexec wirecheck\n",
    "a patch": b"diff --git a/x b/x\n@@ -1 +1 @@\n-1\n+2\n",
    "a traceback of Python": b"Traceback (most recent call last):\n  File x\nKeyError: 1\n",
    "Python code": CODE.encode(),
    "JavaScript or TypeScript code": b"const x = 1\nexport default x\n",
    "code": b"package main\n\nfunc main() {\n}\n",
    "a log in plain text": b"2026-11-20 12:00:01 INFO started\n" * 5000,
    "a table (CSV)": b'request,response,at\n"{""contents"": []}","{}",3\n',
    "YAML without recorded exchanges": b"# ours\nservices:\n  web:\n    image: x\n",
    "settings": b"[tool.wirecheck]\nselect = 1\n",
    "a text for people": b"# Logs\n\nThese are logs.\n",
    "plain text": b"Dear all,\n\nthe logs follow.\n",
}


def problems(data: bytes) -> list[str]:
    reader = Reader(["-"], stdin=io.BytesIO(data))
    assert [record for record in reader if getattr(record, "kind", "") != "skipped"] == []
    return [problem.why for problem in reader.problems]


@pytest.mark.parametrize("title", SAMPLES)
def test_a_file_that_is_no_log_is_named_once(title: str) -> None:
    (why,) = problems(SAMPLES[title])
    named, _, instead = why.partition(", not a log: ")
    assert named == title
    assert instead


@pytest.mark.skipif(not os.path.exists("/bin/ls"), reason="no such program here")
def test_programs_of_this_machine_are_programs() -> None:
    for path in ("/bin/ls", sys.executable):
        reader = Reader([path])
        assert (list(reader), [each.why.partition(",")[0] for each in reader.problems]) == ([], ["a program"])


@pytest.mark.parametrize(
    "log",
    [
        b'{"contents": []}\n',
        b"\0" * 20_000 + b'\n{"contents": []}\n',
        b"\0" * 100 + b'\n{"contents": []}\n',
        '{"contents": [{"parts": [{"text": "日本語 – é 🙂"}]}]}\n'.encode() * 900,
        b'{"contents": []}\n\x01\x02\n',
        b'\x1b[32m{"contents": []}\x1b[0m\n',
        '{"text": "café"}\n'.encode("latin-1") * 40,
    ],
)
def test_a_log_is_text_whatever_it_says(log: bytes) -> None:
    assert no_text(Beginning(log)) is None


@pytest.mark.parametrize(
    "piece", [b" ", b"#", b"# x\n", b"\n", b",", b"[", b"a" * 50 + b":", b"<", b"import ", b"\0", b"0"]
)
def test_naming_takes_no_longer_for_hostile_files(piece: bytes) -> None:
    assert work(lambda: no_log(Beginning(piece * HEAD))) < 1000


def test_the_source_of_this_program_is_code() -> None:
    package = Path(wirecheck.__file__).parent
    for path in (package / "api.py", package / "inspector.py", package / "cli" / "app.py"):
        assert problems(path.read_bytes())[0].startswith("Python code")
