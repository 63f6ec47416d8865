"""Live sessions: whole ones, broken ones, and several that mix."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.live import URL
from bench.logs import lines
from tests.memo import agree as memo
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset, load

Json = dict[str, Any]
Frame = tuple[str, Json]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def agree(rules: Ruleset, folder: Path, log: Sequence[bytes], *, pictures: bool = False) -> list[Finding]:
    """What is found: with the memo and without, in frames together and in each alone."""
    path = folder / "log.jsonl"
    path.write_bytes(b"".join(log))
    findings = memo.agree(rules, path, pictures=pictures)
    alone, found = memo.judged_by(rules, path, memo=True, pictures=pictures, alone=True)
    assert found == findings
    together, _ = memo.judged_by(rules, path, memo=True, pictures=pictures)
    assert (alone.checked, alone.counted) == (together.checked, together.counted)
    return findings


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize("mistakes", [0, 3])
@pytest.mark.parametrize("name", ["live", "live.records"])
def test_the_same_is_found_in_whole_sessions(
    rules: Ruleset, tmp_path: Path, name: str, mistakes: int, pictures: bool
) -> None:
    log = list(lines(name, 0.004, mistakes=mistakes))
    agree(rules, tmp_path, log, pictures=pictures)


@pytest.mark.parametrize("name", ["live", "live.records"])
@pytest.mark.parametrize(("sign", "escaped"), [(b"/", b"\\/"), (b"=", b"\\u003d")])
def test_the_same_is_found_however_a_client_escapes(
    rules: Ruleset, tmp_path: Path, name: str, sign: bytes, escaped: bytes
) -> None:
    log = [line.replace(sign, escaped) for line in lines(name, 0.002)]
    agree(rules, tmp_path, log)


def data(size: int = 3) -> str:
    return "AAAA" * size


AUDIO = {"mimeType": "audio/pcm;rate=16000", "data": data()}
VIDEO = {"mimeType": "image/jpeg", "data": data()}
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
    ("client", {"realtimeInput": {"audio": {**AUDIO, "data": "data:audio/pcm;base64,AAAA"}}}),
    ("client", {"realtimeInput": {"video": VIDEO}}),
    ("client", {"realtimeInput": {"video": {**VIDEO, "data": "data:image/jpeg;base64,AAAA"}}}),
    ("client", {"realtimeInput": {"activityStart": {}}}),
    ("client", {"realtimeInput": {"activityEnd": {}}}),
    ("client", {"realtimeInput": {"audio": AUDIO, "text": "Now?"}}),
    ("client", {"realtimeInput": {"mediaChunks": [{**AUDIO, "mimeType": "audio/pcm"}]}}),
    ("client", {"usageMetadata": {"totalTokenCount": 7}}),
    ("server", {"realtimeInput": {"audio": AUDIO}}),
    ("server", {"serverContent": {"modelTurn": {"role": "model", "parts": [SPOKEN, SPOKEN]}, "turnComplete": True}}),
    ("server", {"serverContent": {"modelTurn": {"parts": [{"text": "Yes", "thoughtSignature": "c2ln"}]}}}),
    ("server", {"serverContent": {"waitingForInput": True}}),
    ("server", {"usageMetadata": {"totalTokenCount": 7}, "serverContent": {"turnComplete": True}}),
    ("server", {"usageMetadata": None}),
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
RESUMED: list[Frame] = [
    ("client", {"setup": {**SETUP[1]["setup"], "sessionResumption": {"handle": "h"}}}),
    ("server", {"setupComplete": {}}),
    ("server", {"sessionResumptionUpdate": {"newHandle": "h", "resumable": True}}),
]
REASONS = (
    "Request contains an invalid argument.",
    "Explicit activity control is not supported when automatic activity detection is enabled.",
    "Operation is not implemented, or supported, or enabled.",
    "API key expired. Please renew the API key.",
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


SESSION: list[Frame] = [(one["from"], one["data"]) for one in map(json.loads, islice(lines("live", 0.001), 60))]


def again(frames: list[Frame], times: int) -> list[Frame]:
    """The same once more, with calls of other ids."""
    texts = [json.dumps(frames).replace('"f1"', f'"f1-{n}"') for n in range(times)]
    return [(sender, frame) for text in texts for sender, frame in json.loads(text)]


def conversation(rng: Random) -> Iterator[Frame]:
    """A sound session with whatever between its frames, and some of them gone, doubled or in another place."""
    sound = SESSION[:60] if rng.random() < 0.5 else [SETUP, ("server", {"setupComplete": {}})]
    sound[:2] = rng.choice(([SETUP, sound[1]], sound[:2], [], RESUMED))
    some = rng.sample(FRAMES, rng.randint(2, 8))
    for frame in sound + again(rng.choices(some, k=rng.randint(2, 20)), rng.randint(1, 5)):
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
        refused = {"code": 1007, "reason": rng.choice(REASONS), "by": "server"}
        code = rng.choice((refused, refused, {"code": 1000}, {}))
        yield {**record, "kind": "closed", "channel": channel, "at": at, **code}


def named(rng: Random, channel: str, frames: Iterator[Frame]) -> Iterator[Json]:
    """As other programs write them."""
    name, timed = rng.choice(({}, {"channel": channel})), rng.random()
    for n, (sender, frame) in enumerate(frames):
        at = {"at": 1763450000 + 0.02 * n} if rng.random() < timed else {}
        yield {"from": sender, **name, **at, "data": frame}
    if rng.random() < 0.3:
        yield {**name, "close": {"code": 1011, "reason": "Internal error"}}


def addressed(rng: Random, channel: str, frames: Iterator[Frame]) -> Iterator[Json]:
    """Each with all that is known of it, in other words."""
    direction, words = rng.choice((("dir", ("out", "in")), ("direction", ("sent", "received"))))
    for n, (sender, frame) in enumerate(frames):
        beside = {"timestamp": n} if rng.random() < 0.1 else {}
        sent = {direction: words[sender == "server"]}
        yield {"channel": f"a{channel}", "url": URL, "at": 1763450000 + n, **sent, "data": frame, **beside}


def whole(rng: Random, channel: str, frames: Iterator[Frame]) -> Iterator[Json]:
    """Sessions in one line each."""
    while some := list(islice(frames, rng.randint(1, 150))):
        told = [{"from": sender, "at": 1763450000 + n, "data": frame} for n, (sender, frame) in enumerate(some)]
        if rng.random() < 0.3:
            others: list[Json] = [{"close": {"code": 1000}}, {"from": "client"}, {}]
            told.insert(rng.randrange(len(told)), rng.choice(others))
        yield {
            "url": URL,
            "frames": told,
            **({"close": {"code": 1007, "reason": REASONS[0]}} if rng.random() < 0.3 else {}),
        }


FORMS: list[Callable[[Random, str, Iterator[Frame]], Iterator[Json]]] = [kept, named, addressed, whole]


def mixed(rng: Random) -> Iterator[bytes]:
    """Sessions side by side, in one form or several."""
    talks = [rng.choice(FORMS)(rng, rng.choice("112"), conversation(rng)) for _ in range(rng.randint(1, 3))]
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


SOUND: list[Frame] = [SETUP, ("server", {"setupComplete": {}})]
HEARS, SPEAKS, ENDS = FRAMES[0], FRAMES[16], ("server", {"serverContent": {"turnComplete": True}})
WRITES, CALLS = FRAMES[5], ("server", {"toolCall": {"functionCalls": [{"id": "f1", "name": "lights", "args": {}}]}})
ANSWERS = ("client", {"toolResponse": {"functionResponses": [{"id": "f1", "name": "lights", "response": {}}]}})


@pytest.mark.parametrize(
    ("what", "frames", "pace"),
    [
        ("a turn that ends twice", [HEARS, SPEAKS, ENDS] * 4 + [SPEAKS, ENDS, ENDS], 0.02),
        (
            "input after a call, again and again",
            again([CALLS, HEARS, HEARS, ANSWERS, HEARS, HEARS, SPEAKS, ENDS], 4),
            0.02,
        ),
        ("a call without an answer", [HEARS] * 9 + [CALLS] + [SPEAKS] * 99, 0.02),
        ("a call without an answer for a while", [HEARS] * 9 + [CALLS] + [SPEAKS] * 99, 1),
        ("a turn in writing before the close", [WRITES, SPEAKS, ENDS] * 3 + [FRAMES[11]] + [WRITES, HEARS], 0.02),
    ],
)
def test_what_depends_on_frames_before(
    rules: Ruleset, tmp_path: Path, what: str, frames: list[Frame], pace: float
) -> None:
    head = {"v": 1, "kind": "frame", "channel": "1"}
    log: list[Json] = [{"v": 1, "kind": "opened", "channel": "1", "method": "GET", "url": URL}]
    log += [{**head, "at": n * pace, "from": who, "data": data} for n, (who, data) in enumerate(SOUND + frames)]
    if "close" in what:
        log += [{"v": 1, "kind": "closed", "channel": "1", "code": 1007, "reason": "Something new", "by": "server"}]
    text = [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in log]
    agree(rules, tmp_path, text)


def test_a_channel_of_our_log_is_another_one_in_another_form(rules: Ruleset, tmp_path: Path) -> None:
    ours = b'{"v":1,"kind":"frame","channel":"1","from":"client","data":{"realtimeInput":{"audioStreamEnd":true}}}\n'
    agree(rules, tmp_path, [ours] * 9 + [b'{"from":"client","channel":"1",' + ours[ours.index(b'"data"') :]] * 9)


@pytest.mark.parametrize(
    "lines",
    [
        [b"%s%s\n", b""],
        [b"%s %s\n", b'{"from":"client","data":{"realtimeInput":\n', b'{"audioStreamEnd":true}}}\n'],
        [b"%s\n", b'{"from":"client","data":{"realtimeInput":{"mediaChunks":[\n', b"]}}}\n"],
        [b"%s,\n", b"%s\n"],
        [b"%s\r\n", b"\n", b"%s"],
    ],
)
def test_a_line_is_one_value(rules: Ruleset, tmp_path: Path, lines: list[bytes]) -> None:
    frame = b'{"from":"client","data":{"realtimeInput":{"audioStreamEnd":true}}}'
    some = [line.replace(b"%s", frame) for line in lines]
    agree(rules, tmp_path, [frame + b"\n"] * 9 + some + [frame + b"\n"] * 3 + some)


@pytest.mark.parametrize("seed", range(100))
def test_the_same_is_found_whatever_comes(rules: Ruleset, tmp_path: Path, seed: int) -> None:
    agree(rules, tmp_path, list(mixed(Random(seed))), pictures=seed % 3 == 0)


def test_two_connections_of_one_session_side_by_side(rules: Ruleset, tmp_path: Path) -> None:
    """Their frames are numbered together."""
    head = {"from": "client", "data": {"setup": {**SETUP[1]["setup"]}}}
    log = [{**head, "channel": "a"}]
    log += [{"from": "server", "channel": "a", "data": RESUMED[n][1]} for n in (1, 2)]
    log += [
        {"from": "client", "channel": "b", "data": RESUMED[0][1]},
        {"from": "server", "channel": "b", "data": RESUMED[1][1]},
    ]
    for n, (sender, frame) in enumerate([HEARS, SPEAKS, WRITES, ENDS] * 20 + [CALLS, SPEAKS, WRITES] * 3):
        log += [{"from": sender, "channel": "ab"[n % 3 == 1], "data": frame}]
    log += [{"channel": name, "close": {"code": 1007, "reason": REASONS[0]}} for name in "ab"]
    agree(rules, tmp_path, [json.dumps(line).encode() + b"\n" for line in log], pictures=True)


RULE = """
name: mine
code: MY100
title: Mine
severity: warning
doc: Why.
given: {given}
where: {{{where}}}
check: {{never: null}}
message: "found"
"""


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ("frame", '"sender": server, "value.serverContent.turnComplete": true'),
        ("frame", '"value.realtimeInput.audio.mimeType": audio/mp3'),
        ("frame", '"value.usageMetadata.totalTokenCount|min": 5000'),
        ("frame", '"value.serverContent.modelTurn.parts.0.inlineData.data|contains": zz'),
        ("frame", '"value.serverContent.outputTranscription.text|contains": so'),
        ("frame", '"value.server_content|exists": true'),
        ("frame", '"number|min": 20, "number|max": 30'),
        ("frame", '"at|min": 1763450000.5, "sender": client'),
        ("frame", '"state": model-turn, "says": realtimeInput'),
        ("part", '"container": turns, "value.inlineData.mimeType|contains": pcm'),
        ("content", '"speaker": model, "container": turns'),
        ("untimely", '"waited|min": 1'),
    ],
)
def test_a_rule_that_looks_at_frames_is_asked(tmp_path: Path, given: str, where: str) -> None:
    (tmp_path / "mine.yaml").write_text(RULE.format(given=given, where=where))
    mine = load([str(tmp_path)], select=["mine"])
    sessions = [mixed(Random(seed)) for seed in range(2, 9)]
    found = agree(mine, tmp_path, [*lines("live.records", 0.001), *[line for each in sessions for line in each]])
    assert found or "server_content" in where
