"""What the recorder refused itself (--enforce) is no word of the server."""

import json
from typing import Any

import pytest

from tests.sources.telling import read
from wirecheck import Inspector, load
from wirecheck.finding import Finding
from wirecheck.wire.records import OWN_REFUSAL

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
OURS = f"{OWN_REFUSAL}WC301 unanswered-function-call] f was called and never answered."
CONTENTS = [
    {"role": "user", "parts": [{"text": "x"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
    {"role": "user", "parts": [{"text": "y"}]},
]


def found(*lines: dict[str, Any], predict: bool = False) -> list[Finding]:
    inspector = Inspector(load(), predict=predict)
    given = [each for record in read(*map(json.dumps, lines)) for each in inspector.feed(record)]
    return given + inspector.close()


def refused(text: str) -> dict[str, Any]:
    body = {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}
    return {
        "request": {"method": "POST", "url": URL, "body": {"contents": CONTENTS}},
        "response": {"status": 400, "body": body},
    }


@pytest.mark.parametrize(("text", "status"), [(OURS, None), ("No.", 400)])
def test_a_refusal_of_ours_is_no_verdict(text: str, status: int | None) -> None:
    (mistake,) = found(refused(text))
    assert (mistake.rule, mistake.severity) == ("unanswered-function-call", "error")
    assert (mistake.server.verdict, mistake.server.status) == ("unknown", status)


@pytest.mark.parametrize(("text", "told"), [(OURS, []), ("No.", ["unexplained-rejection"])])
def test_what_a_rule_of_that_run_refused_is_not_laid_to_the_server(text: str, told: list[str]) -> None:
    line = refused(text)
    line["request"]["body"]["contents"] = CONTENTS[:1]
    assert [each.rule for each in found(line)] == told


def session(reason: str) -> list[dict[str, Any]]:
    frames = [
        ("client", {"setup": {"model": "models/gemini-3.8-live"}}),
        ("server", {"setupComplete": {}}),
        ("server", {"toolCall": {"functionCalls": [{"id": "c1", "name": "f", "args": {}}]}}),
        ("client", {"toolResponse": {"functionResponses": [{"id": "nobody", "name": "f", "response": {}}]}}),
    ]
    said = [{"channel": "1", "url": LIVE, "from": peer, "data": data} for peer, data in frames]
    return [*said, {"channel": "1", "close": {"code": 1007, "reason": reason, "by": "server"}}]


def test_a_close_of_ours_is_not_laid_to_the_server() -> None:
    ours = [each.rule for each in found(*session(OURS))]
    assert "live-close-unexplained" not in ours
    assert ours == [each.rule for each in found(*session(OURS), predict=True)]
    assert "live-close-unexplained" in [each.rule for each in found(*session("Something else."))]
