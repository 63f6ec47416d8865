"""What is recognised and not read: one sentence with what to do, and no finding."""

from pathlib import Path

import pytest

from tests.sources.agents.judged import judged

PYTHON, NODE = "what Python prints of the objects of an SDK", "what console.log prints of objects"


@pytest.mark.parametrize(
    ("written", "title", "advice"),
    [
        ("parts=[Part(\n  text='Hi'\n)] role='user'\n", PYTHON, "model_dump_json"),
        ("[Content(\n  parts=[\n", PYTHON, "model_dump_json"),
        ("got\nGenerateContentResponse(\n  candidates=[\n    Candidate(\n", PYTHON, "model_dump_json"),
        ("sdk_http_response=HttpResponse(\n  headers={\n", PYTHON, "model_dump_json"),
        ("[{'parts': [{'text': 'Hi'}], 'role': 'user'}]\n", PYTHON, "model_dump_json"),
        ("[\n  { role: 'user', parts: [ [Object] ] }\n]\n", NODE, "JSON.stringify"),
        ("open\nmessage LiveServerMessage { setupComplete: {} }\n", NODE, "JSON.stringify"),
        ('{"runSettings": {}, "chunkedPrompt": {"chunks": []}}', "a prompt of AI Studio", "wirecheck record"),
    ],
)
def test_it_is_named(written: str, title: str, advice: str, tmp_path: Path) -> None:
    (told,) = judged(tmp_path, "x", written)
    assert told.startswith(f"{title}, which is not read: ")
    assert advice in told


@pytest.mark.parametrize(
    "written",
    [
        '{"contents":[{"role":"user","parts":[{"text":"[Object] parts=[Part(\\n[Content("}]}]}\n',
        '[\n  {"role": "user", "parts": [{"text": "LiveServerMessage {"}]}\n]\n',
        "GenerateContentResponse(\n" + '{"contents":[]}\n',
    ],
)
def test_json_is_read_whatever_stands_in_it(written: str, tmp_path: Path) -> None:
    assert not any("which is not read" in told for told in judged(tmp_path, "x", written))
