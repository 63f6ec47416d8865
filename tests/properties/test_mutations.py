"""A value that nobody expects, in any place of any log: no fault comes of it, and it costs no other line.

Two of each log are tried, always the same; WIRECHECK_MUTATIONS=200 tries so many, in a quarter of an hour.
"""

from random import Random
from typing import Any

import pytest

from tests.memo.agree import compared
from tests.properties.mutations import LAST_RULE, SOME, URL, Log, judged, logs, mutations, reordered, written
from tests.properties.pointing import missing
from wirecheck.cli.stories import Stories
from wirecheck.report import FORMATS, Report, Screen, render
from wirecheck.report.report import count

SHARDS = 8


def look(said: Log, *, whole: bool) -> None:
    """`whole`: also as `show` and reports of every format tell it."""
    lines, found = written(said), []
    for memo in (True, False):
        findings = judged(lines, memo=memo)
        last = [finding.rule for finding in findings if finding.place.line == len(lines)]
        assert LAST_RULE in last, lines
        assert list(missing(findings, lines)) == [], lines
        found.append([compared(finding) for finding in findings])
    assert found[0] == found[1], lines
    if whole:
        stories = Stories()
        judged(lines, memo=False, listen=stories.hear, predict=True)
        assert stories.conversations()
        report = Report(findings=tuple(findings), found=tuple(findings), summary=count(findings))
        for name in FORMATS:
            list(render(name, report, Screen()))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_value_of_any_kind_may_stand_anywhere_in_a_log(shard: int) -> None:
    for n, (name, said) in enumerate(logs().items()):
        if n % SHARDS == shard:
            for m, mutated in enumerate(mutations(said, Random(name))):
                look(mutated, whole=(m + n) % 30 == 0)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_lines_may_be_lost_doubled_or_in_another_order(shard: int) -> None:
    names = list(logs())
    for n, name in enumerate(names):
        dice = Random(name)
        for m in range(1 + SOME // 10):
            said = reordered(logs()[name], logs()[dice.choice(names)], dice)
            if n % SHARDS == shard:
                look(next(mutations(said, dice, 1), said) if m % 2 or said == [] else said, whole=False)


def asked(body: Any, said: Any = None, url: str = URL) -> Any:
    request = {"method": "POST", "url": url, "body": body}
    return {"request": request, "response": {"status": 200, "body": said or {}}}


OURS: dict[str, Any] = {"v": 1, "channel": "1"}
HI = {"role": "user", "parts": [{"text": "Hi"}]}
INTERACTIONS = "https://generativelanguage.googleapis.com/v1beta/interactions"
MANY = [{"functionCall": {"name": f"f{n % 7}", "args": {"n": n}}} for n in range(400)]
OTHERWISE = [{"functionCall": {"name": f"f{n % 7}", "args": {"m": n}}} for n in range(400)]
ODD: dict[str, Log] = {
    "data": [{**OURS, "kind": "frame", "from": "server", "data": None}],
    "headers and body": [{**OURS, "kind": "opened", "url": URL, "headers": None, "body": None}],
    "headers of a reply": [{**OURS, "kind": "replied", "status": 200, "headers": None}],
    "a request": [{"request": None, "response": {"candidates": None}}],
    "both": [{"request": None, "response": None}],
    "headers of both": [{"request": {"url": URL, "headers": None, "body": HI}, "response": {"headers": None}}],
    "parts": [asked({"contents": [{"role": "user", "parts": None}]})],
    "a call": [asked({"contents": [HI, {"role": "model", "parts": [{"functionCall": None}]}]})],
    "tools": [asked({"contents": [HI], "tools": [None], "toolConfig": None})],
    **{
        f"an instruction that is a {name}": [asked({"contents": [HI], "systemInstruction": {"parts": [part]}})]
        for name, part in {
            "response": {"functionResponse": {"name": "f", "response": {}}},
            "call": {"functionCall": {"name": "f", "args": {}}},
            "picture": {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
            "thought": {"thought": True, "text": "Hm.", "thoughtSignature": "c2lnbmF0dXJl"},
        }.items()
    },
    **{
        f"a {kind} without anything, {where}": [
            asked({"input": steps}, {"id": "v1", "status": "completed", "steps": steps}, INTERACTIONS)
        ]
        for kind in ("text", "image", "thought", "function_call", "function_result", "user_input", "model_output")
        for where, steps in {
            "as a step": [{"type": kind}],
            "in a step": [{"type": "user_input", "content": [{"type": kind}]}],
            "as content": [{"type": "model_output", "content": {"type": kind, kind: []}}],
        }.items()
    },
    "hundreds of open calls": [
        asked({"contents": [HI]}, {"candidates": [{"content": {"parts": MANY}, "finishReason": "STOP"}]}),
        asked({"contents": [HI, {"role": "model", "parts": MANY}, HI]}),
        asked({"contents": [HI, {"role": "model", "parts": OTHERWISE}, HI]}),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_missing_where_an_object_belongs_costs_no_other_line(name: str) -> None:
    look(ODD[name], whole=True)
