"""Sound logs, broken ones, and such in which histories change."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from tests.memo.agree import agree
from wirecheck.rules import Ruleset, load

Line = dict[str, Any]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@pytest.mark.parametrize("name", ["small", "long", "window", "strings", "small.records", "long.records"])
@pytest.mark.parametrize("mistakes", [0, 3])
def test_the_same_is_found_on_logs_of_every_kind(rules: Ruleset, tmp_path: Path, name: str, mistakes: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(islice(lines(name, 0.001, mistakes=mistakes), 120)))
    agree(rules, path)


# What clients and loggers do to a history on the way, and what goes wrong with one.
CHANGES: dict[str, Callable[[Random, list[Any]], object]] = {
    "a content is gone": lambda rng, contents: contents.pop(rng.randrange(len(contents))),
    "the oldest are gone": lambda rng, contents: contents.__delitem__(slice(0, rng.randrange(len(contents)))),
    "the newest are gone": lambda rng, contents: contents.__delitem__(slice(rng.randrange(1, len(contents) + 1), None)),
    "a content stands twice": lambda rng, contents: contents.insert(0, contents[rng.randrange(len(contents))]),
    "another role": lambda rng, contents: rng.choice(contents).update(role=rng.choice(("user", "model", "tool", ""))),
    "a part is gone": lambda rng, contents: rng.choice(contents)["parts"].pop(),
    "one part more": lambda rng, contents: rng.choice(contents)["parts"].append({"text": "And this."}),
    "another text": lambda rng, contents: rng.choice(contents)["parts"].insert(0, {"text": f"Edit {rng.random()}"}),
    "an unknown key": lambda rng, contents: rng.choice(contents).update(name="x"),
    "order": lambda rng, contents: rng.shuffle(contents),
    "ids": lambda rng, contents: [
        half.update(id=f"id{rng.randrange(4)}")
        for content in contents
        for part in content["parts"]
        for half in part.values()
        if type(half) is dict and "name" in half
    ],
}


def changed(rng: Random, line: Line) -> Line:
    contents = line["request"]["body"]["contents"]
    for _ in range(rng.randint(1, 2)):
        if contents and contents[0].get("parts"):
            try:
                CHANGES[rng.choice(sorted(CHANGES))](rng, contents)
            except IndexError:
                continue
    return line


def as_text(line: bytes) -> bytes:
    """The same exchange, its body a text of JSON."""
    exchange = json.loads(line)
    exchange["request"]["body"] = json.dumps(exchange["request"]["body"], ensure_ascii=False)
    return json.dumps(exchange).encode() + b"\n"


@pytest.mark.parametrize("write", [bytes, as_text])
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ["small", "10", "long"])
def test_the_same_is_found_however_histories_are_changed(
    rules: Ruleset, tmp_path: Path, name: str, seed: int, write: Callable[[bytes], bytes]
) -> None:
    rng, path = Random(seed), tmp_path / "log.jsonl"
    log = islice(lines(name, 0.0005, seed=seed % 4), 40 if name == "long" else 80)
    with path.open("wb") as out:
        for line in log:
            for _ in range(rng.choice((1, 1, 1, 1, 2))):  # now and then a request is sent again
                out.write(write(line))
            if rng.random() < 0.3:
                other = json.dumps(changed(rng, json.loads(line)), ensure_ascii=rng.random() < 0.5)
                out.write(write(other.encode() + b"\n"))
    agree(rules, path)


def kept(channel: str, line: Line) -> list[bytes]:
    """An exchange in our own log."""
    asked, replied = line["request"], line["response"]
    body = replied["body"]
    events = [event[6:] for event in body.split("\r\n\r\n")[:-1]] if isinstance(body, str) else [json.dumps(body)]
    parts: list[Line] = [
        {"kind": "opened", "channel": channel, "method": asked["method"], "url": asked["url"], "body": asked["body"]},
        {"kind": "replied", "channel": channel, "status": replied["status"], "headers": replied["headers"]},
        *[{"kind": "frame", "channel": channel, "from": "server", "data": json.loads(event)} for event in events],
        {"kind": "closed", "channel": channel},
    ]
    return [json.dumps({"v": 1, **part}, separators=(",", ":")).encode() + b"\n" for part in parts]


# What may become of the lines of an exchange in our log.
FATES: dict[str, Callable[[Random, list[bytes]], object]] = {
    "only asked": lambda rng, lines: lines.__delitem__(slice(1, None)),
    "no end": lambda rng, lines: lines.pop(),
    "no beginning": lambda rng, lines: lines.pop(0),
    "a line is gone": lambda rng, lines: lines.pop(rng.randrange(len(lines))),
    "a line stands twice": lambda rng, lines: lines.insert(0, lines[rng.randrange(len(lines))]),
    "order": lambda rng, lines: rng.shuffle(lines),
    "a broken line": lambda rng, lines: lines.insert(rng.randrange(len(lines)), b'{"v":1,"kind":"opened","chan\n'),
    "another status": lambda rng, lines: lines.__setitem__(1, lines[1].replace(b"200", b"500")),
    "an error": lambda rng, lines: lines.__setitem__(2, lines[2].replace(b'"candidates"', b'"error"')),
    "an unknown key": lambda rng, lines: lines.__setitem__(0, lines[0].replace(b'{"v":1', b'{"v":1,"more":2')),
    "a closed one with more": lambda rng, lines: lines.append(lines[-1]),
}


def beside(rng: Random, exchanges: list[list[bytes]]) -> list[bytes]:
    """Their lines, now and then those of two exchanges in turns."""
    lines: list[bytes] = []
    while exchanges:
        at_once = [exchanges.pop(0) for _ in range(min(len(exchanges), rng.choice((1, 1, 1, 1, 2, 3))))]
        while any(at_once):
            one = rng.choice([each for each in at_once if each])
            lines.append(one.pop(0))
    return lines


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("name", ["small", "10"])
def test_the_same_is_found_whatever_becomes_of_our_own_log(
    rules: Ruleset, tmp_path: Path, name: str, seed: int
) -> None:
    rng, exchanges = Random(seed), list[list[bytes]]()
    for number, line in enumerate(lines(name, 0.0006, seed=seed % 4, mistakes=9)):
        exchange = json.loads(line)
        if rng.random() < 0.1:
            exchange = changed(rng, exchange)
        exchanges.append(kept(str(number if rng.random() < 0.8 else rng.randrange(3)), exchange))
        if rng.random() < 0.2:
            FATES[rng.choice(sorted(FATES))](rng, exchanges[-1])
        if number > 60:
            break
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(beside(rng, exchanges)))
    agree(rules, path)


def in_lines(line: bytes) -> list[bytes]:
    return [line]


def in_texts(line: bytes) -> list[bytes]:
    return [as_text(line)]


def in_records(line: bytes) -> list[bytes]:
    return kept("c", json.loads(line))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["small", "10", "long"])
def test_the_same_is_found_on_a_file_of_several_formats(rules: Ruleset, tmp_path: Path, name: str, seed: int) -> None:
    """A conversation goes on in another format, and begins in one as another did in one more."""
    rng, path, log = Random(seed), tmp_path / "log.jsonl", list[bytes]()
    for line in islice(lines(name, 0.001, seed=seed, mistakes=2 + seed % 3), 45):
        for _ in range(rng.choice((1, 1, 2, 3))):  # written down by several programs
            exchange = json.loads(line)
            other = json.dumps(changed(rng, exchange) if rng.random() < 0.2 else exchange)
            log += rng.choice((in_lines, in_texts, in_records))(other.encode() + b"\n")
    path.write_bytes(b"".join(log))
    agree(rules, path)
