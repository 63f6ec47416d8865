"""Telemetry of gemini-cli: requests and replies out of the events that hold them as they were."""

import json
from pathlib import Path

import pytest

from tests.sources.agents.judged import findings, judged
from tests.sources.agents.samples import (
    ASKED,
    CALLED,
    LAST_REPLY,
    REPLY,
    RETURNED,
    SPOKEN,
    Json,
    answered,
    asked,
    prefixed,
    telemetry,
    told,
)
from tests.sources.agents.test_adk import only

COUNT = "function-response-count-mismatch"
SERVER = "Please ensure that the number of function response parts is equal to the number of function call parts"
REFUSED = told(
    "api_error",
    error=json.dumps({"error": {"code": 400, "message": SERVER, "status": "INVALID_ARGUMENT"}}),
    status_code=400,
)
LACKING = asked(ASKED, CALLED, only(RETURNED, 0))


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ((asked(ASKED), answered(prefixed(REPLY)), asked(ASKED, CALLED, RETURNED), answered(LAST_REPLY)), []),
        ((LACKING, REFUSED), [f"{COUNT}: 1 /attributes/request_text » /1/parts/1"]),
        # The message alone.
        (
            (LACKING, told("api_error", error=SERVER, status_code=400)),
            [f"{COUNT}: 1 /attributes/request_text » /1/parts/1"],
        ),
        (
            (asked(ASKED), told("api_error", error="Odd.", status_code=400)),
            ["unexplained-rejection: 1 /attributes/request_text »"],
        ),
        ((asked(ASKED), told("api_error", error="fetch failed")), []),
        # The reply came, or nobody waited for it.
        ((asked(ASKED),), []),
        ((asked(ASKED), asked(ASKED), answered(LAST_REPLY), answered(LAST_REPLY)), []),
    ],
)
def test_requests_and_replies(values: tuple[Json, ...], found: list[str], tmp_path: Path) -> None:
    assert judged(tmp_path, "telemetry.log", telemetry(*values)) == found


def test_model_surface_and_verdict(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.log"
    path.write_text(telemetry(LACKING, REFUSED))
    (found,) = findings(path)[0]
    assert (found.model, found.surface, found.server.verdict if found.server else "") == (
        "gemini-2.5-flash",
        "gemini-api",
        "confirmed",
    )
    for way, surface in (("vertex-ai", "vertex"), ("oauth-personal", "code-assist"), ("", "unknown")):
        values = ({**value, "attributes": {**value["attributes"], "auth_type": way}} for value in (LACKING, REFUSED))
        path.write_text(telemetry(*values))
        (found,) = findings(path)[0]
        assert (found.rule, found.surface, found.model) == (COUNT, surface, "gemini-2.5-flash")


def test_an_id_that_the_program_lost_is_found_and_its_prefix_is_none(tmp_path: Path) -> None:
    """Replies name the function before the id, requests do not."""
    changed = json.loads(json.dumps(RETURNED))
    changed["parts"][0]["functionResponse"]["id"] = "n9"
    values = asked(ASKED), answered(prefixed(REPLY)), asked(ASKED, CALLED, changed), answered(LAST_REPLY)
    found = judged(tmp_path, "telemetry.log", telemetry(*values))
    assert found == [f"function-response-id-mismatch: {line_of(values, 2)} /attributes/request_text » /2/parts/0"]


def line_of(values: tuple[Json, ...], n: int) -> int:
    return telemetry(*values[:n]).count("\n") + 1


def test_replies_find_their_requests_by_the_prompt(tmp_path: Path) -> None:
    other = {"prompt_id": "s1########1"}
    values = asked(ASKED), asked(ASKED, **other), answered(LAST_REPLY, **other), answered(REPLY)
    path = tmp_path / "telemetry.log"
    path.write_text(telemetry(*values))
    _, _, inspector = findings(path)
    assert (inspector.checked.exchanges, inspector.checked.open_calls) == (2, 2)


def test_what_is_cut_ends_where_the_next_begins(tmp_path: Path) -> None:
    cut = telemetry(asked(ASKED))[:150] + "\n"
    told_of = judged(tmp_path, "telemetry.log", cut + telemetry(LACKING, REFUSED))
    assert told_of == ["unreadable-line: 1", f"{COUNT}: {cut.count(chr(10)) + 1} /attributes/request_text » /1/parts/1"]


def test_without_texts_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.log"
    path.write_text(telemetry(told("api_request"), told("api_response", status_code=200)))
    found, _, inspector = findings(path)
    assert found == []
    assert inspector.checked.exchanges == 0
    assert "logPrompts" in str(inspector.checked.skipped)


def test_many_requests_do_not_pile_up(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.log"
    path.write_text(telemetry(*(asked(ASKED, prompt_id=f"p{n}") for n in range(150))))
    assert findings(path)[2].checked.exchanges == 150


def test_a_history_of_words(tmp_path: Path) -> None:
    assert judged(tmp_path, "t.log", telemetry(asked(ASKED, SPOKEN, ASKED), answered(LAST_REPLY))) == []


@pytest.mark.parametrize("way", ["gemini-api-key", "vertex-ai", "oauth-personal", "compute-default-credentials", "x"])
def test_a_sound_one_is_sound_whichever_way_it_went(way: str, tmp_path: Path) -> None:
    values = asked(ASKED), answered(prefixed(REPLY)), asked(ASKED, CALLED, RETURNED), answered(LAST_REPLY)
    told_of = ({**value, "attributes": {**value["attributes"], "auth_type": way}} for value in values)
    assert judged(tmp_path, "telemetry.log", telemetry(*told_of)) == []


@pytest.mark.parametrize("number", ["1e999", "9" * 40])
def test_a_number_that_nobody_can_have(number: str, tmp_path: Path) -> None:
    written = json.dumps([prefixed(REPLY)]).replace('"index": 0', f'"index": {number}')
    reply = told("api_response", response_text=written, status_code=200)
    judged(tmp_path, "telemetry.log", telemetry(asked(ASKED), reply))
