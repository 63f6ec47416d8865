"""Breaking what is whole: every sound conversation, in every way of tests/breaks, at every place.

Each break is found under its own rule and at its own place, and nothing else is said beside it. Where the rule is off
on a model or surface, nothing is said at all. What is whole is silent.
"""

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.breaks import REPLIES, REQUESTS
from tests.breaks.table import Break, Damage, Json, Steps
from tests.stories.conversations import GEMINI, answer, call, model, user
from tests.stories.test_fixtures import SOUND, log
from wirecheck import Inspector, Reader, load
from wirecheck.dialects.messages import Spot
from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.dialects.vocabulary.field_tables import MESSAGES
from wirecheck.finding import Finding
from wirecheck.rules.language.severity import Severities
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

RULES = load()
ORIGIN = Origin("log.jsonl", 1)
ASKED, SAID = Site(ORIGIN, "/request/body"), Site(ORIGIN, "/response/body")
MODELS = ("gemini-1.5-pro", "gemini-2.5-flash", "gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.8-flash")
HTTP = ("shape", "config", "roles", "order", "pairing", "ids", "signatures", "replies", "tools")
# Rules about requests and replies that are broken elsewhere, and where.
ELSEWHERE = {
    "interleaved-call-and-response": "needs the reply that made the calls: its examples",
    "reply-fields-missing": "sound replies of Google's servers lack them too: its examples",
    "function-response-keys": "a note on what is legal: its examples",
    "parallel-calls-in-separate-chunks": "a note on what is legal: its examples",
    "args-schema-violation": "tests/talk/schemas/test_arguments.py and its examples",
    "schema-ref-siblings": "tests/talk/schemas/test_schema_flaws.py and its examples",
    "function-calling-unsupported": "no sound story is of such a model: its examples",
    "api-version-unknown-field": "no sound story is of that version: its examples",
    "partial-args-replayed": "streamed arguments: tests/talk/test_streamed_arguments.py",
    **dict.fromkeys(
        (
            "corrupted-thought-signature",
            "thought-signature-replaced",
            "signature-parts-merged",
            "signature-dropped-on-text",
            "signature-dropped-on-call",
            "signed-empty-text-dropped",
        ),
        "needs the reply: tests/talk/recital/test_recital_check.py, tests/breaks/test_recitals.py",
    ),
    "transcript-missing-function-response": "transcripts: its examples",
}


class Sound(NamedTuple):
    """The last exchange of a sound story: its whole history is in it."""

    story: str
    url: str
    body: Json
    replies: list[Json]  # chunks
    steps: Steps  # to the request inside its wrapper

    @property
    def request(self) -> Json:
        return self.body["request"] if self.steps else self.body


def sound() -> Iterator[Sound]:
    for story in SOUND:
        exchanges: dict[str, Sound] = {}
        for record in Reader([str(log(story))]):
            if isinstance(record, Opened) and record.body is not None and b'"contents"' in record.body.raw:
                body = json.loads(record.body.raw)
                steps: Steps = ("request",) if "request" in body else ()
                exchanges[record.channel] = Sound(story, str(record.url), body, [], steps)
            elif isinstance(record, Frame) and record.channel in exchanges:
                exchanges[record.channel].replies.append(json.loads(record.body.raw))
        yield from list(exchanges.values())[-1:]


STORIES = list(sound())


def records(one: Sound, body: Json, replies: list[Json] | None = None) -> Iterator[Record]:
    sent = Body(msgspec.json.encode(body), ASKED)
    yield Opened(channel="1", origin=ORIGIN, method="POST", url=one.url, body=sent)
    if replies is not None:
        yield Replied(channel="1", origin=ORIGIN, status=200)
        for n, chunk in enumerate(replies):
            yield Frame(
                channel="1", origin=ORIGIN, sender="server", body=Body(msgspec.json.encode(chunk), said(replies, n))
            )
    yield Closed(channel="1", origin=ORIGIN, recorded=replies is not None)


def said(replies: list[Json], n: int) -> Site:
    return Site(ORIGIN, f"{SAID.pointer}/{n}") if len(replies) > 1 else SAID


def judged(made: Iterator[Record]) -> list[Finding]:
    inspector = Inspector(RULES, predict=True)
    return [finding for record in made for finding in inspector.feed(record)] + inspector.close()


def severities(one: Sound, rule: str) -> set[str | None]:
    """How bad a rule may be on the model and surface of a story."""
    heard: list[Any] = []
    inspector = Inspector(RULES, listen=heard.append)
    for record in records(one, one.body):
        inspector.feed(record)
    context = heard[0].context
    asked = RULES.named[rule]
    cells = Severities(asked.given, asked.severity, RULES.models).by_band(context.protocol, context.surface)
    return {each for band, several in cells.items() if context.band in (band, None) for each in several}


def told(findings: list[Finding], rule: str) -> list[tuple[str, str]]:
    """What is said of a break: its own rule, whatever the severity, and everything that is more than a note."""
    return [(each.rule, each.place.pointer) for each in findings if each.rule == rule or each.severity != "info"]


@pytest.mark.parametrize("one", STORIES, ids=lambda one: one.story)
def test_what_is_whole_is_silent(one: Sound) -> None:
    found = judged(records(one, one.body, one.replies))
    assert [finding.rule for finding in found if finding.severity != "info"] == []


