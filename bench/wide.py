"""Lines that are large or have many values, for what memory they take. It knows no conversation."""

from collections.abc import Callable, Iterator
from random import Random

import orjson

from bench.server import API
from bench.words import Json, data, name, text

EACH = 100  # of so many lines one is large
LARGE = 20_000_000
VALUES = 1_000_000


def _line(rng: Random, contents: list[Json]) -> bytes:
    said = {"content": {"role": "model", "parts": [{"text": text(rng, 5, 80)}]}, "finishReason": "STOP", "index": 0}
    count = rng.randint(5, 900)
    usage = {"promptTokenCount": count, "candidatesTokenCount": 7, "totalTokenCount": count + 7}
    url = API.format(model="gemini-2.5-flash", verb="generateContent")
    reply = {
        "candidates": [said],
        "usageMetadata": usage,
        "modelVersion": "gemini-2.5-flash",
        "responseId": name(rng, 3),
    }
    request = {"method": "POST", "url": url, "headers": {"content-type": "application/json"}}
    head = orjson.dumps(request)[:-1]
    told = orjson.dumps({"status": 200, "headers": {"content-type": "application/json"}, "body": reply})
    return b'{"request":%b,"body":{"contents":%b}},"response":%b}\n' % (head, orjson.dumps(contents), told)


def _user(*parts: Json) -> Json:
    return {"role": "user", "parts": [*parts]}


def _picture(rng: Random) -> list[Json]:
    return [
        _user({"inlineData": {"mimeType": "image/png", "data": data(rng, LARGE * 3 // 4)}}, {"text": text(rng, 3, 9)})
    ]


def _pasted(rng: Random) -> list[Json]:
    """A file as a text, with all that has to be escaped."""
    page = text(rng, 9_000, 9_000)
    return [_user({"text": "\n".join([page] * (LARGE // len(orjson.dumps(page))))})]


def _history(rng: Random) -> list[Json]:
    """Many contents, none of them heard before."""
    contents, size = list[Json](), 0
    while size < LARGE:
        contents += [_user({"text": text(rng, 80, 240)}), {"role": "model", "parts": [{"text": text(rng, 80, 240)}]}]
        size += len(orjson.dumps(contents[-2:]))
    return [*contents, _user({"text": text(rng, 5, 20)})]


def large(seed: int, lines: int) -> Iterator[bytes]:
    """Lines of 20 MB among small ones."""
    rng, kinds = Random(f"{seed} large"), (_picture, _pasted, _history)
    for number in range(lines):
        kind, rest = divmod(number, EACH)
        yield _line(rng, kinds[kind % 3](rng) if rest == EACH // 2 else [_user({"text": text(rng, 3, 80)})])


def tiny(seed: int, lines: int) -> Iterator[bytes]:
    """One line with a million values: the rows that a function gave back."""
    rng = Random(f"{seed} tiny")
    rows = [[rng.randrange(10), None, rng.randrange(100), rng.random() < 0.5] for _ in range(VALUES // 4)]
    call = {"name": "query", "args": {"sql": text(rng, 5, 9)}}
    yield _line(
        rng,
        [
            _user({"text": text(rng, 3, 9)}),
            {"role": "model", "parts": [{"functionCall": call}]},
            _user({"functionResponse": {"name": "query", "response": {"rows": rows}}}),
        ],
    )


LINES: dict[str, Callable[[int, int], Iterator[bytes]]] = {"large": large, "tiny": tiny}
