"""Lines of 20 megabytes between small ones: memory stays what it is without them, and about one such line more."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench import logs
from tests.cli.test_process_memory import most_memory, only_linux

MB = 1 << 20
LARGE, MOST = 20 * MB, 120
SMALL = {"exchanges": "small", "records": "small.records", "frames": "live"}  # what stands between them
GENERATE = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
Json = dict[str, Any]
Lines = list[str]

ASCII = 'He said "so", and\nsaid it again. '
ODD = ASCII + "“naïve” 東京 🚆 "  # as one string it takes four bytes for each character
SOUND = {"mimeType": "audio/pcm;rate=16000", "data": "AAAA" * (LARGE // 4)}
PICTURE = {"inlineData": {"mimeType": "image/png", "data": "iVBO" * (LARGE // 4)}}
HI = [{"role": "user", "parts": [{"text": "Hi."}]}]


def text(words: str) -> Json:
    return {"text": words * (LARGE // len(json.dumps(words)))}


def user(*parts: Json) -> list[Json]:
    return [{"role": "user", "parts": list(parts)}]


def history(size: int) -> list[Json]:
    """Contents of about this size, which have 20 megabytes together."""
    words = ASCII * (size // len(ASCII))
    count = LARGE // (len(json.dumps(words)) + 80) // 2 * 2 - 1
    return [{"role": ("user", "model")[n % 2], "parts": [{"text": f"{n} {words}"}]} for n in range(count)]


def reply(*parts: Json) -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP", "index": 0}]}


SO = reply({"text": "So."})


def exchange(body: Any, said: Any = SO) -> Lines:
    asked = {"method": "POST", "url": GENERATE, "headers": {}, "body": body}
    return [written({"request": asked, "response": {"status": 200, "headers": {}, "body": said}})]


def asked(contents: list[Json], said: Any = SO, **around: Any) -> Lines:
    return exchange({"contents": contents, **around}, said)


def as_text(contents: list[Json], said: Any = SO) -> Lines:
    """Bodies as texts of JSON."""
    return exchange(written({"contents": contents}), said if isinstance(said, str) else written(said))


def kept(contents: list[Json], said: Any = SO) -> Lines:
    """The same in wirecheck's own log."""
    kinds: Json = {
        "opened": {"method": "POST", "url": GENERATE, "body": {"contents": contents}},
        "replied": {"status": 200},
        "frame": {"from": "server", "data": said},
        "closed": {},
    }
    return [written({"v": 1, "kind": kind, "channel": "large", **more}) for kind, more in kinds.items()]


def frame(sender: str, data: Any) -> Lines:
    return [written({"from": sender, "data": data})]


def streamed(*replies: Json) -> str:
    return "".join(f"data: {written(one)}\r\n\r\n" for one in replies)


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def media() -> Iterator[Lines]:
    yield asked(user(PICTURE, {"text": "What is this?"}))
    yield asked([*user(PICTURE), {"role": "model", "parts": [{"text": "A cat."}]}, *HI])
    yield asked(user(*[{"inlineData": {"mimeType": "image/png", "data": "iVBO" * (MB // 4)}}] * 19))


def texts() -> Iterator[Lines]:
    yield asked(user(text(ASCII), {"text": "Well?"}))
    yield asked(user(text(ODD)))
    yield asked(HI, systemInstruction={"parts": [text(ODD)]})
    yield asked(HI, tools=[{"functionDeclarations": [{"name": "find", "description": ODD * (LARGE // 80)}]}])


def replies() -> Iterator[Lines]:
    yield asked(HI, reply(text(ODD)))
    yield asked(HI, reply(PICTURE))
    yield asked(HI, streamed(reply(PICTURE)))
    yield asked(HI, streamed(*[reply({"text": ODD * 200})] * 1500))
    yield asked(HI, [reply({"text": ODD * 200})] * 1500)


def histories() -> Iterator[Lines]:
    yield asked(history(100_000))
    yield asked(history(2_000))


def strings() -> Iterator[Lines]:
    yield as_text(user(PICTURE))
    yield as_text(user(text(ODD)))
    yield as_text(history(20_000))
    yield as_text(HI, reply(text(ASCII)))
    yield as_text(HI, streamed(reply(PICTURE)))


def our_own_log() -> Iterator[Lines]:
    yield kept(user(PICTURE))
    yield kept(user(text(ODD)), reply(PICTURE))
    yield kept(history(20_000))


def live() -> Iterator[Lines]:
    yield frame("client", {"realtimeInput": {"audio": SOUND}})
    yield frame("server", {"serverContent": {"modelTurn": {"parts": [{"inlineData": SOUND}]}}})
    yield frame("client", {"clientContent": {"turns": user(text(ODD)), "turnComplete": True}})
    yield frame("client", {"toolResponse": {"functionResponses": [{"id": "x", "name": "f", "response": text(ODD)}]}})
    yield frame("client", written({"realtimeInput": {"audio": SOUND}}))


def no_traffic() -> Iterator[Lines]:
    yield ["x" * LARGE]
    yield [written({"text": ODD * (LARGE // 80)})[:-2]]
    yield [written({"level": "info", "message": ODD * (LARGE // 80)})]
    yield [json.dumps({"contents": user(text(ODD))}).replace("He said", r"\ud83d", 1)]  # half a character
    yield [written({"level": "info", "rows": [{"id": n, "name": "name " * 40} for n in range(LARGE // 220)]})]
    yield [written({"level": "info", "numbers": list(range(10**6, 10**6 + LARGE // 8))})]


@cache
def small(form: str) -> list[bytes]:
    return list(logs.lines(SMALL[form], 0.02 if form == "exchanges" else 0.01))


def between(form: str, large: list[Lines], path: Path) -> None:
    """Large lines in places of which nobody knows, but where an exchange begins."""
    lines, rng = small(form), Random(1)
    begins = [n for n, line in enumerate(lines) if form != "records" or b'"kind":"opened"' in line[:30]]
    places = sorted(rng.sample(begins[len(begins) // 10 :], len(large)))
    with path.open("wb") as log:
        for begin, end, there in zip([0, *places], [*places, len(lines)], [*large, []], strict=True):
            log.writelines(chain(lines[begin:end], (f"{line}\n".encode() for line in there)))


@only_linux
@pytest.mark.parametrize(
    ("form", "large"),
    [
        ("exchanges", media),
        ("exchanges", texts),
        ("exchanges", replies),
        ("exchanges", histories),
        ("exchanges", strings),
        ("exchanges", no_traffic),
        ("records", our_own_log),
        ("frames", live),
    ],
)
def test_a_large_line_takes_its_own_room_and_no_more(
    tmp_path: Path, form: str, large: Callable[[], Iterator[Lines]]
) -> None:
    between(form, list(large()), log := tmp_path / "log.jsonl")
    assert most_memory(log) < MOST * 1024


@only_linux
def test_nor_does_it_in_one_of_two_processes(tmp_path: Path) -> None:
    between("exchanges", [*media(), *strings()], log := tmp_path / "log.jsonl")
    assert most_memory(log, jobs=2) < MOST * 1024


@only_linux
def test_many_mistakes_in_one_request_take_room_once_each(tmp_path: Path) -> None:
    """Up to each content others are known."""
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{line}\n" for line in asked(HI * 10_000)))
    assert most_memory(log) < MOST * 1024
