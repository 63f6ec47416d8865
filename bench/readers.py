"""Readers of other programs' files beside the cheapest that reads the same file at all, which finds no traffic in it:
`python -m bench readers [FORMAT…] [--scale N] [--write]`.

Each file holds the same kind of traffic, as its program would write it, and is read in this process: the best of three
rounds counts, by CPU time. Nothing is judged.
"""

import argparse
import io
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import orjson
import yaml

from bench import tables
from bench.logs import lines
from wirecheck.sources import Reader

BEGIN, END = "<!-- readers: python -m bench readers --write -->\n", "<!-- end of readers -->\n"
SIZE = 10_000_000  # bytes of a file
YAML_PART = 8  # a file of YAML is so many times smaller: the C loader takes a second for two megabytes
ROUNDS = 3
DATE = "2026-05-06T07:08:09.000Z"
Exchange = dict[str, Any]


class Format(NamedTuple):
    name: str  # of --input-format
    write: Callable[[Path, Iterator[Exchange], int], object]
    cheapest: Callable[[Path], object]
    beside: str  # what that is
    part: int = 1


class Reading(NamedTuple):
    """CPU seconds of both, for a file of so many bytes and records."""

    name: str
    beside: str
    size: int
    records: int
    own: float
    cheapest: float


def traffic(seed: int) -> Iterator[Exchange]:
    """Exchanges without end, most of them small."""
    for name in cycle(("small", "10")):
        yield from map(orjson.loads, islice(lines(name, 0.01, seed), 500))
        seed += 1


def _taken(some: Iterator[Exchange], size: int) -> Iterator[Exchange]:
    """As many as make so many bytes."""
    while size > 0:
        each = next(some)
        size -= len(orjson.dumps(each))
        yield each


def _written(body: Any) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _named(headers: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _har(each: Exchange) -> Any:
    asked, answered = each["request"], each["response"]
    headers = _named([("content-type", "application/json"), ("user-agent", "bench")])
    sent = {"mimeType": "application/json", "text": _written(asked["body"])}
    content = {"size": 1, "mimeType": "application/json", "text": _written(answered["body"])}
    return {
        "startedDateTime": DATE,
        "time": 12.5,
        "request": {"method": "POST", "url": asked["url"], "headers": headers, "bodySize": -1, "postData": sent},
        "response": {"status": answered["status"], "statusText": "OK", "headers": headers, "content": content},
        "timings": {"send": 0, "wait": 12, "receive": 0},
    }


def _vcr(each: Exchange) -> Any:
    asked, answered = each["request"], each["response"]
    headers = {"content-type": ["application/json"]}
    sent = {"method": "POST", "uri": asked["url"], "headers": headers, "body": _written(asked["body"])}
    status = {"code": answered["status"], "message": "OK"}
    return {
        "request": sent,
        "response": {"status": status, "headers": headers, "body": {"string": _written(answered["body"])}},
    }


def _nock(each: Exchange) -> Any:
    host, _, path = each["request"]["url"].removeprefix("https://").partition("/")
    return {
        "scope": f"https://{host}:443",
        "method": "POST",
        "path": f"/{path}",
        "body": each["request"]["body"],
        "status": each["response"]["status"],
        "response": each["response"]["body"],
        "rawHeaders": ["content-type", "application/json"],
    }


def _one_value(path: Path, value: Any) -> None:
    path.write_bytes(orjson.dumps(value, option=orjson.OPT_INDENT_2))


def _write_har(path: Path, some: Iterator[Exchange], size: int) -> None:
    entries = [*map(_har, _taken(some, size))]
    _one_value(path, {"log": {"version": "1.2", "creator": {"name": "bench", "version": "1"}, "entries": entries}})


def _write_vcr_json(path: Path, some: Iterator[Exchange], size: int) -> None:
    _one_value(path, {"version": 1, "interactions": [*map(_vcr, _taken(some, size))]})


def _write_vcr_yaml(path: Path, some: Iterator[Exchange], size: int) -> None:
    value = {"interactions": [*map(_vcr, _taken(some, size))], "version": 1}
    path.write_text(yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True))


def _write_nock(path: Path, some: Iterator[Exchange], size: int) -> None:
    _one_value(path, [*map(_nock, _taken(some, size))])


def _events(some: Iterator[Exchange], size: int) -> Iterator[Any]:
    """Contents as events of a session of an agent."""
    contents = ((n, content) for n, each in enumerate(some) for content in each["request"]["body"]["contents"])
    for m, (n, content) in enumerate(contents):
        author = "user" if content.get("role") == "user" else "agent"
        yield {"id": f"e{m}", "invocationId": f"i{n}", "author": author, "actions": {}, "content": content}
        if (size := size - len(orjson.dumps(content))) < 0:
            return


