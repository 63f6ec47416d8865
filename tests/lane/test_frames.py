"""Frames that are passed by would have been found sound: in whole sessions, in broken ones, and where several mix."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.live import URL, session
from bench.logs import lines
from tests.work import work
from wirecheck.finding import Finding, milder_than
from wirecheck.inspector import Inspector
from wirecheck.lane import Source, native, shapes
from wirecheck.lane.runs import read
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
    for record in Reader([str(path)], passed=count):
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


@pytest.mark.parametrize("name", ["live", "live.records"])
@pytest.mark.parametrize(("sign", "escaped"), [(b"/", b"\\/"), (b"=", b"\\u003d")])
def test_however_a_client_escapes_its_frames_are_passed_by(
    rules: Ruleset, tmp_path: Path, name: str, sign: bytes, escaped: bytes
) -> None:
    log = [line.replace(sign, escaped) for line in lines(name, 0.002)]
    assert agree(rules, tmp_path, log) > 0.9 * len(log)


def test_where_nothing_could_be_compiled_all_take_the_long_way(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shapes, "frames", native.Unread(shapes.FRAME).read_lines)
    assert agree(rules, tmp_path, list(lines("live", 0.001, mistakes=1))) == 0


def test_a_run_knows_the_last_time_that_some_of_its_lines_tell() -> None:
    rng = Random(0)
    for _ in range(200):
        told = [rng.choice((None, rng.randrange(99))) for _ in range(rng.randint(1, 12))]
        named = [rng.choice(("", '"at":null,')) if at is None else f'"at":{at},' for at in told]
        some = [f'{{"from":"client",{at}"data":{{"realtimeInput":{{}}}}}}'.encode() for at in named]
        begin = rng.randrange(len(some))
        run = read(some, begin)
        assert run is not None
        assert run.end == len(some)
        while begin < len(some):
            end = rng.randint(begin + 1, len(some))
            run.group(end - 1)
            last = next((at for at in reversed(told[begin:end]) if at is not None), None)
            assert run.time(begin, end) == last
            begin = end


# What nobody learns from, though it looks like a frame.
ODD = [
    b'{"from":"client","data":{}}',
    b'{"from":"client","data":{"realtimeInput":null}}',
    b'{"from":"client","data":{"realtimeInput":{"audio":null}}}',
    b'{"from":"client","data":{"realtimeInput":{},"realtime_input":{}}}',
    b'{"from":"client","data":{"realtimeInput":{},"usageMetadata":{}}}',
    b'{"from":"client","data":{"realtimeInput":{"mediaChunks":[%b]}}}' % b",".join([b'{"mimeType":"x"}'] * 200),
    b'{"from":"client","data":{"serverContent":{}}}',
    b'{"from":"server","data":{"realtimeInput":{}}}',
    b'{"from":"server","data":{"serverContent":{"modelTurn":null}}}',
    b'{"from":"nobody","data":{"serverContent":{}}}',
    b'{"from":"server","v":1,"data":{"serverContent":{}}}',
    b'{"from":"server","opcode":2,"data":{"serverContent":{}}}',
    b'{"from":"server"}',
    b'{"v":1,"kind":"frame","from":"server","data":{"serverContent":{}}}',
    b'{"v":1,"kind":"frame","channel":null,"from":"server","data":{"serverContent":{}}}',
    b'{"v":1,"kind":"frame","channel":"1","opcode":3,"from":"server","data":{"serverContent":{}}}',
    b'{"v":1,"kind":"frame","channel":"1","url":"","from":"server","data":{"serverContent":{}}}',
]
# What is left out of the table.
UNREAD = [
    b'{"from":"client","data":{"setup":{}}}',
    b'{"from":"client","data":{"toolResponse":{}}}',
    b'{"from":"client","data":{"realtime_input":{"audio_stream_end":true}}}',
    b'{"from":"server","data":{"serverContent":{"groundingMetadata":{}}}}',
    b'{"from":"server","data":{"goAway":{}}}',
    b'{ "from":"server","data":{"serverContent":{}}}',
    b'{"data":{"serverContent":{}},"from":"server"}',
    b'{"v": 1,"kind":"frame","channel":"1","from":"server","data":{"serverContent":{}}}',
]


@pytest.mark.parametrize("line", ODD)
def test_what_only_looks_like_a_usual_frame_is_none(line: bytes) -> None:
    run = read([line], 0)
    assert run is not None
    assert run.group(0) == (None, 1)


@pytest.mark.parametrize("line", UNREAD)
def test_what_the_table_lacks_is_not_read(line: bytes) -> None:
    assert read([line], 0) is None


def form(frame: Json) -> bytes:
    run = read([json.dumps({"from": "server", "data": frame}, separators=(",", ":")).encode()], 0)
    assert run is not None
    alike, _ = run.group(0)
    assert alike is not None
    return alike.form


@pytest.mark.parametrize(
    ("frame", "other", "same"),
    [
        ({"usageMetadata": {"totalTokenCount": 7}}, {"usageMetadata": {"totalTokenCount": 8}}, True),
        ({"usageMetadata": {"totalTokenCount": 7}}, {"usageMetadata": {"totalTokenCount": 0}}, False),
        ({"usageMetadata": {"totalTokenCount": 0}}, {"usageMetadata": {}}, False),
        ({"serverContent": {"turnComplete": True}}, {"serverContent": {"turnComplete": False}}, False),
        (
            {"serverContent": {"outputTranscription": {"text": "a"}}},
            {"serverContent": {"outputTranscription": {"text": "\u00e9 b"}}},
            True,
        ),
        (
            {"serverContent": {"outputTranscription": {"text": "a"}}},
            {"serverContent": {"outputTranscription": {"text": ""}}},
            False,
        ),
    ],
)
def test_a_form_is_the_frame_without_its_wording(frame: Json, other: Json, same: bool) -> None:
    assert (form(frame) == form(other)) is same


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


def again(frames: list[Frame], times: int) -> list[Frame]:
    """The same once more, with calls of other ids."""
    texts = [json.dumps(frames).replace('"f1"', f'"f1-{n}"') for n in range(times)]
    return [(sender, frame) for text in texts for sender, frame in json.loads(text)]


def conversation(rng: Random) -> Iterator[Frame]:
    """A sound session with whatever between its frames, and some of them gone, doubled or in another place."""
    sound = list(session(rng, 60)) if rng.random() < 0.5 else [SETUP, ("server", {"setupComplete": {}})]
    sound[:2] = rng.choice(([SETUP, sound[1]], sound[:2], []))
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


FORMS: list[Callable[[Random, str, Iterator[Frame]], Iterator[Json]]] = [kept, named]


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


SOUND = [SETUP, ("server", {"setupComplete": {}})]
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
def test_what_depends_on_what_was_passed_by(
    rules: Ruleset, tmp_path: Path, what: str, frames: list[Frame], pace: float
) -> None:
    head = {"v": 1, "kind": "frame", "channel": "1"}
    log: list[Json] = [{"v": 1, "kind": "opened", "channel": "1", "method": "GET", "url": URL}]
    log += [{**head, "at": n * pace, "from": who, "data": data} for n, (who, data) in enumerate(SOUND + frames)]
    if "close" in what:
        log += [{"v": 1, "kind": "closed", "channel": "1", "code": 1007, "reason": "Something new", "by": "server"}]
    text = [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in log]
    assert agree(rules, tmp_path, text) > 5


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
def test_whatever_comes_quick_and_plain_agree(rules: Ruleset, tmp_path: Path, seed: int) -> None:
    agree(rules, tmp_path, list(mixed(Random(seed))), pictures=seed % 3 == 0)


def test_a_frame_that_is_passed_by_is_little_work(rules: Ruleset, tmp_path: Path) -> None:
    def frames(turns: int) -> int:
        path = tmp_path / "log.jsonl"
        head = {"v": 1, "kind": "frame", "channel": "1"}
        log = SOUND + ([HEARS] * 50 + [SPEAKS] * 50 + [ENDS]) * turns
        lines = [json.dumps({**head, "from": who, "data": data}, separators=(",", ":")) for who, data in log]
        path.write_text("\n".join(lines))
        return work(lambda: told(rules, path, quick=True, pictures=False))

    short, long = frames(10), frames(50)
    assert long - short < 40 * 101 * 3  # calls of functions a frame, of which plain reading takes a hundred
