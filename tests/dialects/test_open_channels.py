"""Channels of which a log holds no end are closed where too many are open, and nothing is made up of that."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from wirecheck import Inspector, Reader, load
from wirecheck.dialects import Dialects
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.wire.records import Body, Opened, Origin, Site

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
SETUP = {"setup": {"model": "models/gemini-live-2.5-flash-preview"}}
CALL = {"toolCall": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}}
ANSWER = {"toolResponse": {"functionResponses": [{"id": "c1", "name": "now", "response": {"time": 1}}]}}
Json = dict[str, Any]
Told = tuple[list[tuple[str, int, str, str]], object]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def record(kind: str, n: int, **more: Any) -> Json:
    return {"v": 1, "kind": kind, "channel": f"channel {n}", **more}


def asked(n: int, *more: Json) -> Json:
    contents = [{"role": "user", "parts": [{"text": f"Question {n}."}]}, *more]
    return record("opened", n, method="POST", url=URL, headers={}, body={"contents": contents})


def said(n: int, sender: str, data: Json) -> Json:
    return record("frame", n, **{"from": sender, "data": data})


def reply(n: int) -> Json:
    return said(n, "server", {"candidates": [{"content": {"role": "model", "parts": [{"text": "So."}]}}]})


def one(n: int) -> list[Json]:
    """One of each kind that is never closed, with mistakes and without."""
    live = [record("opened", n, method="GET", url=LIVE, headers={}), said(n, "client", SETUP)]
    kinds: list[list[Json]] = [
        [asked(n)],
        [asked(n), record("replied", n, status=200, headers={}), reply(n)],
        [asked(n, {"role": "nobody", "parts": [{"text": "What?"}]})],
        [
            asked(
                n,
                {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
                {"role": "user", "parts": [{"text": "So?"}]},
            ),
            reply(n),
        ],
        live,
        [*live, said(n, "server", {"setupComplete": {}}), said(n, "server", CALL)],
        [*live, said(n, "server", {"setupComplete": {}}), said(n, "server", CALL), said(n, "client", ANSWER)],
        [
            *live,
            said(n, "client", {"toolResponse": {"functionResponses": [{"id": "x", "name": "now", "response": {}}]}}),
        ],
        [said(n, "server", {"what": n})],
    ]
    return kinds[n % len(kinds)]


def told(path: Path, records: Iterator[Json] | list[Json], rules: Ruleset, **options: Any) -> Told:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    inspector, found = Inspector(rules, **options), list[Finding]()
    for each in Reader([str(path)]):
        found += inspector.feed(each)
    found += inspector.close()
    rows = [(each.rule, each.place.line, each.message, each.server.verdict) for each in found]
    return sorted(rows), inspector.checked


@pytest.mark.parametrize("memo", [True, False])
def test_who_is_let_go_is_told_of_as_one_that_stays(
    memo: bool, rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [each for n in range(120) for each in one(n)]
    without = told(tmp_path / "log.jsonl", records, rules, memo=memo)
    monkeypatch.setattr("wirecheck.dialects.OPEN", 8)
    assert told(tmp_path / "log.jsonl", records, rules, memo=memo) == without
    assert without[0]


@pytest.mark.parametrize("seed", range(8))
def test_channels_that_are_spoken_in_stay(
    seed: int, rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four of them at a time, among others that are never heard of again."""
    rng, records, open_ones = Random(seed), list[Json](), list[list[Json]]()
    for n in range(200):
        records.append(asked(1000 + n))
        if len(open_ones) < 4:
            open_ones.append([*one(n)])
        rng.shuffle(open_ones)
        records += [each.pop(0) for each in open_ones]
        open_ones = [each for each in open_ones if each]
    without = told(tmp_path / "log.jsonl", records, rules)
    monkeypatch.setattr("wirecheck.dialects.OPEN", 24)
    assert told(tmp_path / "log.jsonl", records, rules) == without


def test_more_channels_speak_at_a_time_than_may_be_open(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = [n for n in range(400) if n % 9 == 5]
    begun = [each for n in live for each in one(n)]
    calls, answers = ([said(n, sender, data) for n in live] for sender, data in (("server", CALL), ("client", ANSWER)))
    monkeypatch.setattr("wirecheck.dialects.OPEN", 8)
    _, checked = told(tmp_path / "log.jsonl", [*begun, *calls, *answers, *begun], rules)
    assert checked.sessions >= len(live)  # type: ignore[attr-defined]


def test_no_more_are_held_than_may_be_open(rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirecheck.dialects.OPEN", 64)
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for n in range(2000) for each in one(n)))
    inspector = Inspector(rules)
    for each in Reader([str(path)]):
        inspector.feed(each)
        assert len(list(inspector._dialects._channels)) <= 65
        assert len(inspector._talk._channels) <= 66
        assert len(inspector._pending._pending) <= 66


def test_one_with_a_large_request_counts_for_several(rules: Ruleset) -> None:
    dialects = Dialects(rules.models)
    for n in range(40):
        site = Site(Origin("log.jsonl", n))
        body = Body(b'{"contents":[{"parts":[{"text":"%b"}]}]}' % (b"x" * (8 << 20)), site)
        list(dialects.read(Opened(channel=str(n), origin=site.origin, url=URL, body=body)))
    assert 2 <= len(list(dialects._channels)) <= 8
