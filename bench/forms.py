"""How a log keeps an exchange or a frame: the lines of it, as bytes. It knows no conversation."""

from collections.abc import Callable, Iterator

import orjson

from bench.agent import Exchange
from bench.live import Session
from bench.words import Json

HEADERS = b'{"content-type":"application/json","user-agent":"bench/1.0","x-goog-api-key":"[redacted]"}'
EVENTS, JSON = b'{"content-type":"text/event-stream"}', b'{"content-type":"application/json; charset=UTF-8"}'
BEGAN = 1_763_450_000.0

Form = Callable[[int, Exchange], Iterator[bytes]]


def exchanges(number: int, one: Exchange) -> Iterator[bytes]:
    """One exchange a line; a stream is the text of its events."""
    yield _line(one, one.body, string(events(one)) if one.stream == "sse" else reply(one))


def strings(number: int, one: Exchange) -> Iterator[bytes]:
    """The same, bodies as texts of JSON: so HAR and cassettes keep them."""
    yield _line(one, string(one.body), string(events(one) if one.stream == "sse" else reply(one)))


def records(number: int, one: Exchange) -> Iterator[bytes]:
    """wirecheck's own log: an exchange is opened, replied to, sends frames and is closed."""
    at = BEGAN + number
    opened = b'"method":"POST","url":%b,"headers":%b,"body":%b' % (orjson.dumps(one.url), HEADERS, one.body)
    yield record("opened", number, at, opened)
    yield record("replied", number, at + 0.4, b'"status":%d,"headers":%b' % (one.status, kind(one)))
    for reply in one.replies:
        yield record("frame", number, at + 0.5, b'"from":"server","data":%b' % reply)
    yield record("closed", number, at + 0.9)


def kind(one: Exchange) -> bytes:
    return EVENTS if one.stream == "sse" else JSON


def _line(one: Exchange, body: bytes, reply: bytes) -> bytes:
    return (
        b'{"request":{"method":"POST","url":%b,"headers":%b,"body":%b},"response":{"status":%d,"headers":%b,"body":%b}}\n'
        % (orjson.dumps(one.url), HEADERS, body, one.status, kind(one), reply)
    )


def reply(one: Exchange) -> bytes:
    """The JSON of what came at once, or as an array."""
    return b"[%b]" % b",".join(one.replies) if one.stream == "array" else one.replies[0]


def events(one: Exchange) -> bytes:
    return one.text if one.text is not None else b"".join(b"data: %b\r\n\r\n" % reply for reply in one.replies)


def string(body: bytes) -> bytes:
    return orjson.dumps(body.decode())


def record(kind: str, channel: int, at: float, more: bytes = b"") -> bytes:
    head = f'{{"v":1,"kind":"{kind}","channel":"{channel}","at":{at:.3f}'.encode()
    return head + (b"," + more if more else b"") + b"}\n"


FORMS: dict[str, Form] = {"exchanges": exchanges, "strings": strings, "records": records}


# One frame of a Live session a line: who sent it stands under one of these names.
WHO: dict[str, tuple[str, dict[str, str]]] = {
    "live": ("from", {"client": "client", "server": "server"}),
    "live.at": ("dir", {"client": "out", "server": "in"}),
    "live.channel": ("direction", {"client": "sent", "server": "received"}),
    "live.full": ("from", {"client": "client", "server": "server"}),
}
# What stands beside: of the session, or of the frame.
BESIDE: dict[str, tuple[str, ...]] = {
    "live": (),
    "live.at": ("at",),
    "live.channel": ("channel",),
    "live.full": ("channel", "url", "at"),
}
AT_ONCE = {"live.channel": 8, "live.full": 8, "live.records": 8}  # so many sessions go on side by side
Frames = Callable[[Session], Iterator[bytes]]


def frame_lines(form: str) -> Frames:
    key, words = WHO[form]

    def told(session: Session) -> Iterator[bytes]:
        known: Json = {"channel": f"s{session.number}", "url": session.url}
        for number, (sender, said) in enumerate(session.said):
            known["at"] = BEGAN + session.number * 600 + number / 50
            beside = {each: known[each] for each in BESIDE[form]}
            yield orjson.dumps({**beside, key: words[sender], "data": said}) + b"\n"

    return told


def session_lines(session: Session) -> Iterator[bytes]:
    """A whole session a line, with how it was closed."""
    frames = [{"dir": sender, "at": BEGAN + at / 50, "data": said} for at, (sender, said) in enumerate(session.said)]
    close = {"code": 1000, "reason": "", "by": "client"}
    yield orjson.dumps({"url": session.url, "frames": frames, "close": close}) + b"\n"


def frame_records(session: Session) -> Iterator[bytes]:
    """In wirecheck's own log."""
    channel, began = session.number, BEGAN + session.number * 600
    yield record("opened", channel, began, b'"method":"GET","url":%b,"headers":{}' % orjson.dumps(session.url))
    yield record("replied", channel, began, b'"status":101,"headers":{"upgrade":"websocket"}')
    at = began
    for number, (sender, said) in enumerate(session.said):
        opcode = b',"opcode":2' if sender == "server" else b""
        data = b'"from":"%b","data":%b%b' % (sender.encode(), orjson.dumps(said), opcode)
        at = began + number / 50
        yield record("frame", channel, at, data)
    yield record("closed", channel, at, b'"code":1000,"reason":"","by":"client"')


FRAMES: dict[str, Frames] = {
    **{form: frame_lines(form) for form in WHO},
    "live.sessions": session_lines,
    "live.records": frame_records,
}
