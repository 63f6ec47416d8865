"""What is right on one surface, for one band, may be wrong elsewhere: examples of all rules, everywhere."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.memo.agree import agree
from tests.memo.test_all_models import API, URLS, VERTEX, exchange
from wirecheck import sources
from wirecheck.rules import Rule, Ruleset, load
from wirecheck.rules.pages.examples import records
from wirecheck.wire.records import Opened

EVERYWHERE = (
    *URLS,
    API.format(version="v1alpha", model="gemini-2.0-flash"),
    VERTEX.format(model="gemini-2.0-flash"),
    "https://firebasevertexai.googleapis.com/v1beta/projects/p/models/gemini-2.5-flash:generateContent",
)
SOUND = {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
RULES = load()


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return RULES


def asked(rule: Rule) -> Iterator[dict[str, Any]]:
    """The requests in its examples that recite contents."""
    for example in (*rule.page().good, *rule.page().bad):
        for record in records(example, sources.read_file):
            if isinstance(record, Opened) and record.body is not None and record.body.form == "json":
                body = json.loads(record.body.raw)
                if isinstance(body, dict) and isinstance(body.get("contents"), list):
                    yield body


def begun(url: str, body: dict[str, Any], n: int) -> bytes:
    """Another conversation: its user says something else."""
    return exchange(url, json.loads(json.dumps(body), object_hook=lambda one: _reworded(one, n)), n)


def _reworded(one: dict[str, Any], n: int) -> dict[str, Any]:
    return {**one, "text": f"{one['text']} {n}"} if isinstance(one.get("text"), str) and one["text"] else one


@pytest.mark.parametrize("rule", [rule for rule in RULES.rules if any(asked(rule))], ids=lambda rule: rule.name)
def test_the_same_is_found_wherever_an_example_comes_first(rules: Ruleset, tmp_path: Path, rule: Rule) -> None:
    rng, path = Random(rule.name), tmp_path / "log.jsonl"
    for body in asked(rule):
        places = rng.sample(EVERYWHERE, len(EVERYWHERE))
        each = [(EVERYWHERE[0], SOUND), *[(url, body) for url in places for _ in range(rng.choice((1, 2, 3)))]]
        path.write_bytes(b"".join([begun(*one, n) for n, one in enumerate(each)]))
        agree(rules, path)


def test_a_text_that_one_surface_takes_and_another_does_not_is_told_there(rules: Ruleset, tmp_path: Path) -> None:
    path, body = tmp_path / "log.jsonl", {"contents": [{"role": "user", "parts": [{"text": "Hi"}, {"text": ""}]}]}
    each = (URLS[0], SOUND), (URLS[4], SOUND), (URLS[0], body), (URLS[4], body)
    path.write_bytes(b"".join([begun(*one, n) for n, one in enumerate(each)]))
    agree(rules, path)
