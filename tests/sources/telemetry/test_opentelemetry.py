"""Traces of OpenTelemetry: whatever a call is told in, and by whom, the same is found, at its place."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from tests.sources.agents.judged import RULES, findings, judge, judged
from tests.sources.telemetry import traces
from tests.sources.telemetry.traces import (
    BROKEN,
    DIALECTS,
    EXPORTERS,
    FIRST,
    LOST_ID,
    MODEL,
    REFUSED,
    SECOND,
    SOUND,
    Json,
    Turn,
    otlp_span,
    otlp_values,
    python_span,
    resource_spans,
    typed,
)
from wirecheck import Inspector, Reader
from wirecheck.cli.app import program
from wirecheck.sources.formats.recognition import recognise
from wirecheck.wire.records import Unread

COUNT, LOST = "function-response-count-mismatch", "transcript-missing-function-response"
FOREIGN = "function-response-id-mismatch"
SAMPLES = {
    f"OpenTelemetry, {exporter}, {dialect}": EXPORTERS[exporter](SOUND, DIALECTS[dialect]).encode()
    for exporter in EXPORTERS
    for dialect in DIALECTS
}
OTLP = "/resourceSpans/0/scopeSpans/0/spans/0/attributes"


def rules(found: list[str]) -> list[str]:
    return [each.partition(":")[0] for each in found]


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_it_is_told_in(dialect: str, exporter: str, tmp_path: Path) -> None:
    """Sound; with one response too few, which the server refused; never answered; with an id that is no call's."""
    path, told = tmp_path / "spans.log", {}
    for name, turns in (("sound", SOUND), ("broken", BROKEN), ("open", (FIRST,)), ("lost", (FIRST, LOST_ID))):
        path.write_text(EXPORTERS[exporter](turns, DIALECTS[dialect]), encoding="utf-8")
        told[name] = rules(judge(path))
    assert told == {"sound": [], "broken": [COUNT], "open": [LOST, LOST], "lost": [FOREIGN]}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sound_one_is_one_conversation_with_memos_and_without(name: str, tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    path.write_bytes(SAMPLES[name])
    for memo in (True, False):
        found, reader, inspector = findings(path, memo=memo)
        checked = inspector.checked
        assert (found, reader.problems, checked.conversations, checked.open_calls) == ([], [], 1, 0)
        assert (checked.exchanges, checked.skipped) == (0, [])


@pytest.mark.parametrize(
    ("exporter", "dialect", "turns", "places"),
    [
        ("otlp", "typed", BROKEN, [f"{COUNT}: 2 {OTLP}/3/value/stringValue » /1/parts/1"]),
        ("otlp", "typed", (FIRST, LOST_ID), [f"{FOREIGN}: 2 {OTLP}/3/value/stringValue » /2/parts/1"]),
        ("python_console", "typed", BROKEN, [f"{COUNT}: 30 /attributes/gen_ai.input.messages » /1/parts/1"]),
        ("node_console", "typed", BROKEN, [f"{COUNT}: 21 /attributes/gen_ai.input.messages » /1/parts/1"]),
        ("python_console", "structured", BROKEN, [f"{COUNT}: 61 /attributes/gen_ai.input.messages/1/parts/1"]),
        (
            "python_console",
            "openinference",
            BROKEN,
            [f"{COUNT}: 38 /attributes/llm.input_messages.1.message.tool_calls.1.tool_call.id"],
        ),
        ("python_console", "indexed", BROKEN, [f"{COUNT}: 37 /attributes/gen_ai.prompt.1.tool_calls.1.id"]),
        ("python_console", "bodies", BROKEN, [f"{COUNT}: 38 /attributes/input.value » /contents/1/parts/1"]),
        ("python_console", "message_logs", BROKEN, [f"{COUNT}: 103 /body/tool_calls/1"]),
        (
            "python_console",
            "span_event",
            BROKEN,
            [f"{COUNT}: 40 /events/0/attributes/gen_ai.input.messages » /1/parts/1"],
        ),
        (
            "python_console",
            "typed",
            (FIRST,),
            [f"{LOST}: 1 /attributes/gen_ai.output.messages » /0/parts/{n}" for n in (0, 1)],
        ),
    ],
)
def test_places(exporter: str, dialect: str, turns: tuple[Turn, ...], places: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "spans.log", EXPORTERS[exporter](turns, DIALECTS[dialect])) == places


def test_every_pointer_into_otlp_leads_somewhere(tmp_path: Path) -> None:
    """Also where lists and objects are written as such."""
    path = tmp_path / "spans.jsonl"
    for dialect in DIALECTS.values():
        for turns in (BROKEN, (FIRST,), (FIRST, LOST_ID)):
            path.write_text(traces.otlp(turns, dialect))
            values = [json.loads(line) for line in path.read_text().splitlines()]
            for found in findings(path)[0]:
                held = values[found.place.line - 1]
                for step in found.place.pointer.split("/")[1:]:
                    held = held[int(step)] if isinstance(held, list) else held[step]
                assert held


@pytest.mark.parametrize(
    ("provider", "surface"), [("gcp.gemini", "gemini-api"), ("gcp.vertex_ai", "vertex"), ("google", "unknown")]
)
def test_model_surface_and_verdict(provider: str, surface: str, tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    path.write_text(traces.python_console(BROKEN, typed).replace("gcp.gemini", provider))
    (found,) = findings(path)[0]
    assert (found.model, found.surface) == (MODEL, surface)
    assert found.server is not None
    assert (found.server.verdict, found.server.status) == ("confirmed", 400)


def changed(turn: Turn, change: Callable[[Json], None], exporter: Callable[..., Json] = python_span) -> str:
    span = exporter(turn, typed(turn))
    change(span)
    return json.dumps(span, indent=4) + "\n"


def told_as(status: Json, *events: Json, **attributes: Any) -> Callable[[Json], None]:
    def change(span: Json) -> None:
        span.update(status=status, events=[*events])
        span["attributes"].update(attributes)

    return change


FAILED = {"status_code": "ERROR"}
TEXT = traces.failure(REFUSED)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (told_as({**FAILED, "description": f"ClientError: {TEXT}"}), [COUNT]),
        (told_as(FAILED, {"name": "exception", "attributes": {"exception.message": TEXT}}), [COUNT]),
        (told_as({**FAILED, "description": traces.SERVER}, **{"error.type": "400"}), [COUNT]),
        (told_as({**FAILED, "description": json.dumps({"error": {"code": 400, "message": "Odd."}})}), None),
        # Nobody knows what the server said: the history is judged as one that an application has.
        (told_as({**FAILED, "description": "ReadTimeout"}), [COUNT]),
    ],
)
def test_the_word_of_the_server(change: Callable[[Json], None], found: list[str] | None, tmp_path: Path) -> None:
    first = json.dumps(python_span(FIRST, typed(FIRST)), indent=4) + "\n"
    told = rules(judged(tmp_path, "spans.log", first + changed(REFUSED, change)))
    assert told == found if found is not None else COUNT in told


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_refusal_that_says_nothing_of_the_request_is_no_mistake_in_it(status: int, tmp_path: Path) -> None:
    text = f"{status} UNAVAILABLE. {{'error': {{'code': {status}, 'message': 'Try again.', 'status': 'UNAVAILABLE'}}}}"
    first = json.dumps(python_span(FIRST, typed(FIRST)), indent=4) + "\n"
    failed = changed(SECOND._replace(said=False), told_as({**FAILED, "description": text}))
    again = json.dumps(python_span(SECOND._replace(number=3), typed(SECOND)), indent=4) + "\n"
    path = tmp_path / "spans.log"
    for written in (first + failed, first + failed + again):
        path.write_text(written)
        assert [each.severity for each in findings(path)[0] if each.severity == "error"] == []
        assert [rule for rule in rules(judge(path)) if rule in (LOST, COUNT)] == []


