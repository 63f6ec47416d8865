"""What is left out of long texts, and not copied of large bodies, nobody misses: the same is found without it."""

import base64
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.logs import lines
from wirecheck.api import repeated
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader, detect, record_stream
from wirecheck.sources.record_stream import as_it_is
from wirecheck.wire import payload, truncation

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
HEAD, TAIL = 4200, 64  # of a text 4096 characters are looked at
LONG = 4 * (HEAD + TAIL) + 4
WORDS = [
    "The quick brown fox. ",
    "naïve 東京 🚆 ",
    'if x == "abc":\n\ty("C:\\\\temp")\n',
    "\u2028 \x7f <br/>",
    "[1, 2] ",
]
LONGER = frozenset(("text", "output", "result", "description", "data", "error", "city", "pattern", "match"))


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@pytest.fixture(autouse=True)
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    for holder, name, size in (
        *((truncation, name, size) for name, size in (("LONG", LONG), ("HEAD", HEAD), ("TAIL", TAIL))),
        *((holder, "LARGE", 100) for holder in (detect, payload)),
        (record_stream, "LONG", LONG),
    ):
        monkeypatch.setattr(holder, name, size)


def longer(rng: Random, text: str) -> str:
    size = rng.randint(LONG, LONG + 2000)
    if rng.random() < 0.3:
        return base64.b64encode(rng.randbytes(size)).decode()
    return text + "".join(rng.choices(WORDS, k=size // 4))


def grown(value: Any, seed: int, key: str = "") -> Any:
    """The same with long texts, wherever it stands the same ones."""
    if isinstance(value, dict):
        return {name: grown(item, seed, name) for name, item in value.items()}
    if isinstance(value, list):
        return [grown(item, seed, key) for item in value]
    if not isinstance(value, str) or not value:
        return value
    if value.startswith("{"):
        return json.dumps(grown(json.loads(value), seed))
    if value.startswith("data: "):
        events = [json.loads(event[6:]) for event in value.split("\r\n\r\n")[:-1]]
        return "".join(f"data: {json.dumps(grown(event, seed))}\r\n\r\n" for event in events)
    rng = Random(f"{seed} {value}")
    return longer(rng, value) if key in LONGER and rng.random() < 0.3 else value


def judged(rules: Ruleset, path: Path, brief: Callable[[bytes], bytes] | None) -> tuple[list[Finding], object, object]:
    inspector = Inspector(rules)
    reader = Reader([str(path)], brief=brief or inspector.brief)
    findings = [finding for record in reader for finding in inspector.feed(record)]
    return repeated(inspector, findings), inspector.counted, inspector.checked


@pytest.mark.parametrize("name", ["small", "long", "strings", "small.records", "long.records", "live"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_is_found_in_short(rules: Ruleset, tmp_path: Path, name: str, seed: int) -> None:
    path = tmp_path / "log.jsonl"
    most = 60 if name in ("small", "live") else 24
    some = islice(lines(name, 0.001, seed=seed, mistakes=3), most)
    made = [json.dumps(grown(json.loads(line), seed), ensure_ascii=seed == 0).encode() for line in some]
    path.write_bytes(b"\n".join(made))
    assert sum(len(truncation.truncated(line)) < len(line) for line in made) > 3
    assert judged(rules, path, None) == judged(rules, path, as_it_is)


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/log.jsonl")), ids=lambda log: log.parent.name)
def test_the_same_is_found_in_parts(rules: Ruleset, log: Path) -> None:
    assert judged(rules, log, bytes.strip) == judged(rules, log, as_it_is)


def test_others_may_look_at_all_of_a_text() -> None:
    line = json.dumps({"contents": [{"role": "user", "parts": [{"text": WORDS[0] * LONG}]}]}).encode()
    assert len(Inspector(load()).brief(line)) < LONG
    assert Inspector(load(), listen=lambda fact: None).brief(line) is line
    mine = load()
    mine.builtin = False
    assert Inspector(mine).brief(line) is line
