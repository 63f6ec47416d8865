"""Lines of many megabytes are let go: a log of them costs little more memory than the longest."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MB = 1 << 20
CODE = """
import sys
from wirecheck.cli import main
try:
    main()
except SystemExit:
    pass
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
"""


def exchange(size: int) -> str:
    """A request with a picture of so many bytes of base64."""
    picture = {"inlineData": {"mimeType": "image/png", "data": "iVBO" * (size // 4)}}
    contents = [{"role": "user", "parts": [picture, {"text": f"What is this? {size}"}]}]
    reply = {"content": {"role": "model", "parts": [{"text": "A cat."}]}, "finishReason": "STOP", "index": 0}
    url = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
    asked = {"method": "POST", "url": url, "body": {"contents": contents}}
    return json.dumps({"request": asked, "response": {"status": 200, "body": {"candidates": [reply]}}})


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a program")
def test_a_log_of_lines_of_up_to_20_megabytes_is_judged_in_120(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(exchange(size * MB) + "\n" for size in (3, 9, 6, 19, 1, 12, 5, 20)))
    run = subprocess.run(
        [sys.executable, "-c", CODE, "lint", "--isolated", "-q", "--jobs", "1", str(log)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stderr.split()[-2]) < 120 * 1024, run.stderr