def test_what_was_mended_after_a_refusal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    path.write_text(traces.otlp((FIRST, REFUSED, SECOND._replace(number=3)), typed))
    found, _, inspector = findings(path)
    assert [each.rule for each in found] == [COUNT]
    assert (inspector.checked.open_calls, inspector.checked.conversations) == (0, 2)


def other_span(**attributes: Any) -> Json:
    span = python_span(Turn(9), traces.Told({}))
    return {**span, "name": "POST", "attributes": attributes}


PASSED_OVER = [
    other_span(**{"http.request.method": "POST", "server.address": "x"}),
    other_span(**{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "needed", "gen_ai.tool.call.id": "n1"}),
    other_span(**{"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": "[]", "gen_ai.request.model": "m"}),
    other_span(**{"openinference.span.kind": "TOOL", "input.value": '{"contents": [1]}'}),
    other_span(**{"openinference.span.kind": "CHAIN", "output.value": '{"content": {"parts": []}}'}),
    other_span(),
]


def test_other_spans_are_passed_over_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    others = "".join(f"{json.dumps(span, indent=4)}\n" for span in PASSED_OVER)
    path.write_text(others + traces.python_console(SOUND, typed) + others)
    found, reader, inspector = findings(path)
    assert (found, reader.problems) == ([], [])
    assert inspector.checked.conversations == 1
    assert [times for *_, times in inspector.checked.skipped] == [2 * len(PASSED_OVER)]


