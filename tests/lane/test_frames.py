"""Frames that are passed by would have been found sound: in whole sessions, in broken ones, and where several mix."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.live import URL, session
from bench.logs import lines
from wirecheck.finding import Finding, milder_than
from wirecheck.inspector import Inspector
from wirecheck.lane import Source
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader
from wirecheck.wire.record import Closed, Record

Json = dict[str, Any]
Frame = tuple[str, Json]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def told(rules: Ruleset, path: Path, *, quick: bool, pictures: bool) -> tuple[object, int]:
    """All that comes of a log, and how many of its lines were passed by."""
    inspector, passed = Inspector(rules, recognise=quick, pictures=pictures, counted=milder_than("warning")), 0

    def count(lines: Sequence[bytes], begin: int, path: str, number: int, source: Source) -> int:
        nonlocal passed
        passed += (some := inspector.passed(lines, begin, path, number, source))
        return some

    findings, closed = list[Finding](), list[Record]()
    for record in Reader([str(path)], heard=inspector.heard, passed=count):
        findings += inspector.feed(record)
        closed += [record] if isinstance(record, Closed) else []
    findings += inspector.close()
    return (findings, closed, inspector.counted, inspector.checked), passed


def agree(rules: Ruleset, path: Path, log: Sequence[bytes], pictures: bool = False) -> int:
    path = path / "log.jsonl"
    path.write_bytes(b"".join(log))
    found, passed = told(rules, path, quick=True, pictures=pictures)
    assert found == told(rules, path, quick=False, pictures=pictures)[0]
    return passed


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize("mistakes", [0, 3])
@pytest.mark.parametrize("name", ["live", "live.records"])
def test_most_frames_of_a_session_are_passed_by(
    rules: Ruleset, tmp_path: Path, name: str, mistakes: int, pictures: bool
) -> None:
    log = list(lines(name, 0.004, mistakes=mistakes))
    assert agree(rules, tmp_path, log, pictures) > (0.7 if pictures else 0.9) * len(log)


def data(size: int = 3) -> str:
    return "AAAA" * size


AUDIO = {"mimeType": "audio/pcm;rate=16000", "data": data()}
SPOKEN = {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": data(5)}}
# What may come at any time, right or wrong.
FRAMES: list[Frame] = [
    ("client", {"realtimeInput": {"audio": AUDIO}}),
    ("client", {"realtimeInput": {"audio": {**AUDIO, "data": ""}}}),
    ("client", {"realtimeInput": {"audio": {**AUDIO, "mimeType": "audio/mp3"}}}),
    ("client", {"realtimeInput": {"mediaChunks": [AUDIO, AUDIO]}}),
    ("client", {"realtime_input": {"audio": AUDIO}}),
    ("client", {"realtimeInput": {"text": "Now?"}}),
    ("client", {"realtimeInput": {"text": ""}}),
    ("client", {"realtimeInput": {"audioStreamEnd": True}}),
    ("client", {"realtimeInput": {}}),
    ("client", {"realtimeInput": {"audio": AUDIO}, "toolResponse": {"functionResponses": []}}),
    ("client", {"realtimeInput": None}),
    ("client", {"clientContent": {"turns": [{"role": "user", "parts": [{"text": "x"}]}], "turnComplete": True}}),
    ("client", {"setup": {"model": "models/gemini-3.1-flash-live-preview"}}),
    ("client", {"toolResponse": {"functionResponses": [{"id": "f1", "name": "lights", "response": {}}]}}),
    ("client", {}),
    ("server", {"setupComplete": {}}),
    ("server", {"serverContent": {"modelTurn": {"role": "model", "parts": [SPOKEN]}}}),
    ("server", {"serverContent": {"modelTurn": {"role": "user", "parts": [SPOKEN]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"text": "Yes."}, SPOKEN]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"text": "Hm.", "thought": True}]}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": []}}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"functionCall": {"name": "lights", "id": "f9"}}]}}}),
    ("server", {"serverContent": {"inputTranscription": {"text": "well"}}}),
    ("server", {"serverContent": {"outputTranscription": {"text": "so", "finished": True}}}),
    ("server", {"serverContent": {"interrupted": True}}),
    ("server", {"serverContent": {"generationComplete": True}}),
    ("server", {"serverContent": {"turnComplete": True}}),
    ("server", {"serverContent": {"turnComplete": False}}),
    ("server", {"serverContent": {"turnComplete": True, "turnCompleteReason": "MALFORMED_FUNCTION_CALL"}}),
    ("server", {"serverContent": {"turnComplete": True}, "usageMetadata": {"totalTokenCount": 7}}),
    ("server", {"usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 7}}),
    ("server", {"serverContent": {}}),
    ("server", {"toolCall": {"functionCalls": [{"id": "f1", "name": "lights", "args": {"on": True}}]}}),
    ("server", {"toolCall": {"functionCalls": [{"id": "f2", "name": "later", "args": {}}]}}),
    ("server", {"toolCall": {"functionCalls": [{"name": "lights", "args": {"on": True}}]}}),
    ("server", {"toolCallCancellation": {"ids": ["f1"]}}),
    ("server", {"goAway": {"timeLeft": "10s"}}),
    ("server", {"sessionResumptionUpdate": {"newHandle": "h", "resumable": True}}),
    ("server", {"unheard": 1}),
]
SETUP: Frame = (
    "client",
    {
        "setup": {
            "model": "models/gemini-2.5-flash-native-audio-preview-12-2025",
            "tools": [
                {"functionDeclarations": [{"name": "lights"}, {"name": "later", "behavior": "NON_BLOCKING"}]},
            ],
        }
    },
)
# Lines that are no frames, or broken ones.
OTHERS = [
    b"\n",
    b"nothing\n",
    b'{"a":1}\n',
    b'{"from":"client","data":{"realtimeInput":\n',
    b'{"contents":[]}\n',
    b"null\n",
]


def conversation(rng: Random) -> Iterator[Frame]:
    """A sound session with whatever between its frames, and some of them gone, doubled or in another place."""
    sound = list(session(rng, 60)) if rng.random() < 0.5 else [SETUP, ("server", {"setupComplete": {}})] * 1
    sound[:2] = rng.choice(([SETUP, sound[1]], sound[:2], []))
    some = rng.sample(FRAMES, rng.randint(2, 8))
    for frame in sound + rng.choices(some, k=rng.randint(0, 80)):
        yield from rng.choices((1, 2, 0), (20, 1, 1))[0] * [frame]
        if rng.random() < 0.1:
            yield from rng.randint(1, 6) * [rng.choice(rng.choice((some, FRAMES)))]


def kept(rng: Random, channel: str, frames: Iterator[Frame]) -> Iterator[Json]:
    """In wirecheck's own log."""
    at, record = 1763450000.0, {"v": 1}
    if rng.random() < 0.9:
        yield {**record, "kind": "opened", "channel": channel, "at": at, "method": "GET", "url": URL}
        yield {**record, "kind": "replied", "channel": channel, "status": 101}
    for sender, frame in frames:
        at += rng.choice((0.02, 0.02, 0.02, 50))
        binary = {"opcode": 2} if rng.random() < 0.1 else {}
        yield {**record, "kind": "frame", "channel": channel, "at": at, "from": sender, **binary, "data": frame}
    if rng.random() < 0.5:
        code = rng.choice(({"code": 1007, "reason": "Invalid audio rate", "by": "server"}, {"code": 1000}, {}))
        yield {**record, "kind": "closed", "channel": channel, "at": at, **code}


