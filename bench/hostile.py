"""Logs that nobody means well with: each shape grows in one direction, to see how time and memory grow with it.

`python -m bench.hostile "Live calls" 5000` prints one; bench/growth.py measures them.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain, islice
from typing import NamedTuple

from bench.words import Json

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
MB = 1_000_000
CLOCK = 1763450000.0
WINDOW = 12  # contents
HI = {"role": "user", "parts": [{"text": "Hi."}]}
SO: Json = {"candidates": [{"content": {"role": "model", "parts": [{"text": "So."}]}, "finishReason": "STOP"}]}
SETUP = {"setup": {"model": "models/gemini-live-2.5-flash-preview"}}


class Shape(NamedTuple):
    """What grows, its size at one time, and the log of a size."""

    size: int
    unit: str
    log: Callable[[int], Iterable[bytes]]


def line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def exchange(body: object, reply: object = SO, url: str = URL, status: int = 200) -> bytes:
    asked = {"method": "POST", "url": url, "headers": {}, "body": body}
    return line({"request": asked, "response": {"status": status, "headers": {}, "body": reply}})


def ask(*contents: object, **around: object) -> bytes:
    return exchange({"contents": contents, **around})


def said(role: str, *parts: object) -> Json:
    return {"role": role, "parts": [*parts]}


def words(n: object) -> Json:
    return {"text": f"words {n}"}


def call(name: str, id: str | None = None, **args: object) -> Json:
    return {"functionCall": {"name": name, "args": args} | ({"id": id} if id else {})}


def answer(name: str, id: str | None = None) -> Json:
    return {"functionResponse": {"name": name, "response": {"ok": 1}} | ({"id": id} if id else {})}


def replied(*parts: object) -> Json:
    return {"candidates": [{"content": said("model", *parts), "finishReason": "STOP"}]}


def one(log: Callable[[int], bytes]) -> Callable[[int], Iterable[bytes]]:
    """A log of one line."""
    return lambda n: [log(n)]


def each(log: Callable[[int], bytes]) -> Callable[[int], Iterable[bytes]]:
    """A line for each."""
    return lambda n: map(log, range(n))


def after(log: Callable[[int], Iterable[bytes]]) -> Callable[[int], Iterable[bytes]]:
    """Behind a line that is sound, so that there is traffic in the log."""
    return lambda n: chain([conversation(0)], log(n))


def endless(begin: bytes = b"") -> Callable[[int], Iterable[bytes]]:
    """A line that does not end."""
    return lambda n: chain([begin], (b"x" * MB for _ in range(n // MB)))


def nested(n: int) -> bytes:
    return ask(HI, said("model", call("f", x=0))).replace(b'"x":0', b'"x":' + b"[" * n + b"]" * n)


def keys(n: int) -> bytes:
    return ask({**HI, **{f"key{i}": i for i in range(n)}})


def around(n: int) -> bytes:
    return ask(HI, **{f"key{i}": i for i in range(n)})


def tools(n: int) -> bytes:
    return ask(HI, tools=[{"functionDeclarations": [{"name": f"f{i}", "description": "d"} for i in range(n)]}])


def twins(n: int) -> bytes:
    return ask(HI, tools=[{"functionDeclarations": [{"name": f"f{i // 2}"} for i in range(n)]}])


def declared(schema: object) -> bytes:
    return ask(HI, tools=[{"functionDeclarations": [{"name": "f", "description": "d", "parameters": schema}]}])


def schema(n: int) -> bytes:
    return declared({"type": "OBJECT", "properties": {f"p{i}": {"type": "STRING"} for i in range(n)}})


def branches(n: int) -> bytes:
    return declared({"anyOf": [{"type": "OBJECT", "properties": {f"p{i}": {"type": "nothing"}}} for i in range(n)]})


def misfits(n: int) -> bytes:
    """Arguments that none of the branches has."""
    field = {"anyOf": [{"type": "OBJECT", "properties": {f"p{i}": {"type": "STRING"}}} for i in range(100)]}
    offer = [{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "properties": {"x": field}}}]}]
    return exchange({"contents": [HI], "tools": offer}, replied(*(call("f", x={"p1": i}) for i in range(n))))


def parallel(n: int) -> bytes:
    """Calls of distinct names, all answered."""
    calls, answers = (
        said(role, *(one(f"f{i}") for i in range(n))) for role, one in (("model", call), ("user", answer))
    )
    return ask(HI, calls, answers)


def left(n: int) -> bytes:
    """Calls that the user goes on without."""
    return ask(HI, said("model", *(call(f"f{i}", f"id{i}") for i in range(n))), HI)


def astray(n: int) -> bytes:
    """Answers that no call asked for."""
    return ask(
        HI,
        said("model", *(call(f"f{i}", f"a{i}") for i in range(n))),
        said("user", *(answer(f"f{i}", f"b{i}") for i in range(n))),
    )


def executed(n: int) -> bytes:
    """Calls and answers in one content of the model, the last first."""
    return ask(HI, said("model", *(call(f"f{i}") for i in range(n)), *(answer(f"f{n - i - 1}") for i in range(n))), HI)


def both(n: int) -> bytes:
    """The user calls and answers at once."""
    return ask(HI, said("user", *(call(f"f{i}") for i in range(n)), *(answer(f"f{n - i - 1}") for i in range(n))), HI)


def in_turns(n: int) -> bytes:
    """Calls in a row of contents, with nothing between them."""
    return ask(
        HI,
        *(said("model", call(f"f{i}", f"id{i}")) for i in range(n)),
        *(said("user", answer(f"f{i}", f"id{i}")) for i in range(n)),
    )


def called(n: int) -> bytes:
    """Functions called one after the other, all answered, of which none is declared."""
    return ask(
        HI,
        *chain.from_iterable((said("model", call(f"f{i}")), said("user", answer(f"f{i}"))) for i in range(n)),
        tools=[{"functionDeclarations": [{"name": "g"}]}],
    )


def chunks(n: int) -> bytes:
    """A reply of many chunks with a call each."""
    return exchange(
        {"contents": [HI]},
        [{"candidates": [{"content": said("model", call(f"f{i}", f"id{i}"))}]} for i in range(n)],
        URL.replace("generate", "streamGenerate"),
    )


def same(n: int) -> bytes:
    """A reply of many chunks with one mistake each."""
    return exchange(
        {"contents": [HI]},
        [{"candidates": [{"content": said("assistant", words(i), {f"odd{i}": 1})}]} for i in range(n)],
        URL.replace("generate", "streamGenerate"),
    )


def frame(sender: str, data: object) -> bytes:
    return line({"from": sender, "data": data})


def live(*frames: tuple[str, object]) -> bytes:
    return b"".join(
        frame(sender, data) for sender, data in (("client", SETUP), ("server", {"setupComplete": {}}), *frames)
    )


def live_call(numbers: Iterable[int], ids: bool = True) -> Json:
    return {
        "toolCall": {
            "functionCalls": [{"name": f"f{i}", "args": {}} | ({"id": f"id{i}"} if ids else {}) for i in numbers]
        }
    }


def live_answer(numbers: Iterable[int], ids: bool = True) -> Json:
    return {
        "toolResponse": {
            "functionResponses": [
                {"name": f"f{i}", "response": {}} | ({"id": f"id{i}"} if ids else {}) for i in numbers
            ]
        }
    }


def live_cancel(numbers: Iterable[int]) -> Json:
    return {"toolCallCancellation": {"ids": [f"id{i}" for i in numbers]}}


def live_calls(n: int) -> bytes:
    return live(("server", live_call(range(n))), ("client", live_answer(range(n))))


def live_no_ids(n: int) -> bytes:
    return live(("server", live_call(range(n), False)), ("client", live_answer(range(n), False)))


def live_astray(n: int) -> bytes:
    return live(("server", live_call(range(n))), ("client", live_answer(range(n, 2 * n))))


def live_one_by_one(n: int) -> bytes:
    """Calls that wait, and frames that come while they do."""
    return live(*(("server", live_call([i])) for i in range(n)), *(("client", live_answer([i])) for i in range(n)))


def live_no_ids_each(n: int) -> bytes:
    return live(
        *(("server", live_call([i], False)) for i in range(n)), *(("client", live_answer([i], False)) for i in range(n))
    )


def live_cancelled(n: int) -> bytes:
    return live(("server", live_call(range(n))), ("server", live_cancel(range(n))))


def live_cancellations(n: int) -> bytes:
    return live(("server", live_call(range(n))), *(("server", live_cancel([i])) for i in range(n)))


def live_waiting(n: int) -> bytes:
    """Sound while many calls wait."""
    sound = {"realtimeInput": {"audio": {"mimeType": "audio/pcm;rate=16000", "data": "AAAA"}}}
    return live(("server", live_call(range(n))), *[("client", sound)] * n)


def live_loose(n: int) -> bytes:
    """Calls in the turn of the model, and the same in tool calls."""
    turn = [{"functionCall": {"name": f"f{i}", "args": {}}} for i in range(n)]
    return live(
        ("server", {"serverContent": {"modelTurn": said("model", *turn)}}), ("server", live_call(range(n), False))
    )


def sessions(n: int) -> bytes:
    return line(
        {
            "url": LIVE,
            "frames": [
                {"from": "client", "data": SETUP},
                {"from": "server", "data": {"setupComplete": {}}},
                *({"from": "client", "data": {"realtimeInput": {"text": f"words {i}"}}} for i in range(n)),
            ],
        }
    )


def record(kind: str, channel: object, **more: object) -> bytes:
    return line({"v": 1, "kind": kind, "channel": str(channel), "at": CLOCK, **more})


def opened(n: int) -> bytes:
    """A channel of our own log that is never closed."""
    return record("opened", n, method="POST", url=URL, headers={}, body={"contents": [said("user", words(n))]})


def answered(n: int) -> bytes:
    return (
        opened(n) + record("replied", n, status=200, headers={}) + record("frame", n, **{"from": "server", "data": SO})
    )


def live_opened(n: int) -> bytes:
    return record("opened", n, method="GET", url=LIVE, headers={}) + record(
        "frame", n, **{"from": "client", "data": SETUP}
    )


def orphan(n: int) -> bytes:
    return record("frame", n, **{"from": "server", "data": {"what": n}})


def mistaken(n: int) -> list[Json]:
    """A turn with a mistake: a call that is not answered."""
    return [said("user", words(n)), said("model", call(f"f{n}", f"id{n}"))]


def window(
    turn: Callable[[int], list[Json]], reply: Callable[[int], object] = lambda _: SO, kept: int = WINDOW
) -> Callable[[int], Iterator[bytes]]:
    """A client that keeps the last contents only. Each turn recites what `reply` was said, or something else."""

    def log(n: int) -> Iterator[bytes]:
        history = list[Json]()
        for number in range(n):
            history += turn(number)
            history = history[-kept:]
            yield exchange({"contents": [*history, said("user", words(f"now {number}"))]}, reply(number))

    return log


def growing(turn: Callable[[int], list[Json]]) -> Callable[[int], Iterator[bytes]]:
    """The history recited as a whole, to a size that stays: conversations of twenty turns."""

    def log(n: int) -> Iterator[bytes]:
        for number in range(n):
            history = [each for i in range(number % 20 + 1) for each in turn(number // 20 * 20 + i)]
            yield ask(*history, said("user", words(number)))

    return log


def bare(n: int) -> Iterator[bytes]:
    """One message a line, as chat programs write them."""
    for i in range(n):
        yield line(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"id{i}", "type": "function", "function": {"name": f"f{i}", "arguments": "{}"}}],
            }
        )


def bare_answered(n: int) -> Iterator[bytes]:
    yield from bare(n)
    for i in range(n):
        yield line({"role": "tool", "tool_call_id": f"id{i}", "content": "ok"})


def bare_parts(n: int) -> Iterator[bytes]:
    return (line(said("model", call(f"f{i}", f"id{i}"))) for i in range(n))


def bare_pairs(n: int) -> Iterator[bytes]:
    for i in range(n):
        yield line(said("model", call(f"f{i}")))
        yield line(said("user", answer(f"f{i}")))


def chat(n: int) -> bytes:
    calls = [{"id": f"id{i}", "type": "function", "function": {"name": f"f{i}", "arguments": "{}"}} for i in range(n)]
    return line(
        {
            "messages": [
                {"role": "user", "content": "Hi."},
                {"role": "assistant", "content": None, "tool_calls": calls},
                *({"role": "tool", "tool_call_id": f"id{i}", "content": "ok"} for i in range(n)),
            ]
        }
    )


def scratchpad(n: int) -> Iterator[bytes]:
    """Pretty-printed: one value over many lines."""
    yield b"[\n"
    for i in range(n):
        yield (
            json.dumps({"role": ("user", "model")[i % 2], "parts": [{"text": f"words {i}"}]}, indent=4).encode()
            + b",\n"
        )
    yield b'{"role": "user", "parts": [{"text": "Hi."}]}]\n'


def documents(n: int) -> Iterator[bytes]:
    return (json.dumps({"contents": [said("user", words(i))]}, indent=1).encode() + b"\n" for i in range(n))


def long_text(text: bytes) -> Callable[[int], Iterable[bytes]]:
    head, tail = ask(HI).split(b"Hi.")
    return lambda n: [
        head,
        *islice(chain.from_iterable(iter(lambda: [text * 10_000], None)), n // (len(text) * 10_000)),
        tail,
    ]


def packed(log: Callable[[int], Iterable[bytes]]) -> Callable[[int], Iterable[bytes]]:
    def of(n: int) -> Iterator[bytes]:
        room = BytesIO()
        with gzip.GzipFile(fileobj=room, mode="wb", mtime=0) as file:
            for piece in log(n):
                file.write(piece)
        yield room.getvalue()

    return of


def blank(n: int) -> Iterator[bytes]:
    return (b" " * MB for _ in range(n // MB))


def odd(n: int) -> bytes:
    """A mistake that no other line has."""
    return ask({**said("user", words(n)), f"odd{n}": 1})


def model(n: int) -> bytes:
    return exchange({"contents": [said("user", words(n))]}, url=URL.replace("2.5-flash", f"2.5-flash-{n}"))


def host(n: int) -> bytes:
    return exchange(
        {"contents": [said("user", words(n))]}, url=URL.replace("generativelanguage.googleapis", f"host{n}.example")
    )


def rejected(n: int) -> bytes:
    return exchange(
        {"contents": [said("user", words(n))]},
        {"error": {"code": 400, "message": f"Nobody knows why {n}.", "status": "INVALID_ARGUMENT"}},
        status=400,
    )


def conversation(n: int) -> bytes:
    return ask(said("user", words(n)))


def broken(n: int) -> bytes:
    return b'{"contents": [%d\n' % n


def skipped(n: int) -> bytes:
    return b'{"what": %d}\n' % n


SHAPES = {
    "nesting": Shape(50_000, "levels", after(one(nested))),
    "keys of a content": Shape(50_000, "keys", one(keys)),
    "keys of a body": Shape(50_000, "keys", one(around)),
    "parts": Shape(20_000, "parts", one(lambda n: ask(said("user", *map(words, range(n)))))),
    "parts with mistakes": Shape(5_000, "parts", one(lambda n: ask(said("user", *({"odd": i} for i in range(n)))))),
    "contents": Shape(
        20_000, "contents", one(lambda n: ask(*(said(("user", "model")[i % 2], words(i)) for i in range(n + 1))))
    ),
    "contents with mistakes": Shape(
        5_000, "contents", one(lambda n: ask(*(said("nobody", words(i)) for i in range(n))))
    ),
    "tools": Shape(25_000, "tools", one(tools)),
    "tools of one name": Shape(5_000, "tools", one(twins)),
    "schema": Shape(10_000, "properties", one(schema)),
    "branches": Shape(2_500, "branches", one(branches)),
    "misfits": Shape(250, "calls", one(misfits)),
    "parallel calls": Shape(10_000, "calls", one(parallel)),
    "calls left open": Shape(5_000, "calls", one(left)),
    "answers astray": Shape(2_500, "calls", one(astray)),
    "executed calls": Shape(5_000, "calls", one(executed)),
    "called and answered": Shape(5_000, "calls", one(both)),
    "calls in turns": Shape(5_000, "calls", one(in_turns)),
    "functions called": Shape(5_000, "calls", one(called)),
    "chunks with calls": Shape(5_000, "chunks", one(chunks)),
    "chunks with mistakes": Shape(2_500, "chunks", one(same)),
    "Live calls": Shape(5_000, "calls", one(live_calls)),
    "Live calls without ids": Shape(2_500, "calls", one(live_no_ids)),
    "Live answers astray": Shape(2_500, "calls", one(live_astray)),
    "Live calls one by one": Shape(2_500, "frames", one(live_one_by_one)),
    "Live, no ids, one by one": Shape(2_500, "frames", one(live_no_ids_each)),
    "Live calls cancelled": Shape(5_000, "calls", one(live_cancelled)),
    "Live cancellations": Shape(2_500, "frames", one(live_cancellations)),
    "Live sound meanwhile": Shape(2_500, "frames", one(live_waiting)),
    "Live calls said twice": Shape(2_500, "calls", one(live_loose)),
    "frames of a session": Shape(25_000, "frames", one(sessions)),
    "channels asked": Shape(10_000, "channels", each(opened)),
    "channels answered": Shape(5_000, "channels", each(answered)),
    "Live channels": Shape(5_000, "channels", each(live_opened)),
    "channels of nothing known": Shape(10_000, "channels", after(each(orphan))),
    "conversations": Shape(10_000, "lines", each(conversation)),
    "window with mistakes": Shape(500, "turns", window(mistaken)),
    "window, reply not recited": Shape(
        1_000,
        "turns",
        window(
            lambda n: [said("user", words(n)), said("model", words(f"other {n}"))],
            lambda n: replied(words(f"said {n}")),
        ),
    ),
    "window, calls not recited": Shape(
        500,
        "turns",
        window(
            lambda n: [
                said("user", words(n)),
                said("model", call(f"f{n}", f"other{n}")),
                said("user", answer(f"f{n}", f"other{n}")),
            ],
            lambda n: replied(call(f"f{n}", f"id{n}")),
        ),
    ),
    "histories with mistakes": Shape(500, "requests", growing(mistaken)),
    "bare messages": Shape(2_500, "messages", bare),
    "bare messages, answered": Shape(2_500, "messages", bare_answered),
    "bare contents": Shape(2_500, "messages", bare_parts),
    "bare contents, answered": Shape(2_500, "messages", bare_pairs),
    "chat calls": Shape(5_000, "calls", one(chat)),
    "scratchpad": Shape(25_000, "contents", scratchpad),
    "documents": Shape(5_000, "documents", documents),
    "unfinished lists": Shape(500_000, "lines", after(lambda n: [b"[1,\n"] * n)),
    "unfinished lists alone": Shape(500_000, "lines", lambda n: [b"[1,\n"] * n),
    "long text": Shape(20 * MB, "bytes", long_text(b"words and ")),
    "escapes": Shape(20 * MB, "bytes", long_text(rb"\n\"")),
    "letters in escapes": Shape(20 * MB, "bytes", long_text(rb"\u00e9")),
    "a line without end": Shape(200 * MB, "bytes", after(endless())),
    "an object without end": Shape(200 * MB, "bytes", after(endless(b'{"a":"'))),
    "blank": Shape(100 * MB, "bytes", after(blank)),
    "packed": Shape(200 * MB, "bytes", packed(after(endless()))),
    "packed lines": Shape(25_000, "lines", packed(each(conversation))),
    "mistakes": Shape(5_000, "lines", each(odd)),
    "models": Shape(5_000, "lines", each(model)),
    "hosts": Shape(5_000, "lines", each(host)),
    "rejections": Shape(2_500, "lines", each(rejected)),
    "broken lines": Shape(50_000, "lines", after(each(broken))),
    "values": Shape(1_000_000, "values", one(lambda n: exchange({"contents": [HI], "more": [1] * n}))),
    "values in a list": Shape(1_000_000, "values", after(one(lambda n: line([1] * n)))),
    "no traffic": Shape(50_000, "lines", after(each(skipped))),
}


def main() -> None:
    name, size = sys.argv[1:]
    sys.stdout.buffer.writelines(SHAPES[name].log(int(size)))


if __name__ == "__main__":
    main()
