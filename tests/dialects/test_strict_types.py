"""What decodes strictly says the same as when it is read leniently, and has no mistake of shape."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import ValidationError

from tests.dialects.regular import contents
from tests.rules.make import context, spot
from wirecheck.dialects.content import read_content
from wirecheck.dialects.raw_json import decode
from wirecheck.dialects.strict_types import KINDS, REPLY_FIELDS, REQUIRED, STRICTER, USUAL, chunk, readers, snake
from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.dialects.vocabulary.field_tables import MESSAGES, table
from wirecheck.talk.fields import unknown

PLACES = [
    (surface, version)
    for surface in ("gemini-api", "vertex", "code-assist", "firebase", "unknown")
    for version in ("v1", "v1beta", "v1alpha", None)
]
HALVES = {"functionCall": ("name", "args", "id"), "functionResponse": ("name", "response", "id")}


@pytest.mark.parametrize("message", USUAL)
def test_what_is_usual_is_in_the_tables(message: str) -> None:
    assert set(USUAL[message]) <= set(MESSAGES[message])
    for surface, version in PLACES:
        assert set(USUAL[message]) <= set(table(surface, version)[message]), (surface, version)


def test_every_kind_of_a_usual_field_has_a_type() -> None:
    known = {*KINDS, *USUAL, *[f"{message}*" for message in USUAL]}
    kinds = {(message, name): MESSAGES[message][name] for message in USUAL for name in USUAL[message]}
    assert {place: kind for place, kind in kinds.items() if kind not in known and place not in STRICTER} == {}
    assert kinds.keys() >= REQUIRED
    assert kinds.keys() >= STRICTER.keys()


def test_snake_is_camel_told_otherwise() -> None:
    for message in USUAL:
        assert [camel(snake(name)) for name in USUAL[message]] == [*USUAL[message]]


def strict(raw: bytes, surface: str = "gemini-api", version: str | None = "v1beta") -> Any:
    """The content as it decodes in either spelling, None where it does not."""
    both = readers(surface, version)
    for read in (both.camel, both.snake):
        try:
            return read(raw)
        except (ValidationError, ValueError):
            continue
    return None


def told(part: Any) -> dict[str, Any]:
    """What is set in a part, without values that are left undecoded."""
    found = {name: getattr(part, name) for name in USUAL["part"] if getattr(part, name) is not None}
    for name, halves in HALVES.items():
        if name in found:
            half = {key: getattr(found[name], key) for key in halves if getattr(found[name], key) is not None}
            found[name] = {**half, **({"response": [*half["response"]]} if "response" in half else {})}
    for name in ("inlineData", "fileData"):
        if name in found:
            media = found[name]
            found[name] = {key: getattr(media, key) for key in USUAL[name] if getattr(media, key) is not None}
    return found


def in_camel(part: dict[str, Any]) -> dict[str, Any]:
    """A part as it was written, its keys in camelCase."""
    found = {camel(name): value for name, value in part.items()}
    for name in ("inlineData", "fileData"):
        if name in found:
            found[name] = {camel(key): value for key, value in found[name].items()}
    if "functionResponse" in found:
        found["functionResponse"] = {**found["functionResponse"], "response": [*found["functionResponse"]["response"]]}
    return found


@settings(max_examples=400)
@given(raw=contents(), place=st.sampled_from(PLACES))
def test_what_decodes_is_what_is_written_and_has_only_known_fields(raw: bytes, place: tuple[str, str | None]) -> None:
    content = strict(raw, *place)
    if content is None:
        return
    written = json.loads(raw)
    assert content.role == written["role"]
    assert [told(part) for part in content.parts] == [in_camel(part) for part in written["parts"]]
    lenient = read_content(decode(raw), "contents", spot())
    where = context(surface=place[0], version=place[1])
    assert [each for each in unknown.in_content(lenient, 0, where) if each.why != "mixed"] == []
    assert (lenient.shape, lenient.role in ("user", "model")) == ("list", True)


REGULAR = [
    '{"role":"user","parts":[{"text":""}]}',
    '{"parts":[{"functionCall":{"name":"f"}}],"role":"model"}',
    '{"role":"model","parts":[{"function_call":{"name":"f","args":{}},"thought_signature":"QUJD"}]}',
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":1e999},"id":"c"}}]}',
    '{"role":"user","parts":[{"inline_data":{"mime_type":"image/png","data":"aGk="}},{"text":"x"}]}',
]
IRREGULAR = [
    '{"role":"user","parts":[]}',
    '{"role":"user"}',
    '{"parts":[{"text":"x"}]}',
    '{"role":"tool","parts":[{"text":"x"}]}',
    '{"role":"user","parts":{"text":"x"}}',
    '{"role":"user","parts":[{"text":null}]}',
    '{"role":"user","parts":[{"text":1}]}',
    '{"role":"user","parts":[{"text":"x"}],"name":"y"}',
    '{"role":"user","parts":[{"text":"x","thoughtSignature":""}]}',
    '{"role":"user","parts":[{"text":"x","thought":1}]}',
    '{"role":"model","parts":[{"functionCall":{"name":""}}]}',
    '{"role":"model","parts":[{"functionCall":{"name":"f","args":null}}]}',
    '{"role":"model","parts":[{"functionCall":{"name":"f","args":[]}}]}',
    '{"role":"model","parts":[{"functionCall":{"name":"f","id":""}}]}',
    '{"role":"user","parts":[{"functionResponse":{"name":"f"}}]}',
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":"x"}}]}',
    '{"role":"user","parts":[{"inlineData":{"data":"Data:image/png;base64,aGk="}}]}',
    '{"role":"user","parts":[{"inlineData":{"mime_type":"image/png"}},{"function_call":{"name":"f"}}]}',
    '[{"role":"user"}]',
    '"user"',
    "null",
]


@pytest.mark.parametrize("raw", REGULAR)
def test_what_is_regular_decodes(raw: str) -> None:
    assert strict(raw.encode()) is not None


@pytest.mark.parametrize("raw", IRREGULAR)
def test_what_is_not_regular_does_not(raw: str) -> None:
    assert strict(raw.encode()) is None


def test_readers_are_shared_by_surfaces_of_the_same_usual_fields() -> None:
    assert readers("gemini-api", "v1beta").camel is not None
    assert len({readers(*place) for place in PLACES}) < len(PLACES)


def test_what_a_reply_may_hold_is_named() -> None:
    assert {"content", "finishReason", "index"} <= REPLY_FIELDS
    with pytest.raises(ValidationError):
        chunk(b'{"candidates":[{"strange":1}]}')
    with pytest.raises(ValidationError):
        chunk(b'{"candidates":[{},{}]}')