def named(rng: Random, channel: str, frames: Iterator[Frame]) -> Iterator[Json]:
    """As other programs write them."""
    name, timed = rng.choice(({}, {"channel": channel})), rng.random()
    for n, (sender, frame) in enumerate(frames):
        at = {"at": 1763450000 + 0.02 * n} if rng.random() < timed else {}
        yield {"from": sender, **name, **at, "data": frame}
    if rng.random() < 0.3:
        yield {**name, "close": {"code": 1011, "reason": "Internal error"}}


FORMS: list[Callable[[Random, str, Iterator[Frame]], Iterator[Json]]] = [kept, named]


def mixed(rng: Random) -> Iterator[bytes]:
    """Sessions side by side, in one form or several."""
    talks = [rng.choice(FORMS)(rng, rng.choice("1123"), conversation(rng)) for _ in range(rng.randint(1, 3))]
    separators = rng.choice(((",", ":"), (",", ":"), (", ", ": ")))
    while talks:
        talk = rng.choice(talks)
        for _ in range(rng.randint(1, 30)):
            if (line := next(talk, None)) is None:
                talks.remove(talk)
                break
            yield json.dumps(line, separators=separators, ensure_ascii=rng.random() < 0.5).encode() + b"\n"
        if rng.random() < 0.05:
            yield rng.choice(OTHERS)


@pytest.mark.parametrize("seed", range(100))
def test_whatever_comes_quick_and_plain_agree(rules: Ruleset, tmp_path: Path, seed: int) -> None:
    agree(rules, tmp_path, list(mixed(Random(seed))), pictures=seed % 3 == 0)
