"""What the inspector adds: the server's word, what is told once, what is counted."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.stories.conversations import answer, call, error, exchange, model, reply, user
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Record, Replied, Site

SIGNED = {"thoughtSignature": "c2ln"}
BROKEN = [user("Weather?"), model(call("a") | SIGNED, call("b")), user(answer("a"))]
COUNT = "Please ensure that the number of function response parts is equal to the number of function call parts."
PREFILLED = [user("Say it."), model("Sure:")]
TRAILING = "Requests ending with a model turn are not supported."
STREAM = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse"
COUNTING = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:countTokens"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(rules: Ruleset, *lines: Iterator[Record], predict: bool = False) -> list[Finding]:
    inspector = Inspector(rules, predict=predict)
    given = [finding for line in lines for record in line for finding in inspector.feed(record)]
    return given + inspector.close()


def stream(*chunks: Any, contents: Any = None) -> Iterator[Record]:
    origin = Origin("log.jsonl", 1)
    body = Body(msgspec.json.encode({"contents": contents or [user("hi")]}), Site(origin, "/request/body"))
    yield Opened(channel="1", origin=origin, method="POST", url=STREAM, body=body)
    yield Replied(channel="1", origin=origin, status=200)
    for number, chunk in enumerate(chunks):
        event = Body(msgspec.json.encode(chunk), Site(origin, "/response/body", True, number))
        yield Frame(channel="1", origin=origin, sender="server", body=event)
    yield Closed(channel="1", origin=origin)


WORDS: dict[str, tuple[Iterator[Record], tuple[str, str]]] = {
    "rejected with its own text": (exchange(1, BROKEN, error(COUNT), 400), ("confirmed", "error")),
    "rejected with its own text in a list": (exchange(1, BROKEN, [error(COUNT)], 400), ("confirmed", "error")),
    "rejected for something else": (exchange(1, BROKEN, error("API key not valid."), 400), ("unknown", "error")),
    "accepted": (exchange(1, BROKEN, reply(model("18"))), ("tolerated", "warning")),
    "accepted, and then only an error": (stream(error(COUNT), contents=BROKEN), ("confirmed", "error")),
    "not answered": (exchange(1, BROKEN), ("unknown", "error")),
    "counted": (exchange(1, BROKEN, {"totalTokens": 9}, url=COUNTING), ("unknown", "error")),
    "milder, until the server rejects it": (
        exchange(1, PREFILLED, error(TRAILING), 400, name="gemini-3.5-flash"),
        ("confirmed", "error"),
    ),
    "milder, and accepted": (
        exchange(1, PREFILLED, reply(model("18")), name="gemini-3.5-flash"),
        ("tolerated", "info"),
    ),
}


@pytest.mark.parametrize(("line", "expected"), WORDS.values(), ids=WORDS)
def test_the_server_has_the_last_word(line: Iterator[Record], expected: tuple[str, str], rules: Ruleset) -> None:
    records = list(line)
    (finding,) = (one for one in judged(rules, iter(records)) if one.rule != "function-response-keys")
    assert (finding.server.verdict, finding.severity) == expected


def test_without_looking_the_server_has_no_word(rules: Ruleset) -> None:
    findings = judged(rules, exchange(1, BROKEN, error(COUNT), 400), predict=True)
    assert {finding.server.verdict for finding in findings} == {"unknown"}


def test_a_mistake_in_every_chunk_is_told_once(rules: Ruleset) -> None:
    chunk = {"candidates": [{"content": {"role": "assistant", "parts": [{"text": "x"}]}, "index": 0}]}
    last = {"candidates": [{"content": {"role": "assistant", "parts": [{"text": "x"}]}, "finishReason": "STOP"}]}
    findings = judged(rules, stream(*[chunk] * 9, last))
    assert [finding.rule for finding in findings if finding.severity != "info"] == ["reply-role-not-model"]


def test_other_methods_are_counted_and_not_judged(rules: Ruleset) -> None:
    inspector = Inspector(rules)
    cached = "https://generativelanguage.googleapis.com/v1beta/cachedContents"
    body = {"model": "models/gemini-2.5-flash", "contents": [user("hi")], "ttl": "300s"}
    findings = [f for r in exchange(1, body, {"name": "cachedContents/x"}, url=cached) for f in inspector.feed(r)]
    assert (findings, inspector.checked.unjudged) == ([], {"cachedContents": 1})


def test_a_mistake_of_a_stream_is_told_again_where_its_channel_is_taken_anew(rules: Ruleset) -> None:
    chunk = {"candidates": [{"content": {"role": "assistant", "parts": [{"text": "x"}]}, "finishReason": "STOP"}]}
    told = judged(rules, stream(chunk, chunk), stream(chunk, contents=[user("hello")]))
    assert [finding.rule for finding in told if "role" in finding.rule] == ["reply-role-not-model"] * 2


@pytest.mark.parametrize("path", ["models/gemini-2.5-flash:generateContent", "interactions", "openai/chat/completions"])
def test_a_request_that_is_no_utf8_is_no_json_wherever_the_invalid_byte_is(path: str, rules: Ruleset) -> None:
    """As in what a client sent, or a file holds in base64."""
    text = b'[{"role": "user", "parts": [{"text": "caf\xe9"}]}]'
    raw = b'{"contents": %b, "input": %b, "messages": %b}' % (text, text, text)
    origin = Origin("log", 1)
    url = f"https://generativelanguage.googleapis.com/v1beta/{path}"
    body = Body(raw, Site(origin, "/request/body"), "bytes")
    inspector = Inspector(rules)
    found = inspector.feed(Opened(channel="1", origin=origin, method="POST", url=url, body=body))
    found += inspector.feed(Closed(channel="1", origin=origin)) + inspector.close()
    assert [(each.rule, each.place.pointer) for each in found] == [("unreadable-line", "/request/body")]
