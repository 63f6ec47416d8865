"""Regular frames: what decodes strictly has no mistake of its own, and its outline tells all but the wording."""

import json
from typing import Any

import pytest
from msgspec import Raw

from tests.memo.test_live_frames import FRAMES
from wirecheck.dialects.live.live_regular import USUAL_LIVE, outline
from wirecheck.dialects.messages import Spot
from wirecheck.dialects.vocabulary.live_field_tables import LIVE, MESSAGES
from wirecheck.models import UNLIMITED
from wirecheck.talk.facts import NOBODY
from wirecheck.talk.fields.unknown_in_frames import in_frame
from wirecheck.wire.records import Origin, Peer, Site

SOUND = {"mimeType": "audio/pcm;rate=16000", "data": "AAAA"}
SPOKEN = {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": "AAAA"}}


def told(sender: Peer, frame: Any) -> str | None:
    return outline(sender, {key: Raw(json.dumps(value).encode()) for key, value in frame.items()})


REGULAR: list[tuple[Peer, Any, str]] = [
    ("client", {"realtimeInput": {"audio": SOUND}}, "audio audio/pcm;rate=16000"),
    ("client", {"realtimeInput": {"audio": {**SOUND, "data": ""}}}, "empty audio audio/pcm;rate=16000"),
    ("client", {"realtimeInput": {"video": {**SOUND, "mimeType": "image/jpeg"}}}, "video image/jpeg"),
    ("client", {"realtimeInput": {"mediaChunks": [SOUND, SOUND]}}, "chunk audio/pcm;rate=16000"),
    ("client", {"realtimeInput": {"text": "Now?"}}, "text"),
    ("client", {"realtimeInput": {"text": ""}}, "empty text"),
    ("client", {"realtimeInput": {"audioStreamEnd": True}}, "audioStreamEnd True"),
    ("client", {"realtimeInput": {"activityStart": {}}}, "empty activityStart"),
    ("server", {"serverContent": {"modelTurn": {"role": "model", "parts": [SPOKEN]}}}, "model m"),
    ("server", {"serverContent": {"modelTurn": {"parts": [SPOKEN]}}}, "m"),
    ("server", {"serverContent": {"modelTurn": {"parts": [SPOKEN, {"text": "x"}]}}}, "said turn m t"),
    ("server", {"serverContent": {"outputTranscription": {"text": "so"}}}, "said outputTranscription"),
    ("server", {"serverContent": {"turnComplete": False}}, "said turnComplete False"),
    ("server", {"serverContent": {}}, "said "),
    ("server", {"usageMetadata": {"totalTokenCount": 7}}, "counted"),
    ("server", {"usageMetadata": {}, "serverContent": {"turnComplete": True}}, "counted said turnComplete True"),
    ("server", {"serverContent": {"turnComplete": True}, "usageMetadata": {}}, "said turnComplete True counted"),
]
IRREGULAR: list[tuple[Peer, Any]] = [
    ("client", {}),
    ("client", {"realtimeInput": {}}),
    ("client", {"realtimeInput": None}),
    ("client", {"realtimeInput": {"audio": SOUND, "text": "x"}}),
    ("client", {"realtimeInput": {"audio": {**SOUND, "data": "data:audio/pcm;base64,AAAA"}}}),
    ("client", {"realtimeInput": {"audio": {**SOUND, "mime_type": "x"}}}),
    ("client", {"realtimeInput": {"audio": {**SOUND, "mimeType": "x" * 65}}}),
    ("client", {"realtimeInput": {"audio": {"data": "AAAA"}}}),
    ("client", {"realtimeInput": {"audio": None}}),
    ("client", {"realtimeInput": {"mediaChunks": []}}),
    ("client", {"serverContent": {"turnComplete": True}}),
    ("client", {"realtimeInput": {"audio": SOUND}, "clientContent": {}}),
    ("server", {"realtimeInput": {"audio": SOUND}}),
    ("server", {"serverContent": None}),
    ("server", {"serverContent": {"turnComplete": 1}}),
    ("server", {"serverContent": {"modelTurn": {"role": "user", "parts": [SPOKEN]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": []}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{}]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"functionCall": {"name": "now"}}]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"text": "x", **SPOKEN}]}}}),
    ("server", {"serverContent": {"turnCompleteReason": "MALFORMED_FUNCTION_CALL"}}),
    ("server", {"serverContent": {"turnComplete": True}, "toolCall": {}}),
    ("server", {"usageMetadata": 7}),
]


@pytest.mark.parametrize(("sender", "frame", "expected"), REGULAR)
def test_a_regular_frame_has_an_outline(sender: Peer, frame: Any, expected: str) -> None:
    assert told(sender, frame) == expected


@pytest.mark.parametrize(("sender", "frame"), IRREGULAR)
def test_any_other_is_read_leniently(sender: Peer, frame: Any) -> None:
    assert told(sender, frame) is None


@pytest.mark.parametrize("frame", [frame for sender, frame in FRAMES if sender == "client"])
def test_a_regular_frame_of_a_client_has_no_stray_field(frame: Any) -> None:
    spot = Spot(Site(Origin("log.jsonl", 1)))
    assert told("client", frame) is None or not list(in_frame(frame, spot, NOBODY, 0, UNLIMITED))


@pytest.mark.parametrize("message", ["realtimeInput", "audio", "video", "mediaChunk"])
def test_what_is_usual_is_known_on_every_surface(message: str) -> None:
    assert set(USUAL_LIVE[message]) <= set(MESSAGES[message])
    assert not any(message in fields for fields in LIVE.only.values())