def breaks_as_it_should(one: Sound, way: Break, n: int) -> None:
    allowed, body = severities(one, way.rule), copy.deepcopy(one.body)
    steps = way.do(body["request"] if one.steps else body, n)
    place = Spot(ASKED, (*one.steps, *steps)).place().pointer
    found = [each for each in told(judged(records(one, body)), way.rule) if each[0] not in way.beside]
    assert {rule for rule, _ in found} == {way.rule} or (None in allowed and not found)
    assert not found or place in {pointer for _, pointer in found}
    assert len({pointer.partition("/parts")[0] for _, pointer in found}) <= 1  # once a call, all in one content


WAYS = [(one, way) for way in REQUESTS for one in STORIES]


@pytest.mark.parametrize(("one", "way"), WAYS, ids=[f"{way.name}-{one.story}" for one, way in WAYS])
def test_a_broken_request_is_found_under_its_rule_at_its_place_and_nothing_else(one: Sound, way: Break) -> None:
    for n in way.where(one.request):
        breaks_as_it_should(one, way, n)


ABSENT = {"parts-missing", "content-parts-empty"}  # whether parts are missing or null, one of the two is told


def told_in_full(value: Any, message: str) -> Any:
    """A message with all its members, as some clients write it: null where there is nothing."""
    if isinstance(value, list):
        return [told_in_full(each, message) for each in value]
    fields = {**MESSAGES.get(message, {}), **({"contents": "content*"} if message == "request" else {})}
    if not isinstance(value, dict) or not fields:
        return value
    absent = dict.fromkeys(fields.keys() - set(map(camel, value)))
    return {
        **{key: told_in_full(each, fields.get(camel(key), "").rstrip("*")) for key, each in value.items()},
        **absent,
    }


def in_full(one: Sound, body: Json) -> Json:
    request = told_in_full(body["request"] if one.steps else body, "request")
    return {**body, "request": request} if one.steps else request


@pytest.mark.parametrize("one", STORIES, ids=lambda one: one.story)
def test_null_is_as_good_as_absent(one: Sound) -> None:
    found = judged(records(one, in_full(one, one.body), one.replies))
    assert [finding.rule for finding in found if finding.severity != "info"] == []
    for way in REQUESTS:
        for n in [*way.where(one.request)][: way.rule != "function-responses-not-in-content"]:  # no content, no members
            body = copy.deepcopy(one.body)
            way.do(body["request"] if one.steps else body, n)
            without, in_nulls = (
                {rule for rule, _ in told(judged(records(one, each)), way.rule)} for each in (body, in_full(one, body))
            )
            assert in_nulls - ABSENT == without - ABSENT, way.name


def made(dice: random.Random) -> Sound:
    """A conversation that is sound on its model: each call answered, ids on both sides, the first call signed."""
    contents, old = [], dice.random() < 0.4
    for turn in range(dice.randrange(1, 5)):
        contents.append(user("And now?"))
        for step in range(dice.randrange(3)):
            names = [(f"tool_{n}", None if old else f"c{turn}{step}{n}") for n in range(dice.randrange(1, 4))]
            calls = [call(name, one, n=turn) for name, one in names]
            calls[0].update({} if old else {"thoughtSignature": "RXA0Qw=="})
            contents += [model(*calls), user(*(answer(name, one, {"output": 1}) for name, one in names))]
        contents.append(model("Done."))
    contents.append(user("Thanks."))
    name = dice.choice(MODELS[:2] if old else MODELS[2:])
    tools = [{"functionDeclarations": [{"name": f"tool_{n}", "description": "One."} for n in range(3)]}]
    return Sound("made", GEMINI.format(name), {"contents": contents, "tools": tools}, [], ())


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), way=st.sampled_from(REQUESTS))
def test_so_is_one_in_a_conversation_made_up(seed: int, way: Break) -> None:
    dice = random.Random(seed)
    one = made(dice)
    assert told(judged(records(one, one.body)), "") == []
    if places := list(way.where(one.request)):
        breaks_as_it_should(one, way, dice.choice(places))


DAMAGES = [(one, way) for way in REPLIES for one in STORIES]


@pytest.mark.parametrize(("one", "way"), DAMAGES, ids=[f"{way.name}-{one.story}" for one, way in DAMAGES])
def test_a_broken_reply_is_found_under_its_rule_at_its_place_and_nothing_else(one: Sound, way: Damage) -> None:
    wrapped = [chunk.get("response", chunk) for chunk in copy.deepcopy(one.replies)]
    steps = way.do(wrapped)
    if steps is None:
        return
    found = told(judged(records(one, one.body, wrapped)), way.rule)
    place = Spot(said(wrapped, int(steps[0])), steps[1:]).place().pointer
    assert [each for each in found if each[0] not in way.beside] == [(way.rule, place)]


def test_every_rule_about_http_is_tried_on_conversations_it_was_not_written_for() -> None:
    broken = {way.rule for way in (*REQUESTS, *REPLIES)} | set(ELSEWHERE)
    tests = "".join(
        file.read_text("utf-8") for file in Path(__file__).parent.parent.rglob("*.py") if file != Path(__file__)
    )
    rules = [rule.name for rule in RULES.rules if PurePath(rule.path).parent.name in HTTP]
    assert [name for name in rules if name not in broken and not re.search(rf"(?<![\w-]){name}(?![\w-])", tests)] == []
