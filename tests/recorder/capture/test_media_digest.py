"""Media become their type, length and hash; whatever else is in the JSON stays byte for byte."""

import base64
import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.recorder.capture.media_digest import LIMIT, slimmed

DATA = bytes(range(256)) * 5 + b"?>"
TEXT = base64.b64encode(DATA).decode()
URL_SAFE = base64.urlsafe_b64encode(DATA).decode()
HASH = sha256(DATA).hexdigest()

MEDIA: dict[str, tuple[Any, Any]] = {
    "a picture": (
        {"inlineData": {"mimeType": "image/png", "data": TEXT}},
        {"inlineData": {"mimeType": "image/png", "data": f"[image/png, 1282 bytes, sha256 {HASH}]"}},
    ),
    "in the other spelling and order": (
        {"inline_data": {"data": URL_SAFE, "mime_type": "image/png"}},
        {"inline_data": {"data": f"[image/png, 1282 bytes, sha256 {HASH}]", "mime_type": "image/png"}},
    ),
    "without padding": (
        {"inlineData": {"mimeType": "audio/pcm;rate=16000", "data": TEXT.rstrip("=")}},
        {"inlineData": {"mimeType": "audio/pcm;rate=16000", "data": f"[audio/pcm, 1282 bytes, sha256 {HASH}]"}},
    ),
    "what a microphone sends": (
        {"realtimeInput": {"mediaChunks": [{"data": TEXT}, {"data": TEXT, "mimeType": "audio/pcm"}]}},
        {
            "realtimeInput": {
                "mediaChunks": [
                    {"data": f"[media, 1282 bytes, sha256 {HASH}]"},
                    {"data": f"[audio/pcm, 1282 bytes, sha256 {HASH}]", "mimeType": "audio/pcm"},
                ]
            }
        },
    ),
    "a data URI": (
        {"image_url": {"url": f"data:image/jpeg;base64,{TEXT}"}},
        {"image_url": {"url": f"data:image/jpeg;base64,[image/jpeg, 1282 bytes, sha256 {HASH}]"}},
    ),
    "sound as OpenAI has it": (
        {"input_audio": {"data": TEXT, "format": "wav"}},
        {"input_audio": {"data": f"[wav, 1282 bytes, sha256 {HASH}]", "format": "wav"}},
    ),
    "a picture that was made": (
        {"generatedImages": [{"image": {"imageBytes": TEXT}}]},
        {"generatedImages": [{"image": {"imageBytes": f"[media, 1282 bytes, sha256 {HASH}]"}}]},
    ),
}
STAYS = {
    "a signature": {"thoughtSignature": TEXT},
    "a small picture": {"inlineData": {"data": TEXT[: LIMIT // 2]}},
    "what is no base64": {"inlineData": {"data": "a" * 4097}},
    "text": {"text": TEXT},
    "data in words": {"data": "no media at all, " * 200},
}
WAYS: dict[str, Callable[[Any], bytes]] = {
    "compact": orjson.dumps,
    "pretty": lambda value: json.dumps(value, indent=2).encode(),
    "slashes escaped": lambda value: orjson.dumps(value).replace(b"/", b"\\/"),
    "as Java does": lambda value: orjson.dumps(value).replace(b"=", b"\\u003d"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("given", "slim"), MEDIA.values(), ids=MEDIA)
def test_media_become_type_length_and_hash(given: Any, slim: Any, way: str) -> None:
    assert json.loads(slimmed(WAYS[way]({"a": 1, "b": [given, "x"]}))) == {"a": 1, "b": [slim, "x"]}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", STAYS.values(), ids=STAYS)
def test_what_is_no_media_stays(value: Any, way: str) -> None:
    raw = WAYS[way]({"a": [value] * 3})
    assert slimmed(raw) == raw


def test_what_stands_around_media_stays_byte_for_byte() -> None:
    raw = b'{ "a":1.0, "data" : "%s" ,\r\n"b":"\\u00e9" }' % TEXT.encode()
    assert slimmed(raw) == raw.replace(TEXT.encode(), f"[media, 1282 bytes, sha256 {HASH}]".encode())


@given(st.binary(min_size=LIMIT, max_size=2 * LIMIT), st.binary(min_size=LIMIT, max_size=2 * LIMIT))
def test_media_are_alike_after_if_they_were_alike_before(one: bytes, other: bytes) -> None:
    slim = [slimmed(orjson.dumps({"data": base64.b64encode(data).decode()})) for data in (one, other)]
    assert (slim[0] == slim[1]) == (one == other)
