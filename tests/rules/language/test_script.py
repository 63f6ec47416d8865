"""The short script of an example, as Records."""

from collections.abc import Iterable
from typing import Any, BinaryIO

import pytest

from tests.rules.make import content, rule, ruleset
from wirecheck.compare import compare_records
from wirecheck.finding import Finding
from wirecheck.rules import Example, Ruleset
from wirecheck.rules.pages.examples import failures, records
from wirecheck.wire.records import Closed, Frame, Opened, Record, Replied


def no_read(stream: BinaryIO, path: str) -> Iterable[Record]:
    raise AssertionError("this log is a script")


def made(log: str, **known: Any) -> list[Record]:
    return list(records(Example(name="x", log=log, **known), no_read))


def shown(record: Record) -> str:
    """A record in one word and a half."""
    match record:
        case Opened():
            return f"opened {record.method} {record.body.raw.decode() if record.body else '-'}"
        case Replied():
            return f"replied {record.status}"
        case Frame():
            return f"{record.sender} {record.body.form} {record.body.raw.decode()}"
        case Closed():
            return f"closed {record.code} {record.reason}" if record.recorded else "cut"
    return "?"


SCRIPTS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "a request": ('> {"contents":[]}', {"model": "m"}, ['1 1 opened POST {"contents":[]}']),
    "a reply": (
        '> {"contents":[]}\n< {"candidates":[]}',
        {"model": "m"},
        [
            '1 1 opened POST {"contents":[]}',
            "1 2 replied 200",
            '1 2 server json {"candidates":[]}',
            "1 2 closed None ",
        ],
    ),
    "a status": (
        '> {"contents":[]}\n\n< 400 {"error":{}}',
        {"model": "m"},
        ['1 1 opened POST {"contents":[]}', "1 3 replied 400", '1 3 server json {"error":{}}', "1 3 closed None "],
    ),
    "a text": (
        "> {}\n< 502 Bad Gateway",
        {"model": "m"},
        ["1 1 opened POST {}", "1 2 replied 502", "1 2 server text Bad Gateway", "1 2 closed None "],
    ),
    "a status and no more": (
        "> {}\n< 204",
        {"model": "m"},
        ["1 1 opened POST {}", "1 2 replied 204", "1 2 closed None "],
    ),
    "two exchanges": (
        '# twice\n> {"a":1}\n< {"b":1}\n> {"a":2}',
        {"model": "m"},
        [
            '1 2 opened POST {"a":1}',
            "1 3 replied 200",
            '1 3 server json {"b":1}',
            "1 3 closed None ",
            '2 4 opened POST {"a":2}',
        ],
    ),
    "no model": (
        '> {"contents":[]}\n< {"candidates":[]}',
        {},
        ['1 1 opened  {"contents":[]}', '1 2 server json {"candidates":[]}', "1 2 closed None "],
    ),
    "a reply alone": (
        '< {"candidates":[]}',
        {},
        ["1 1 opened  -", '1 1 server json {"candidates":[]}', "1 1 closed None "],
    ),
    "Code Assist": (
        '> {"contents":[]}',
        {"model": "m", "surface": "code-assist"},
        ['1 1 opened POST {"model":"m","project":"p","request":{"contents":[]}}'],
    ),
    "Code Assist as written": (
        '> {"request":{}}',
        {"model": "m", "surface": "code-assist"},
        ['1 1 opened POST {"request":{}}'],
    ),
    "Live": (
        '> {"setup":{}}\n< {"setupComplete":{}}\nX< 1007 Request contains an invalid argument.',
        {"model": "m"},
        [
            "1 1 opened GET -",
            '1 1 client json {"setup":{}}',
            '1 2 server json {"setupComplete":{}}',
            "1 3 closed 1007 Request contains an invalid argument.",
        ],
    ),
    "Live, set up before": (
        '> {"toolResponse":{}}',
        {"model": "m"},
        [
            "1 1 opened GET -",
            '1 1 client json {"setup":{"model":"models/m"}}',
            '1 1 server json {"setupComplete":{}}',
            '1 1 client json {"toolResponse":{}}',
            "1 1 cut",
        ],
    ),
    "Live, by its protocol": (
        '> {"functionResponse":{}}\nX> 1000',
        {"protocol": "live"},
        ["1 1 opened GET -", '1 1 client json {"functionResponse":{}}', "1 2 closed 1000 "],
    ),
}


@pytest.mark.parametrize(("log", "known", "expected"), SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_is_records(log: str, known: dict[str, Any], expected: list[str]) -> None:
    said = [f"{record.channel} {record.origin.line} {shown(record)}" for record in made(log, **known)]
    assert said == expected


URLS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "> {}", "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
    ({}, "> {}\n< {}\n< {}", "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse"),
    (
        {"surface": "vertex"},
        "> {}",
        "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/",
    ),
    ({"surface": "code-assist"}, "> {}", "https://cloudcode-pa.googleapis.com/v1internal:generateContent"),
    (
        {"surface": "firebase"},
        "> {}",
        "https://firebasevertexai.googleapis.com/v1beta/projects/p/models/m:generateContent",
    ),
    ({"surface": "unknown"}, "> {}", "http://localhost:8080/v1beta/models/m:generateContent"),
    ({}, '> {"messages":[]}', "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"),
    ({}, '> {"input":"hi"}', "https://generativelanguage.googleapis.com/v1beta/interactions"),
    ({}, '> {"setup":{}}', "wss://generativelanguage.googleapis.com/ws/"),
    ({"surface": "vertex"}, '> {"setup":{}}', "wss://us-central1-aiplatform.googleapis.com/ws/"),
]


@pytest.mark.parametrize(("known", "log", "url"), URLS)
def test_a_request_goes_where_its_surface_is(known: dict[str, Any], log: str, url: str) -> None:
    opened = made(log, model="m", **known)[0]
    assert isinstance(opened, Opened)
    assert opened.url.startswith(url)


def test_what_is_no_script_is_read() -> None:
    asked: list[bytes] = []

    def read(stream: BinaryIO, path: str) -> Iterable[Record]:
        asked.append(stream.read())
        return []

    assert list(records(Example(name="x", log='{"contents":[]}\n'), read)) == []
    assert asked == [b'{"contents":[]}\n']


class Belt:
    """Finds every request bad."""

    def __init__(self, rules: Ruleset, *, predict: bool) -> None:
        self.rules, self.predict = rules, predict

    def feed(self, record: Record) -> list[Finding]:
        if not isinstance(record, Opened):
            return []
        made = content(record.origin.line, role="predicted" if self.predict else "judged")
        return [self.rules.finding(miss) for miss in self.rules.judge(made)]

    def close(self) -> list[Finding]:
        return []


EXAMPLES: dict[str, tuple[Example, bool]] = {
    "as it says": (Example(name="x", log="> {}\n> {}", finds=("2: judged", "1: judged")), True),
    "predicted": (Example(name="x", log="> {}", finds=("1: predicted",), predict=True), True),
    "another line": (Example(name="x", log="> {}", finds=("2: judged",)), False),
    "more than it says": (Example(name="x", log="> {}\n> {}", finds=("1: judged",)), False),
    "nothing said": (Example(name="x", log="> {}"), False),
}


@pytest.mark.parametrize(("example", "behaves"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_shows_what_it_says(example: Example, behaves: bool) -> None:
    one = rule({"never": None}, message="{role}", bad=(example,))
    failed = list(failures([one], ruleset(one), Belt, no_read, compare_records))
    assert [each.example for each in failed] == ([] if behaves else [example])
