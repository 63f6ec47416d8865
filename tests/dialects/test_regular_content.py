"""A regular content or reply says the same as when it is read leniently; what nobody asks for is not read."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from bench.logs import lines
from tests.dialects.regular import CALLS, DATA, SIGNED, contents, messages, some
from tests.rules.make import spot
from wirecheck.data.shipped import models
from wirecheck.dialects import Dialects, regular_content
from wirecheck.dialects.address import address
from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Chunk, Content, Recited
from wirecheck.dialects.raw_json import decode
from wirecheck.dialects.regular_content import BEGINNING, ContentReader, RegularChunk, RegularContent
from wirecheck.dialects.vocabulary.finish_reasons import finish_reason
from wirecheck.sources import Reader
from wirecheck.talk.http.exchange import says, spoken
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Replied, Site

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
WHERE = address(URL, models())
ROOT = Path(__file__).parent.parent.parent


def read(raw: bytes, reader: ContentReader | None = None) -> Content:
    return (reader or ContentReader()).read(raw, xxh3_64_intdigest(raw), spot(1, "contents", 0), WHERE)


def signed(content: Content) -> list[tuple[int, Any]]:
    """The signatures of its parts, as they were written."""
    values = [(n, part.value) for n, part in enumerate(content.parts) if type(part.value) is dict]
    given = [(n, value.get("thoughtSignature", value.get("thought_signature"))) for n, value in values]
    return [(n, signature) for n, signature in given if signature is not None]


def halves(content: Content) -> Any:
    """Calls with all there is of them, but for the order of their keys; of answers what ties them to calls."""
    calls = [
        (one.id, one.name, one.args, one.signed, set(one.keys), one.value, one.spot, one.member)
        for one in content.calls
    ]
    return calls, [(one.id, one.name, one.spot, one.member) for one in content.answers]


def alike(strict: RegularContent, lenient: Content) -> None:
    assert (strict.role, strict.speaker, strict.container) == (lenient.role, lenient.speaker, lenient.container)
    assert (strict.shape, strict.spot, strict.signed) == (lenient.shape, lenient.spot, lenient.signed)
    assert halves(strict) == halves(lenient)
    assert [*strict.texts] == [text[:BEGINNING] for text in lenient.texts]
    assert strict.words == lenient.words
    assert strict.beginning == lenient.beginning[:BEGINNING]
    assert strict.beside == lenient.beside
    assert strict.analysis.parts == len(lenient.parts)
    of_calls = [(half.part, half.signature) for half in strict.analysis.calls if half.signature is not None]
    others = [(one.part, one.signature) for one in strict.analysis.signed]
    assert sorted(of_calls + others) == signed(lenient)
    assert (strict.keys, strict.parts, strict.value) == (lenient.keys, lenient.parts, lenient.value)


@settings(max_examples=400)
@given(raw=contents())
def test_a_regular_content_says_what_it_says_when_read_leniently(raw: bytes) -> None:
    content = read(raw)
    lenient = read_content(decode(raw), "contents", spot(1, "contents", 0))
    if isinstance(content, RegularContent):
        alike(content, lenient)
    else:
        assert (content.outline, content.value, content.parts) == (None, lenient.value, lenient.parts)


OUTLINES = [
    ('{"role":"user","parts":[{"text":"x"}]}', "user t"),
    ('{"role":"user","parts":[{"text":""}]}', "user e"),
    ('{"role":"model","parts":[{"text":"x","thought":true},{"text":"y"}]}', "model tT t"),
    ('{"role":"model","parts":[{"functionCall":{"name":"f"}}]}', "model c"),
    ('{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}', "model cA"),
    ('{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1},"id":"c"}}]}', "model cai"),
    ('{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"QUJD"}]}', "model cS"),
    ('{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}', "user r0"),
    ('{"role":"user","parts":[{"functionResponse":{"name":"f","id":"c","response":{"output":1}}}]}', "user rio"),
    ('{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"error":1,"a":1}}}]}', "user rx"),
    ('{"role":"user","parts":[{"inlineData":{"mimeType":"a/b"}},{"fileData":{"fileUri":"x"}}]}', "user m f"),
    # Two kinds of data in a part, none, and what willContinue says, are read leniently.
    ('{"role":"user","parts":[{"text":"x","inlineData":{}}]}', None),
    ('{"role":"user","parts":[{"thought":true}]}', None),
    ('{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1,"willContinue":true}}}]}', None),
]


@pytest.mark.parametrize(("raw", "outline"), OUTLINES)
def test_an_outline_is_all_but_the_wording(raw: str, outline: str | None) -> None:
    assert read(raw.encode()).outline == outline


def test_what_was_said_lately_is_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [b'{"role":"user","parts":[{"text":"%d"}]}' % n for n in range(100)]
    seen: list[bytes] = []
    analysed = regular_content.analysed

    def count(raw: Any, readers: Any) -> Any:
        seen.append(bytes(raw))
        return analysed(raw, readers)

    monkeypatch.setattr(regular_content, "analysed", count)
    reader = ContentReader()
    for raw in raws * 3:
        assert isinstance(read(raw, reader), RegularContent)
    assert seen == raws


def test_the_same_bytes_are_another_content_where_fields_differ() -> None:
    """Another reader is another analysis; what is regular on one surface may not be so on another."""
    raw, reader = b'{"role":"user","parts":[{"text":"x"}]}', ContentReader()
    vertex = address(
        "https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-3.6-flash:generateContent", models()
    )
    for where in (WHERE, vertex, WHERE):
        content = reader.read(raw, xxh3_64_intdigest(raw), spot(), where)
        assert content.texts == ("x",)


def test_untyped_all_is_read_leniently() -> None:
    assert type(read(b'{"role":"user","parts":[{"text":"x"}]}', ContentReader(typed=False))) is Content


def replied(raw: bytes, *, typed: bool = True) -> Any:
    """What a whole reply says."""
    dialects, origin = Dialects(models(), typed=typed), Origin("log.jsonl", 1)
    asked = Body(b'{"contents":[]}', Site(origin, "/request/body"))
    records = [
        Opened(channel="1", origin=origin, method="POST", url=URL, body=asked),
        Replied(channel="1", origin=origin, status=200),
        Frame(channel="1", origin=origin, sender="server", body=Body(raw, Site(origin, "/response/body"))),
        Closed(channel="1", origin=origin),
    ]
    messages = [message for record in records for message in dialects.read(record)]
    return next(message for message in messages if isinstance(message, Chunk | RegularChunk))


SAID = some({}, text=DATA["text"], functionCall=CALLS, inlineData=DATA["inlineData"], **SIGNED)
USAGE = some({}, promptTokenCount=st.integers(0, 9), totalTokenCount=st.integers(0, 9), more=st.none())


@st.composite
def replies(draw: st.DrawFn) -> bytes:
    content = json.loads(draw(contents(("model", "user"), SAID)))
    if draw(st.integers(0, 3)) == 0 and isinstance(content, dict):
        content.pop(draw(st.sampled_from(("role", "parts"))), None)
    candidate: dict[str, Any] = draw(
        some(
            {"content": st.just(content)},
            finishReason=st.sampled_from(("STOP", "MAX_TOKENS", "stop", "", None)),
            index=st.sampled_from((0, 0, 0, 1, "0")),
            safetyRatings=st.just([]),
            finishMessage=st.sampled_from(("", "done")),
            strange=st.just(1),
        )
    )
    if draw(st.integers(0, 3)):
        candidate.pop("strange", None)
    around = draw(some({}, usageMetadata=USAGE, modelVersion=st.just("m"), responseId=st.sampled_from(("r", "", 1))))
    return json.dumps({"candidates": [candidate], **around}).encode()


@settings(max_examples=400)
@given(raw=replies())
def test_a_regular_reply_says_what_it_says_when_read_leniently(raw: bytes) -> None:
    chunk, lenient = replied(raw), replied(raw, typed=False)
    if isinstance(chunk, RegularChunk):
        same_chunk(chunk, lenient)
    else:
        assert chunk == lenient or repr(chunk) != ""


def same_chunk(chunk: RegularChunk, lenient: Chunk) -> None:
    (candidate,) = lenient.candidates
    assert (chunk.surface, chunk.streamed, chunk.spot, chunk.seen) == (
        *(lenient.surface, lenient.streamed, lenient.spot),
        lenient.seen,
    )
    assert chunk.finish == candidate.finish == finish_reason(candidate.value.get("finishReason"), lenient.surface)
    assert (chunk.said.modelVersion, chunk.error) == (lenient.model_version, lenient.error)
    assert candidate.index == 0
    if chunk.content is None:
        assert candidate.content is None
        return
    assert candidate.content is not None
    alike(chunk.content, candidate.content)
    assert chunk.says == says(candidate.content)
    assert chunk.texts == [text for text in spoken(candidate.content) if text]
    assert chunk.full.value == lenient.value


@pytest.mark.parametrize("name", ["small", "long.records", "mixed"])
def test_recorded_traffic_says_the_same(name: str, tmp_path: Path) -> None:
    """What is regular is most of it."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(islice(lines(name, 0.001), 150)))
    regular = compared(path)
    assert sum(regular) > 0.5 * len(regular)


@pytest.mark.parametrize("path", sorted((ROOT / "fixtures").glob("*/log.jsonl")), ids=lambda path: path.parent.name)
def test_fixtures_say_the_same(path: Path) -> None:
    compared(path)


def compared(path: Path) -> list[bool]:
    """Of each content and each reply, whether it is regular; then it says the same."""
    strict, lenient = Dialects(models()), Dialects(models(), typed=False)
    regular: list[bool] = []
    for record in Reader([str(path)]):
        for one, other in zip([*messages(strict, record)], [*messages(lenient, record)], strict=True):
            if isinstance(one, Recited) and isinstance(other, Recited) and one.container == "contents":
                pairs = [(one.read(n), other.read(n)) for n in range(len(one.slices))]
                regular += [isinstance(content, RegularContent) for content, _ in pairs]
                for content, plain in pairs:
                    if isinstance(content, RegularContent):
                        alike(content, plain)
            elif isinstance(other, Chunk):
                regular.append(isinstance(one, RegularChunk))
                if isinstance(one, RegularChunk):
                    same_chunk(one, other)
    return regular
