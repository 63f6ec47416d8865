"""Rules of users, who ask what no shape decides: words, names, ids, arguments, numbers and times.

One of them alone, so that no other rule makes that be asked; all of them; and all of them beside the built-in ones.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.memo.agree import same
from tests.properties.test_any_log import interleaved, live
from tests.rules.make import rule
from wirecheck.rules import Ruleset, load
from wirecheck.talk.lazy_facts import SHAPED
from wirecheck.wire.records import Record

# By kind of fact: what is asked of it.
ASKED: dict[str, list[dict[str, Any]]] = {
    "content": [
        {"model|other-than": "role"},
        {"value.parts.0.text": "1"},
        {"value.parts.1.functionCall.name": "get_time"},
        {"answered|contains": "get_time"},
        {"strays|contains": "get_weather (c1)"},
        {"turn": 4},
        {"parts|min": 2, "model": "gemini-2.5-flash"},
    ],
    "part": [{"value.text": "2"}, {"value.functionCall.args.n": 1}, {"value.text|pattern": "^[01]$"}],
    "call": [{"args.n": 1}, {"id": "c1"}, {"name": "get_time", "sender": "server"}, {"value.args.n|max": 0}],
    "answer": [{"response.ok": True}, {"id|ends": "2"}, {"name|starts": "get_w"}],
    "call-placed": [{"names|contains": "get_time"}, {"names.0": "get_weather"}],
    "call-turn": [{"names.1": "get_time"}, {"unanswered|contains": "get_time (c2)"}, {"twins|contains": "get_time"}],
    "call-settled": [{"name": "get_time"}, {"id": "c0"}, {"echo|contains": "c1"}],
    "answer-settled": [{"called_name": "get_time"}, {"id|other-than": "called_id"}, {"name|other-than": "called_name"}],
    "request": [
        {"version|other-than": "model"},
        {"contents": 9},
        {"contents|min": 11},
        {"body.contents.0.role|exists": False},
        {"turn|exists": False},
    ],
    "ending": [{"value.parts.0.text": "0"}, {"contents": 10}],
    "reply": [{"turn|min": 9}, {"turn": 10}, {"finish": "STOP", "parts": 1}],
    "candidate": [{"value.content.parts.0.text": "ok"}, {"value.content.parts.0.functionCall.id": "c9"}],
    "forgotten": [{"contents": 3}],
    "unsigned": [{"name": "get_time"}],
    "frame": [
        {"number": 5},
        {"value.toolCall.functionCalls.0.id": "c1"},
        {"says": "toolResponse", "value|lacks": "toolResponse"},
    ],
    "untimely": [{"turn|min": 3}],
}
RULES = {
    f"{given} {where}": rule({"never": None}, builtin=False, given=given, where=where, severity="error")
    for given, lines in ASKED.items()
    for where in lines
}
NAMED = {name: replace(one, name=f"mine-{n}", code=f"OWN{n + 100}") for n, (name, one) in enumerate(RULES.items())}
BUILTIN = load()
MINE = Ruleset([*NAMED.values()], BUILTIN.models)
ALL = Ruleset([*BUILTIN.rules, *NAMED.values()], BUILTIN.models)


def several(*seeds: int) -> Iterator[Record]:
    """Logs one after another, in one file. Their channels are not to be mixed up."""
    for n, seed in enumerate(seeds):
        for record in live(seed) if seed % 4 == 0 else interleaved(seed):
            yield replace(record, channel=f"{n} {record.channel}")


@pytest.mark.parametrize("name", NAMED)
def test_a_rule_alone_finds_the_same(name: str) -> None:
    rules = Ruleset([NAMED[name]], BUILTIN.models)
    assert same(rules, lambda: several(*range(28)), pictures=False)


@settings(max_examples=20)
@given(seeds=st.lists(st.integers(0, 2**32), min_size=1, max_size=6), predict=st.booleans())
@pytest.mark.parametrize("rules", [MINE, ALL], ids=["alone", "beside the others"])
def test_all_of_them_find_the_same(rules: Ruleset, seeds: list[int], predict: bool) -> None:
    same(rules, lambda: several(*seeds), predict=predict)


def test_every_kind_is_asked_that_a_key_may_decide() -> None:
    told = {"tool", "declaration", "schema", "setting", "field", "input"}
    assert set(SHAPED) - set(ASKED) == told, "of these a key tells all"