def test_a_call_of_another_model_is_named(tmp_path: Path) -> None:
    written = traces.python_console((FIRST,), typed).replace("gcp.gemini", "openai").replace(MODEL, "gpt-5")
    path = tmp_path / "spans.log"
    path.write_text(written + traces.python_console((FIRST._replace(number=3), SECOND._replace(number=4)), typed))
    found, _, inspector = findings(path)
    assert found == []
    assert "openai" in str(inspector.checked.skipped)
    path.write_text(written)
    (why,) = judge(path)
    assert "is of a call of a Gemini model" in why


def without_messages(turn: Turn) -> traces.Told:
    return traces.Told(traces.BASE, logs=(("gen_ai.user.message", {}, {"content": "<elided>"}),))


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_without_content_it_says_how_to_switch_it_on(exporter: str, tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    path.write_text(EXPORTERS[exporter](SOUND, without_messages))
    result = CliRunner().invoke(program, ["lint", "--isolated", str(path)])
    assert result.exit_code == 2
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in result.stderr
    assert "(2)" in result.stderr


def test_exit_codes(tmp_path: Path) -> None:
    path = tmp_path / "spans.log"
    for turns, code in ((SOUND, 0), (BROKEN, 1), ((FIRST,), 1)):
        path.write_text(traces.otlp(turns, typed))
        assert CliRunner().invoke(program, ["lint", "--isolated", str(path)]).exit_code == code


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_what_is_cut_off_is_told(exporter: str, tmp_path: Path) -> None:
    """By console.dir, or by a limit of the SDK."""

    def cut(turn: Turn) -> traces.Told:
        found = typed(turn).attributes
        return traces.Told(found | {"gen_ai.input.messages": found["gen_ai.input.messages"][:30]})

    written = EXPORTERS[exporter]((FIRST,), cut)
    if exporter == "node_console":
        (line,) = [line for line in written.splitlines() if "gen_ai.input.messages" in line]
        written = written.replace(line, f"{line[:-1]}... 1234 more characters,")
    (why,) = judged(tmp_path, "spans.log", written)
    assert "cut off" in why
    assert "OTLP" in why
    assert judged(tmp_path, "spans.log", written + EXPORTERS[exporter](SOUND, typed).replace("00000", "11111")) == []


def test_lines_between_spans_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    spans = traces.python_console(SOUND, typed).replace("\n}\n", "\n}\nThe answer: leeks.\n  Done {in 1 s}\n")
    path.write_text(spans)
    found, reader, inspector = findings(path)
    assert (found, reader.problems, inspector.checked.conversations) == ([], [], 1)
    known = recognise(("Starting …\n" + spans).encode())
    assert known is not None
    assert known.name == "opentelemetry"


def test_what_is_cut_ends_where_the_next_begins(tmp_path: Path) -> None:
    cut = traces.python_console((FIRST,), typed)[:700] + "\n"
    found = judged(tmp_path, "spans.log", cut + traces.python_console(SOUND, typed))
    assert found == ["unreadable-line: 1"]


def test_calls_within_calls_are_told_once(tmp_path: Path) -> None:
    """An instrumentation of a framework around that of the SDK, whichever comes first."""
    path = tmp_path / "spans.jsonl"
    for order in (1, -1):
        written = ""
        for turn in SOUND:
            inner = otlp_span(turn, typed(turn))
            outer = {**otlp_span(turn, traces.adk(turn)), "spanId": f"a{turn.span[1:]}"}
            inner["parentSpanId"] = outer["spanId"]
            written += "".join(json.dumps(resource_spans(span)) + "\n" for span in [inner, outer][::order])
        path.write_text(written)
        found, _, inspector = findings(path)
        assert found == []
        assert (inspector.checked.conversations, inspector.checked.skipped[0][3]) == (1, 2)


def test_records_of_a_span_may_come_after_it_or_without_it(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    values = otlp_values(SOUND, traces.details)
    for some in (values, values[::2], [values[1], values[0], values[3], values[2]]):
        path.write_text("".join(f"{json.dumps(value)}\n" for value in some))
        found, reader, inspector = findings(path)
        assert (found, reader.problems, inspector.checked.conversations) == ([], [], 1)


def test_messages_of_no_span_are_passed_over(tmp_path: Path) -> None:
    """Nobody knows which are of the same call."""
    path = tmp_path / "logs.log"
    records = [value for value in traces.python_values(SOUND, traces.message_logs) if "event_name" in value]
    for record in records:
        record["span_id"] = "0x0000000000000000"
    path.write_text("".join(f"{json.dumps(record, indent=4)}\n" for record in records))
    found, reader, inspector = findings(path)
    assert found == []
    assert ["of a call of a Gemini model" in problem.why for problem in reader.problems] == [True]
    assert [times for *_, times in inspector.checked.skipped] == [len(records)]


def test_what_is_both_in_records_and_in_spans_is_told_once(tmp_path: Path) -> None:
    def both(turn: Turn) -> traces.Told:
        return traces.Told(typed(turn).attributes, logs=traces.details(turn).logs)

    path = tmp_path / "spans.log"
    for exporter in EXPORTERS.values():
        for turns, wanted in ((SOUND, []), (BROKEN, [COUNT])):
            path.write_text(exporter(turns, both))
            found, _, inspector = findings(path)
            assert [each.rule for each in found] == wanted
            assert inspector.checked.conversations == 1 + bool(wanted)


def test_spans_in_one_value_are_read_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    spans = [otlp_span(turn, typed(turn)) for turn in SOUND]
    assert judged(tmp_path, "x.json", json.dumps(resource_spans(*reversed(spans)))) == []
    listed = [python_span(turn, typed(turn)) for turn in reversed(SOUND)]
    assert judged(tmp_path, "x.json", json.dumps({"data": listed, "next_cursor": None})) == []
    assert judged(tmp_path, "x.json", json.dumps(listed)) == []


@pytest.mark.parametrize(
    ("begin", "known"),
    [
        ('{"resourceSpans": [{"scopeSpans": [{"spans": []}]}]}', True),
        ('{"resource_spans": []}', True),
        ('{"resourceLogs": []}', True),
        ('{"name": "chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "attributes": {}}', True),
        ('{"data": [{"context": {"trace_id": "1", "span_id": "2"}, "attributes": {}}]}', True),
        ("{\n  resource: {},\n  traceId: '" + "0a" * 16 + "',\n", True),
        ("Hello!\n{\n  traceId: '" + "0a" * 16 + "',\n  name: 'x'", True),
        ('{"trace_id": "1", "span_id": "2", "message": "x"}', False),
        ('{"contents": [{"role": "user", "parts": [{"text": "resourceSpans"}]}]}', False),
        ('{"severity": "INFO", "attributes": {}, "body": {"contents": []}}', False),
    ],
)
def test_it_is_known_by_what_only_it_has(begin: str, known: bool) -> None:
    found = recognise(begin.encode())
    assert (found is not None and found.name == "opentelemetry") is known


LISTS = "[" * 450 + '"x"' + "]" * 450
DEEP = 100_000  # levels: more than any Python reads
WRONG = ("null", "7", '"x"', "[]", "{}", "[[1]]", "true", '{"x": {}}', "1e999", "9" * 40, LISTS)
VALUES = {"otlp": otlp_values, "python_console": traces.python_values, "node_console": traces.node_values}


@pytest.mark.parametrize("exporter", VALUES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_whatever_stands_in_whichever_place_it_is_read(dialect: str, exporter: str, tmp_path: Path) -> None:
    """Also in texts that hold JSON."""
    path, chosen = tmp_path / "spoiled", Random(f"{dialect} {exporter}")
    values = VALUES[exporter](BROKEN, DIALECTS[dialect])
    for n in range(len(values)):
        places = list(holes(values[n]))
        for m, hole in enumerate(chosen.sample(places, min(len(places), 12))):
            wrong = WRONG[(m + n) % len(WRONG)]
            lines = [json.dumps(value) for value in values]
            lines[n] = hole(wrong)
            if exporter == "node_console" and m % 2 and len(wrong) < 50:
                lines[n] = traces.printed(json.loads(hole(wrong.replace("1e999", "1e9"))))
            path.write_text("\n".join(lines))
            inspector = Inspector(RULES)
            for record in Reader([str(path)], input_format="opentelemetry"):
                assert not (isinstance(record, Unread) and record.kind == "fault"), (lines[n], record)
                inspector.feed(record)
            inspector.close()


def holes(value: Any, around: Callable[[str], str] = str) -> Iterator[Callable[[str], str]]:
    """What makes JSON of the value with something else in one of its places."""
    yield around
    if isinstance(value, dict):
        for key, each in value.items():
            yield from holes(each, partial(_member, value, key, around))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from holes(each, partial(_item, value, n, around))
    elif isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            yield from holes(json.loads(value), lambda inner: around(json.dumps(inner)))


def _member(value: Json, key: str, around: Callable[[str], str], inner: str) -> str:
    return around("{" + ",".join(f"{json.dumps(k)}:{inner if k == key else json.dumps(value[k])}" for k in value) + "}")


def _item(value: list[Any], n: int, around: Callable[[str], str], inner: str) -> str:
    return around("[" + ",".join(inner if m == n else json.dumps(each) for m, each in enumerate(value)) + "]")


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_what_is_nested_deep_is_told_and_the_next_is_read(exporter: str, tmp_path: Path) -> None:
    deep = "{" * DEEP if exporter == "node_console" else '{"attributes":' * DEEP + "1" + "}" * DEEP
    sound = EXPORTERS[exporter](SOUND, typed)
    assert rules(judged(tmp_path, "spans.log", sound + deep + "\n" + sound)) == ["unreadable-line"]
    nested = typed(FIRST).attributes | {"gen_ai.input.messages": "[" * 3000 + "]" * 3000}
    told = EXPORTERS[exporter]((FIRST,), lambda _: traces.Told(nested))
    assert judged(tmp_path, "spans.log", told + sound.replace("0000000000", "1111111111")) == []


def test_of_a_folder_those_that_tell_of_calls_of_models_are_read(tmp_path: Path) -> None:
    others = "".join(f"{json.dumps(resource_spans(otlp_span(FIRST, traces.Told({'http.route': '/'}))))}\n")
    (tmp_path / "http.json").write_text(others)
    (tmp_path / "model.json").write_text(traces.otlp(SOUND, typed))
    (tmp_path / "printed.log").write_text(traces.python_console(BROKEN, typed))
    (tmp_path / "late.json").write_text(others * 100 + traces.otlp(BROKEN, typed))
    reader = Reader([str(tmp_path)])
    assert {Path(record.origin.path).name for record in reader} == {"model.json", "printed.log", "late.json"}
    assert reader.problems == []
