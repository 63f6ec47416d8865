"""`wirecheck diff`: what it says, and with which exit code."""

import json
import re

import pytest

from tests.cli.logs import Desk
from tests.compare.sides import chat, sent
from tests.compare.test_comparison import WIRE, openai


def compared(desk: Desk, log: bytes, wire: bytes, *options: str) -> tuple[int, str, str]:
    (desk.folder / "log.jsonl").write_bytes(log)
    (desk.folder / "wire.jsonl").write_bytes(wire)
    result = desk.run("diff", "log.jsonl", "wire.jsonl", "--isolated", *options)
    return result.exit_code, result.stdout, result.stderr


def test_no_difference(desk: Desk) -> None:
    code, said, _ = compared(desk, openai(), sent(WIRE))
    assert (code, said) == (0, "1 conversation logged, 1 on the wire, 1 compared · no difference\n")


def test_a_response_that_the_log_does_not_have(desk: Desk) -> None:
    code, said, _ = compared(desk, openai(without=(3,)), sent(WIRE))
    assert code == 1
    assert said.splitlines() == [
        "wire.jsonl:2: warning[WC910 logged-response-missing] the response to now (c2) crossed the wire, and the log "
        "does not have it /request/body/contents/2/parts/1/functionResponse",
        "1 conversation logged, 1 on the wire, 1 compared · 1 warning",
    ]


def test_full_shows_what_is_around_it_and_where_the_other_side_goes_on(desk: Desk) -> None:
    _, said, _ = compared(desk, openai(without=(3,)), sent(WIRE), "--output-format", "full")
    assert "^^^" in said
    assert re.search(r"= see: +log.jsonl:3 \S* ?here the log goes on without it", said)


def test_json(desk: Desk) -> None:
    code, said, told = compared(desk, openai(), sent(WIRE[:2]), "--output-format", "json")
    report = json.loads(said)
    assert [each["rule"] for each in report["findings"]] == [
        "logged-response-unsent",
        "logged-response-unsent",
        "logged-text-unsent",
    ]
    assert report["summary"] == {"error": 2, "warning": 1, "info": 0, "suppressed": 0}
    assert (code, told) == (1, "1 conversation logged, 1 on the wire, 1 compared · 2 errors, 1 warning\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--fail-on", "never"), 0),
        (("--ignore", "WC91"), 0),
        (("--fail-on", "error"), 0),
        (("--select", "WC910"), 1),
        (("--min-severity", "error"), 1),  # it counts, listed or not
        (("--ignore", "WC9"), 2),
    ],
)
def test_exit_codes(desk: Desk, options: tuple[str, ...], expected: int) -> None:
    assert compared(desk, openai(without=(2,)), sent(WIRE), *options)[0] == expected


def test_settings_that_take_all_rules_away_are_told(desk: Desk) -> None:
    """Nothing would be found, and nothing said."""
    (desk.folder / "log.jsonl").write_bytes(openai())
    result = desk.run("diff", "log.jsonl", "log.jsonl")  # the settings of the desk select other rules
    assert result.exit_code == 2
    assert "no rule about a log and the wire is left" in result.stderr


@pytest.mark.parametrize("empty", ["log.jsonl", "wire.jsonl"])
@pytest.mark.parametrize("data", [b"", b"{}\n"])
def test_a_side_without_conversations_is_named(desk: Desk, empty: str, data: bytes) -> None:
    """And no option is recommended that there is not."""
    sides = {"log.jsonl": openai(), "wire.jsonl": sent(WIRE)} | {empty: data}
    code, _, told = compared(desk, sides["log.jsonl"], sides["wire.jsonl"])
    assert code == 2
    assert f"wirecheck: nothing in {empty} was traffic" in told
    assert not {"--allow-empty", "--input-format"} & {*told.replace("(", " ").split()}


def test_logs_of_different_things(desk: Desk) -> None:
    code, _, told = compared(desk, openai(), sent(chat("Good night", "Sleep well")))
    assert code == 2
    assert "nothing was compared" in told


@pytest.mark.parametrize("wire", [b"", b"no json\n", b'{"a": 1}\n'], ids=["empty", "no JSON", "no traffic"])
def test_a_side_that_says_nothing_is_told(desk: Desk, wire: bytes) -> None:
    code, _, told = compared(desk, openai(), wire)
    assert code == 2
    assert "Traceback" not in told
    assert told


def test_standard_input_is_one_side(desk: Desk) -> None:
    (desk.folder / "wire.jsonl").write_bytes(sent(WIRE))
    assert desk.run("diff", "-", "wire.jsonl", "--isolated", stdin=openai()).exit_code == 0
    assert desk.run("diff", "-", "-", stdin=openai()).exit_code == 2


def test_what_logs_say_reaches_the_terminal_as_escapes(desk: Desk) -> None:
    log = openai(m4={"content": "\x1b[31mred\u202e"})
    _, said, _ = compared(desk, log, sent(WIRE), "--min-severity", "info")
    assert "\\x1b[31mred\\u202e" in said
    assert "\x1b" not in said
