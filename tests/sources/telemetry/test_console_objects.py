"""What console.dir of Node prints, as JSON."""

import json
from typing import Any

import pytest

from tests.sources.telemetry.traces import printed
from tests.work import work
from wirecheck.sources.telemetry.console_objects import CUT, json_of

# As Node 20 prints it.
PRINTED = r"""{
  resource: { attributes: { 'service.name': 'unknown_service:node' } },
  instrumentationScope: { name: 'x', version: undefined, schemaUrl: undefined },
  traceId: '28c53db312f2ce25469a08f98b6a79be',
  parentSpanContext: undefined,
  timestamp: 1795177501570000,
  duration: 691.349,
  'gen_ai.input.messages': '[{"content":"It\'s \\"so\\" `odd` ${x}\\n\\u001b[31mred ünï 😀 \\\\"}]',
  multi: 'line one is long enough to be broken by the printer, which breaks at ends of lines\n' +
    'line two\n' +
    'line three',
  list: [ 'a', "it's", `"it's"`, 1, -1.5, 1e-7, true, null ],
  long: 'xxxx'... 2000 more characters,
  many: [ 1, 2, ... 98 more items ],
  deep: [ [Array], [Object], [Function: f] ],
  classes: [ [Object: null prototype] { a: 1 }, Span { b: [Span] }, Array(2) [ 1, 2 ] ],
  control: '\x1B[1m\x00\t\v',
  symbol: Symbol(x),
  events: []
}
"""


def test_a_printed_object() -> None:
    assert json.loads(json_of(PRINTED.encode())) == {
        "resource": {"attributes": {"service.name": "unknown_service:node"}},
        "instrumentationScope": {"name": "x", "version": None, "schemaUrl": None},
        "traceId": "28c53db312f2ce25469a08f98b6a79be",
        "parentSpanContext": None,
        "timestamp": 1795177501570000,
        "duration": 691.349,
        "gen_ai.input.messages": '[{"content":"It\'s \\"so\\" `odd` ${x}\\n\\u001b[31mred ünï 😀 \\\\"}]',
        "multi": "line one is long enough to be broken by the printer, which breaks at ends of lines\nline two\n"
        "line three",
        "list": ["a", "it's", '"it\'s"', 1, -1.5, 1e-7, True, None],
        "long": CUT,
        "many": [1, 2, CUT],
        "deep": [CUT, CUT, CUT],
        "classes": [{"a": 1}, {"b": [None]}, [1, 2]],
        "control": "\x1b[1m\0\t\v",
        "symbol": None,
        "events": [],
    }


@pytest.mark.parametrize(
    "value",
    [
        {"a": "it's \"x\" `y` ${z} \\ \\n \\' \u2028 😀"},
        {"a b": ["x\ny\n", {"c": 1.5, "d": None}], "é": True},
        {},
    ],
)
def test_printed_and_read_it_is_the_same(value: Any) -> None:
    assert json.loads(json_of(printed(value).encode())) == value


@pytest.mark.parametrize("hostile", ["{ a: 'x", "{ a: }", "'" * 999, "{" * 99, "{ a: process.exit() }", "\\", "`${x}`"])
def test_what_is_no_object_is_read_and_not_evaluated(hostile: str) -> None:
    json_of(hostile.encode())
    json_of(hostile.encode() + b"\xff\xfe")


def test_it_takes_linear_time() -> None:
    for hostile in ("'", "\\", "[Object", "... 1", "'a' + ", "{", "x", "`\\"):
        assert work(lambda hostile=hostile: json_of(hostile.encode() * 4000)) < 400_000  # type: ignore[misc]
