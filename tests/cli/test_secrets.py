"""Secrets in a log stay there: nothing that is printed or written holds one."""

import json
from pathlib import Path

import pytest

from tests.cli.logs import URL, Desk, content
from tests.secrets.test_scrub import NAMES, TOKENS

ARGS = {name: f"s3cr3t-{n}" for n, name in enumerate(NAMES)} | {f"a{n}": token for n, token in enumerate(TOKENS)}


def log(args: dict[str, str]) -> str:
    """A call nobody answers, and what makes findings say its arguments."""
    call = {"role": "model", "parts": [{"functionCall": {"name": "log_in", "args": args}, "oops": args}]}
    contents = [content("user", json.dumps(args)), call, {"role": json.dumps(args), "parts": [{"text": str(args)}]}]
    asked = {"method": "POST", "url": URL, "headers": args, "body": {"contents": contents}}
    return json.dumps({"request": asked, "response": {"status": 400, "body": {"error": {"message": json.dumps(args)}}}})


@pytest.mark.parametrize("command", ["show", *(f"lint --output-format {name}" for name in ("full", "json", "concise"))])
def test_no_secret_is_printed(desk: Desk, command: str) -> None:
    for name, value in ARGS.items():
        Path(f"{name}.jsonl").write_text(log({name: value, "city": "Rome"}) + "\n", encoding="utf-8")
    result = desk.run(*command.split(), *(f"{name}.jsonl" for name in ARGS))
    assert "Rome" in result.output
    assert "s3cr3t" not in result.output
    assert [token for token in TOKENS if token in result.output] == []
