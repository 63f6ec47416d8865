"""--predict never looks at the verdict: with every status swapped, and every error text another, it finds the same."""

import json
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.properties.test_any_log import interleaved
from tests.stories.test_fixtures import STORIES, log
from wirecheck import Inspector, Reader, load
from wirecheck.wire.records import Body, Frame, Opened, Origin, Record, Replied, Site

RULES = load()


STATUSES = ({True: 200, False: 400}, {True: 400, False: 500}, {True: 500, False: 429})  # by whether it was an error


def swapped(records: Iterable[Record], statuses: dict[bool, int] = STATUSES[0]) -> Iterator[Record]:
    """The same log, had the server said another thing each time; an error keeps its shape and says something else."""
    for record in records:
        if isinstance(record, Replied):
            yield replace(record, status=statuses[record.status >= 400])
        elif isinstance(record, Frame) and b'"error"' in record.body.raw:
            body = json.loads(record.body.raw)
            body["error"] = {"message": "Please use a valid role: user, model."}
            yield replace(record, body=replace(record.body, raw=json.dumps(body).encode()))
        else:
            yield record


def in_requests(records: Iterable[Record], *, predict: bool = False) -> list[tuple[object, ...]]:
    inspector = Inspector(RULES, predict=predict)
    found = [each for record in records for each in inspector.feed(record)] + inspector.close()
    mistakes = [each for each in found if not each.place.pointer.startswith("/response")]
    return [(each.rule, each.severity, each.message, each.place, each.server) for each in mistakes]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("statuses", STATUSES)
def test_a_story_with_every_status_swapped_has_the_same_mistakes(story: str, statuses: dict[bool, int]) -> None:
    records = [record for record in Reader([str(log(story))]) if record.origin.path]
    assert in_requests(records, predict=True) == in_requests(swapped(records, statuses), predict=True)


PATHS = ("models/gemini-2.5-flash:generateContent", "openai/chat/completions", "interactions")
ASKED: dict[str, object] = {"contents": [{"parts": [{"text": "Hi"}]}], "messages": [], "input": "Hi"}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("status", [200, 400, 502])
@pytest.mark.parametrize("predict", [True, False])
def test_the_page_of_a_proxy_is_unreadable_only_where_the_status_says_that_all_went_well(
    path: str, status: int, predict: bool
) -> None:
    origin = Origin("log.jsonl", 1)
    url = f"https://generativelanguage.googleapis.com/v1beta/{path}"
    sent = Body(json.dumps({"model": "gemini-2.5-flash", **ASKED}).encode(), Site(origin))
    page = Body(b"<html>Bad gateway</html>", Site(origin, "/response/body"), "text")
    records: list[Record] = [
        Opened(channel="1", origin=origin, method="POST", url=url, body=sent),
        Replied(channel="1", origin=origin, status=status),
        Frame(channel="1", origin=origin, sender="server", body=page),
    ]
    inspector = Inspector(RULES, predict=predict)
    found = [each.rule for record in records for each in inspector.feed(record)]
    assert ("unreadable-line" in found) is (status == 200 and not predict)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_so_has_any_log(seed: int) -> None:
    records = interleaved(seed)
    assert in_requests(records, predict=True) == in_requests(swapped(records), predict=True)


def test_without_predict_the_verdict_is_looked_at() -> None:
    records = list(Reader([str(log("wrong-roles"))]))
    assert in_requests(records) != in_requests(swapped(records))
