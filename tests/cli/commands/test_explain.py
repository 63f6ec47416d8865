"""`wirecheck explain`: one rule's page, the likeliest rules of a text, the causes of a text that says nothing."""

import json

import pytest

from tests.cli.logs import Desk
from tests.rules.server_word.server_texts import TEXTS


def first(output: str) -> str:
    """The rule told first: the heading of a page, or the first line of a list."""
    heading, *rest = output.splitlines()
    return heading.removeprefix("# ") if heading.startswith("# ") else rest[0].split()[1].rstrip(":")


@pytest.mark.parametrize("text", [*TEXTS][::9])
def test_the_rule_a_text_speaks_of_comes_first(desk: Desk, text: str) -> None:
    result = desk.run("explain", json.dumps({"error": {"message": text}}))
    assert (result.exit_code, first(result.stdout)) == (0, TEXTS[text])


def test_rules_that_are_as_likely_are_told_in_short(desk: Desk) -> None:
    told = desk.run("explain", "The operation was aborted.").stdout
    lines = told.splitlines()
    assert [line for line in lines if line.startswith("WC")][:2] == [
        "WC723  input-while-tool-pending: No realtime input while a Live model waits for a tool",
        "WC739  go-away-ignored: A client leaves a Live connection that the server announced to close",
    ]
    assert [line.strip().split()[:3] for line in lines if "What to do" in line] == [["What", "to", "do:"]] * 2


def test_a_prefix_lists_its_rules_and_tells_none_in_short(desk: Desk) -> None:
    assert "What to do" not in desk.run("explain", "WC30").stdout


@pytest.mark.parametrize(
    "text",
    [
        "1008",
        "1008 None.",
        "received 1008 (policy violation); then sent 1008 (policy violation)",
        "WebSocket closed: code=1008, reason=''",
    ],
)
def test_a_close_code_without_a_reason_is_told_by_its_causes(desk: Desk, text: str) -> None:
    result = desk.run("explain", text)
    assert (result.exit_code, result.stdout.startswith("# 1008\n")) == (0, True)
    assert "Without a reason:" in result.stdout


def test_an_empty_reason_is_told_by_code(desk: Desk) -> None:
    result = desk.run("explain", "")
    assert (result.exit_code, result.stdout.startswith("# No reason\n")) == (0, True)


@pytest.mark.parametrize("text", ["the dog ate it", "status 1234 of something", "error 10071"])
def test_a_text_that_nobody_knows_is_said_to_be_unknown(desk: Desk, text: str) -> None:
    result = desk.run("explain", text)
    assert (result.exit_code, "no rule is known for the text" in result.output) == (2, True)
