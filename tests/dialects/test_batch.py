"""A batch holds requests, and each is judged as if it were sent alone."""

from typing import Any

import pytest

from tests.stories.conversations import answer, call, error, exchange, model, user
from wirecheck.inspector import Inspector
from wirecheck.rules import load

RULES = load()
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:batchGenerateContent"
SOUND = [user("Time?")]
CALLS = model({**call("now", "c1"), "thoughtSignature": "Ep4C"}, call("zone", "c2"))
BROKEN = [user("Hi"), CALLS, user(answer("now", "c1"))]
STARTED = {"name": "batches/1", "metadata": {"state": "BATCH_STATE_PENDING"}}


def judged(body: Any, answered: Any = STARTED, status: int = 200) -> tuple[Inspector, list[tuple[str, str]]]:
    inspector = Inspector(RULES)
    records = exchange(1, body, answered, status, url=URL)
    found = [each for record in records for each in inspector.feed(record)] + inspector.close()
    return inspector, [(one.rule, one.place.pointer) for one in found if one.severity != "info"]


def batch(*histories: Any) -> Any:
    held = [{"request": {"contents": history}, "metadata": {"key": str(n)}} for n, history in enumerate(histories)]
    return {"batch": {"displayName": "night", "inputConfig": {"requests": {"requests": held}}}}


@pytest.mark.parametrize("way", ["inputConfig", "input_config"])
def test_each_request_of_a_batch_is_judged_at_its_place(way: str) -> None:
    body = batch(SOUND, BROKEN)
    body["batch"][way] = body["batch"].pop("inputConfig")
    inspector, found = judged(body)
    place = f"/request/body/batch/{way}/requests/requests/1/request/contents/1/parts/1"
    assert found == [("function-response-count-mismatch", place)]
    assert (inspector.checked.exchanges, inspector.checked.conversations) == (2, 2)


@pytest.mark.parametrize(("answered", "status"), [(STARTED, 200), (error("Bad display name."), 400), (None, 200)])
def test_what_is_said_to_a_batch_is_said_of_no_request_in_it(answered: Any, status: int) -> None:
    _, found = judged(batch(SOUND, [user("And?")]), answered, status)
    assert found == []


@pytest.mark.parametrize("body", [{"batch": {"inputConfig": {"fileName": "files/x"}}}, {"batch": []}, [], {}, batch()])
def test_a_batch_without_requests_is_not_judged(body: Any) -> None:
    inspector, found = judged(body)
    assert found == []
    assert inspector.checked.unjudged == {"batchGenerateContent": 1}


def test_what_is_no_request_hides_none() -> None:
    body = batch(BROKEN)
    body["batch"]["inputConfig"]["requests"]["requests"][:0] = [None, "x", {"request": 5}]
    _, found = judged(body)
    assert [rule for rule, _ in found] == [*["unreadable-line"] * 3, "function-response-count-mismatch"]
