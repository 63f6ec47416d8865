"""How programs write down an exchange: keys of a line, their order, how bodies and times look. It knows no bodies."""

from dataclasses import dataclass
from random import Random

import orjson

from bench import forms
from bench.agent import Exchange
from bench.shares import BESIDE, known
from bench.words import Json, shuffled, token, uuid

ASKED = ("content-type", "user-agent", "x-goog-api-client", "x-goog-api-key", "accept", "accept-encoding", "connection")
TOLD = (
    "content-type",
    "date",
    "server",
    "server-timing",
    "vary",
    "x-content-type-options",
    "alt-svc",
    "content-length",
)
BODIES = {"json": 85, "text": 10, "string": 5}  # as JSON, as a text of it, as {"string": text}


def times(at: float) -> dict[str, object]:
    """A moment as programs write it."""
    second = int(at) % 86400
    clock = f"2026-11-18T{second // 3600:02}:{second % 3600 // 60:02}:{second % 60:02}"
    return {
        "iso": f"{clock}Z",
        "micro": f"{clock}.{int(at * 1e6) % 10**6:06}Z",
        "offset": f"{clock}.{int(at * 1e3) % 1000:03}+01:00",
        "seconds": round(at, 3),
        "milliseconds": int(at * 1000),
        "text": str(int(at)),
        "clock": clock.replace("T", " "),
    }


TIMES = [*times(0)]


@dataclass(frozen=True, slots=True)
class Recorder:
    beside: list[str]  # the keys of a line, in its order
    time: str
    bodies: str
    asked: list[str]
    told: list[str]
    uri: bool
    labels: Json

    def line(self, rng: Random, number: int, one: Exchange) -> bytes:
        at = forms.BEGAN + number * 1.7
        took = rng.randint(150, 30_000)
        made: Json = {
            "timestamp": times(at)[self.time],
            "labels": {**self.labels, "user": token(rng, 6)},
            "trace": f"projects/demo-project/traces/{rng.getrandbits(128):032x}",
            "id": uuid(rng) if self.time in ("iso", "seconds") else number,
            "latency_ms": took if self.time != "seconds" else took + round(rng.random(), 3),
            "source": f"{self.labels['service']}/tests/{token(rng, 8)}.yaml#{number}",
            "provenance": "recorded",
        }
        raw = {"request": self._request(rng, one), "response": self._response(rng, one, took)}
        members = (
            b"%b:%b" % (orjson.dumps(key), raw[key] if key in raw else orjson.dumps(made[key])) for key in self.beside
        )
        return b"{%b}\n" % b",".join(members)

    def _request(self, rng: Random, one: Exchange) -> bytes:
        head = orjson.dumps(
            {"method": "POST", "uri" if self.uri else "url": one.url, "headers": _headers(rng, self.asked)}
        )
        return b'%b,"body":%b}' % (head[:-1], self._body(one.body))

    def _response(self, rng: Random, one: Exchange, took: int) -> bytes:
        headers = _headers(rng, self.told)
        headers["content-type"] = "text/event-stream" if one.stream == "sse" else "application/json; charset=UTF-8"
        head = orjson.dumps({"status": one.status, "headers": headers})
        streamed = one.stream == "sse"
        body = forms.string(forms.events(one)) if streamed else self._body(forms.reply(one))
        return b'%b,"body":%b}' % (head[:-1], body)

    def _body(self, body: bytes) -> bytes:
        if self.bodies == "json":
            return body
        return forms.string(body) if self.bodies == "text" else b'{"string":%b}' % forms.string(body)


def _headers(rng: Random, names: list[str]) -> Json:
    values = {
        "content-type": "application/json",
        "date": f"Wed, 18 Nov 2026 {rng.randint(0, 23):02}:{rng.randint(0, 59):02}:07 GMT",
        "server-timing": f"gfet4t7; dur={rng.randint(100, 30_000)}",
        "content-length": str(rng.randint(100, 99_999)),
        "x-goog-api-key": "[redacted]",
        "server": "scaffolding on HTTPServer2",
        "vary": "Origin, X-Origin, Referer",
        "accept": "*/*",
    }
    return {each: values.get(each, f"{each}/1.{len(each)}") for each in names}


def draw(rng: Random) -> Recorder:
    kept = [key for key in BESIDE if rng.random() < known(BESIDE, key)]
    keys = ["request", "response"]
    for key in shuffled(rng, kept):
        keys.insert(rng.choice((0, 0, len(keys), keys.index("response"))), key)
    return Recorder(
        beside=keys,
        time=rng.choice(TIMES),
        bodies=rng.choices([*BODIES], [*BODIES.values()])[0],
        asked=rng.sample(ASKED, rng.randint(0, len(ASKED))),
        told=rng.sample(TOLD, rng.randint(0, len(TOLD))),
        uri=rng.random() < 0.08,
        labels={"service": f"app-{token(rng, 4)}", "environment": rng.choice(("test", "live"))},
    )