def _write_adk(path: Path, some: Iterator[Exchange], size: int) -> None:
    events = [*_events(some, size)]
    _one_value(path, {"id": "s", "appName": "bench", "userId": "u", "state": {}, "events": events})


def _write_adk_events(path: Path, some: Iterator[Exchange], size: int) -> None:
    path.write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in _events(some, size)))


def _write_adk_database(path: Path, some: Iterator[Exchange], size: int) -> None:
    keys = "id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, invocation_id TEXT, timestamp REAL, event_data TEXT"
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"CREATE TABLE events ({keys}, PRIMARY KEY (app_name, user_id, session_id, id))")
        rows = (
            (event["id"], "bench", "u", f"s{n // 20}", event["invocationId"], float(n), orjson.dumps(event).decode())
            for n, event in enumerate(_events(some, size))
        )
        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        database.commit()


def _write_flows(path: Path, some: Iterator[Exchange], size: int) -> None:
    from mitmproxy.io import FlowWriter
    from mitmproxy.test import tflow

    with path.open("wb") as out:
        writer = FlowWriter(out)
        for each in _taken(some, size):
            flow = tflow.tflow(resp=True)
            flow.request.url, flow.request.method = each["request"]["url"], "POST"
            flow.request.text = _written(each["request"]["body"])
            assert flow.response is not None
            answered = each["response"]
            flow.response.status_code, flow.response.text = answered["status"], _written(answered["body"])
            writer.add(flow)


def _orjson(path: Path) -> object:
    return orjson.loads(path.read_bytes())


def _orjson_lines(path: Path) -> object:
    with path.open("rb") as lines_of:
        return sum(orjson.loads(line) is not None for line in lines_of)


def _yaml(path: Path) -> object:
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


def _sqlite(path: Path) -> object:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT event_data FROM events ORDER BY session_id, timestamp")
        return sum(orjson.loads(row) is not None for (row,) in rows)


def _flows(path: Path) -> object:
    from mitmproxy.io import FlowReader

    return sum(1 for _ in FlowReader(io.BytesIO(path.read_bytes())).stream())


FORMATS = (
    Format("har", _write_har, _orjson, "orjson"),
    Format("vcr-json", _write_vcr_json, _orjson, "orjson"),
    Format("nock", _write_nock, _orjson, "orjson"),
    Format("adk-session", _write_adk, _orjson, "orjson"),
    Format("adk-events", _write_adk_events, _orjson_lines, "orjson of each line"),
    Format("adk-database", _write_adk_database, _sqlite, "sqlite3, orjson of each row"),
    Format("vcr-yaml", _write_vcr_yaml, _yaml, "PyYAML's C loader", YAML_PART),
    Format("mitmproxy-flows", _write_flows, _flows, "mitmproxy's reader"),
)


def reading(each: Format, path: Path, scale: float, seed: int) -> Reading:
    each.write(path, traffic(seed), max(round(SIZE * scale) // each.part, 10_000))
    own, cheapest = _best(partial(_read, path), partial(each.cheapest, path))
    return Reading(each.name, each.beside, path.stat().st_size, _read(path), own, cheapest)


def row(of: Reading) -> list[str]:
    each = f"{of.own / of.records * 1e6:.0f}"
    return [of.name, f"{of.size / tables.MB:.1f}", str(of.records), each, of.beside, f"{of.own / of.cheapest:.1f}"]


def main(asked: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench readers", description=__doc__)
    names = [each.name for each in FORMATS]
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"of {', '.join(names)}; all where none is named")
    parser.add_argument("--scale", type=float, default=1.0, help="of 10 MB a file (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="other words, ids, numbers, clients and orders of keys")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/README.md")
    given = parser.parse_args(asked)
    if missing := [name for name in given.formats if name not in names]:
        parser.error(f"there is no format {', '.join(missing)}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for each in FORMATS:
            if each.name in (given.formats or names):
                print(f"  {each.name}", file=sys.stderr, flush=True)
                rows.append(row(reading(each, Path(folder, each.name), given.scale, given.seed)))
    head = ["format", "MB", "records", "µs a record", "beside", "times as long"]
    text = f"{tables.machine()}\n\n{tables.table(head, rows)}\n"
    print(text)
    if given.write:
        tables.keep(text, BEGIN, END)


def _read(path: Path) -> int:
    """How many records are read of it."""
    reader = Reader([str(path)])
    count = sum(1 for _ in reader)
    if reader.problems:
        raise ValueError(f"{path.name}: {reader.problems[0].why}")
    return count


def _best(*ways: Callable[[], object]) -> list[float]:
    """In turns, so that what else the machine does befalls them all."""
    times = [[_timed(way) for way in ways] for _ in range(ROUNDS)]
    return [min(each) for each in zip(*times, strict=True)]


def _timed(way: Callable[[], object]) -> float:
    begin = process_time()
    way()
    return process_time() - begin
