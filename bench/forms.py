"""How a log keeps an exchange or a frame: the lines of it, as bytes. It knows no conversation."""

from collections.abc import Callable, Iterator

import orjson

from bench.agent import Exchange
from bench.words import Json

HEADERS = b'{"content-type":"application/json","user-agent":"bench/1.0","x-goog-api-key":"[redacted]"}'
KINDS = {True: b'{"content-type":"text/event-stream"}', False: b'{"content-type":"application/json; charset=UTF-8"}'}
BEGAN = 1_763_450_000.0

Form = Callable[[int, Exchange], Iterator[bytes]]


def exchanges(number: int, one: Exchange) -> Iterator[bytes]:
    """One exchange a line; a stream is the text of its events."""
    yield _line(one, one.body, _string(_events(one)) if one.streamed else one.replies[0])


def strings(number: int, one: Exchange) -> Iterator[bytes]:
    """The same, bodies as texts of JSON: so HAR and cassettes keep them."""
    yield _line(one, _string(one.body), _string(_events(one) if one.streamed else one.replies[0]))


def records(number: int, one: Exchange) -> Iterator[bytes]:
    """wirecheck's own log: an exchange is opened, replied to, sends frames and is closed."""
    at = BEGAN + number
    opened = b'"method":"POST","url":%b,"headers":%b,"body":%b' % (orjson.dumps(one.url), HEADERS, one.body)
    yield _record("opened", number, at, opened)
    yield _record("replied", number, at + 0.4, b'"status":200,"headers":%b' % KINDS[one.streamed])
    for reply in one.replies:
        yield _record("frame", number, at + 0.5, b'"from":"server","data":%b' % reply)
    yield _record("closed", number, at + 0.9)


def _line(one: Exchange, body: bytes, reply: bytes) -> bytes:
    return (
        b'{"request":{"method":"POST","url":%b,"headers":%b,"body":%b},"response":{"status":200,"headers":%b,"body":%b}}\n'
        % (orjson.dumps(one.url), HEADERS, body, KINDS[one.streamed], reply)
    )


def _events(one: Exchange) -> bytes:
    return b"".join(b"data: %b\r\n\r\n" % reply for reply in one.replies)


def _string(body: bytes) -> bytes:
    return orjson.dumps(body.decode())


def _record(kind: str, channel: int, at: float, more: bytes = b"") -> bytes:
    head = f'{{"v":1,"kind":"{kind}","channel":"{channel}","at":{at:.3f}'.encode()
    return head + (b"," + more if more else b"") + b"}\n"


FORMS: dict[str, Form] = {"exchanges": exchanges, "strings": strings, "records": records}


def frame_lines(url: str, frames: Iterator[tuple[str, Json]]) -> Iterator[bytes]:
    """A Live session, one frame a line."""
    for number, (sender, said) in enumerate(frames):
        known = {"url": url} if number == 0 else {}
        yield orjson.dumps({**known, "from": sender, "at": BEGAN + number / 50, "data": said}) + b"\n"


def frame_records(url: str, frames: Iterator[tuple[str, Json]]) -> Iterator[bytes]:
    """The same in wirecheck's own log."""
    yield _record("opened", 1, BEGAN, b'"method":"GET","url":%b,"headers":{}' % orjson.dumps(url))
    yield _record("replied", 1, BEGAN, b'"status":101,"headers":{"upgrade":"websocket"}')
    number = 0
    for number, (sender, said) in enumerate(frames):
        opcode = b',"opcode":2' if sender == "server" else b""
        data = b'"from":"%b","data":%b%b' % (sender.encode(), orjson.dumps(said), opcode)
        yield _record("frame", 1, BEGAN + number / 50, data)
    yield _record("closed", 1, BEGAN + number / 50, b'"code":1000,"reason":"","by":"client"')


FRAME_FORMS = {"exchanges": frame_lines, "records": frame_records}
