"""From a miss to a finding, and the server's word on it."""

from typing import Any

import pytest

from tests.rules.make import answer, call, content, findings, rule, ruleset, spot
from wirecheck.dialects.messages import Spot
from wirecheck.finding import CallName, Finding, Inner, Place, Related, ServerWord
from wirecheck.rules.server_word.confirmation import apply, word
from wirecheck.talk.facts import Linked
from wirecheck.wire.records import Origin, Site

RULE = rule(
    {"never": None}, given="call", message="{name}", help="Call {name} again.", links=("https://example.com/why",)
)


def test_a_finding_is_complete() -> None:
    linked = (Linked(spot(4, "contents", 2), "the response"), Linked(spot(4, "contents", 2), "the response"))
    (found,) = findings(RULE, [call("now", "c1", line=3, turn=1, related=linked, conversation="c7")])
    assert found == Finding(
        rule="a-rule",
        code="WC999",
        severity="error",
        message="now",
        place=Place("log.jsonl", 3, "/contents/0"),
        help="Call now again.",
        url=found.url,
        surface="gemini-api",
        model="gemini-3.6-flash",
        band="gemini-3.6",
        conversation="c7",
        turn=1,
        call=CallName("now", "c1"),
        related=(Related(Place("log.jsonl", 4, "/contents/2"), "the response"),),
        fingerprint=found.fingerprint,
    )
    assert found.url == "https://example.com/why"
    assert len(found.fingerprint) == 16


def test_a_response_without_a_call_still_says_what_it_names() -> None:
    (found,) = findings(rule({"never": None}, given="answer"), [answer("now", None)])
    assert found.call == CallName("now", None)


def test_a_content_speaks_of_no_call() -> None:
    (found,) = findings(rule({"never": None}), [content()])
    assert found.call is None


def test_a_users_rule_is_documented_where_its_first_link_says() -> None:
    links = [("https://x.test/1", "https://x.test/2"), ()]
    made = [rule({"never": None}, builtin=False, links=each) for each in links]
    assert [findings(each, [content()])[0].url for each in made] == ["https://x.test/1", ""]


def fingerprint(**known: Any) -> str:
    made = rule({"never": None}, given="call", name=known.pop("rule", "a-rule"))
    return findings(made, [call(**{"name": "now", "id": "c1", **known})])[0].fingerprint


SAME: list[dict[str, Any]] = [
    {"line": 9},
    {"id": "other"},
    {"conversation": "c9"},
    {"spot": spot(1, "contents", 7)},
    {"turn": 3},
    {"model": "gemini-2.5-pro"},
]
OTHER: list[dict[str, Any]] = [
    {"name": "then"},
    {"surface": "vertex"},
    {"rule": "another"},
    {"spot": spot(1, "contents")},
    {"spot": Spot(Site(Origin("log.jsonl", 1), "/request/body"), ("contents", 0))},
]


@pytest.mark.parametrize("known", SAME, ids=str)
def test_the_fingerprint_is_the_same_in_another_capture(known: dict[str, Any]) -> None:
    assert fingerprint(**known) == fingerprint()


@pytest.mark.parametrize("known", OTHER, ids=str)
def test_the_fingerprint_tells_mistakes_apart(known: dict[str, Any]) -> None:
    assert fingerprint(**known) != fingerprint()


def test_a_place_in_text_goes_on_inside() -> None:
    site = Site(Origin("log.jsonl", 2), "/response/body", inner=True, event=3)
    made = rule({"shape": {"role|in": ["user"]}})
    (found,) = findings(made, [content(role="x", value={"role": "x"}, spot=Spot(site, ("candidates", 0, "content")))])
    assert found.place == Place("log.jsonl", 2, "/response/body", Inner("/candidates/0/content/role", 3))


PREDICTS = rule(
    {"never": None},
    server=(
        "Please ensure that the number of function response parts",
        "contents[0].parts: contents.parts must not be empty",
    ),
)
WORDS: list[tuple[int | None, str | None, bool, str]] = [
    (400, "Please ensure that the number of function response parts is equal to the number", False, "confirmed"),
    (400, "* GenerateContentRequest.contents[7].parts: contents.parts must not be empty.\n", False, "confirmed"),
    (400, "request.contents[2].parts: contents.parts  must not be EMPTY", False, "confirmed"),
    (1007, "Please ensure that the number of function response parts is eq", True, "confirmed"),
    (400, "API key not valid", False, "unknown"),
    (429, None, False, "unknown"),
    (200, None, False, "tolerated"),
    (200, "Please ensure that the number of function response parts", False, "confirmed"),
    (200, "The service is overloaded", False, "unknown"),
    (1000, "", True, "unknown"),
    (1000, "Please ensure that the number of function response parts", True, "unknown"),
    (None, None, False, "unknown"),
    (None, "Please ensure that the number of function response parts", False, "confirmed"),
]


@pytest.mark.parametrize(("status", "text", "closed", "verdict"), WORDS)
def test_the_servers_word(status: int | None, text: str | None, closed: bool, verdict: str) -> None:
    assert word(PREDICTS, status, text, closed=closed) == ServerWord(verdict, status, text)  # type: ignore[arg-type]


def test_the_servers_word_holds_no_secret() -> None:
    said = word(PREDICTS, 400, f"API key AIza{'b' * 35} not valid")
    assert said.text == "API key [redacted] not valid"


def test_a_tolerated_error_is_a_warning_and_says_so() -> None:
    rules = ruleset(RULE)
    finding = rules.finding(rules.judge(call("now"))[0])
    tolerated = apply(finding, word(RULE, 200, None))
    assert (tolerated.severity, tolerated.server.verdict) == ("warning", "tolerated")
    assert tolerated.message.startswith("now; accepted here")
    confirmed = apply(finding, ServerWord("confirmed", 400, "x"))
    assert (confirmed.severity, confirmed.message, confirmed.server.status) == ("error", "now", 400)
