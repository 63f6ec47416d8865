"""Refusals out of texts."""

import json

import pytest

from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.node import JsonNode
from wirecheck.wire.records import Origin, Site

BODY = {"error": {"code": 400, "message": "No."}}
ODD = {"error": {"code": 400, "message": 'It\'s not "\u00e9\\".\n'}}


@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        (json.dumps(BODY), None, (400, BODY)),
        (f"got status: 400. {json.dumps(BODY)}", None, (400, BODY)),
        ("[API Error: No. (Status: INVALID_ARGUMENT)]", None, (400, BODY)),
        (f"Tried {{model}} - {json.dumps(BODY)}. Fallbacks=[{{'a': 1}}]", None, (400, BODY)),
        (repr(json.dumps(BODY, indent=1).encode()), None, (400, BODY)),
        (f"Failed - {json.dumps(ODD, ensure_ascii=False).encode()!r} after 2 tries \u2026", None, (400, ODD)),
        ("b'{\\x'", None, None),
        ("ClientError: 400 INVALID_ARGUMENT. {'error': {'code': 400, 'message': 'No.'}}", None, (400, BODY)),
        ("400 INVALID_ARGUMENT. {'error': {'code': 400, 'message': 'No.', 'status': 'X'}}", None, (400, BODY)),
        ("""400 INVALID_ARGUMENT. {'error': {'message': "No."}}""", None, (400, BODY)),
        ("google.genai.errors.ClientError: 400 INVALID_ARGUMENT. {'error': {'message': 'No.'}}", None, (400, BODY)),
        ("x 400 INVALID_ARGUMENT. {'error': {'message': 'No.'}}", None, (400, BODY)),
        ("400 INVALID_ARGUMENT. {'message': 7}", None, None),
        ("No.", 400, (400, BODY)),
        ("No.", None, None),
        ("{}", None, None),
        ('{"error": 7}', None, None),
        ('{"error": {"code": "400"}}', None, None),
        ("[API Error: No. (Status: ABORTED)]", None, None),
        ("{" * 100_000, None, None),
        ('{"a":' * 10_000, None, None),
        ("{x}" * 9 + json.dumps(BODY), None, None),
        (7, None, None),
        (None, None, None),
    ],
)
def test_a_refusal(said: object, status: int | None, told: tuple[int, object] | None) -> None:
    found = refusal(JsonNode(json.dumps(said).encode(), Site(Origin("x", 1), "/error")), status)
    assert (None if found is None else (found[0], json.loads(found[1].raw))) == told
    assert found is None or (found[1].site.pointer, found[1].site.places) == ("/error", {})
