"""--predict never looks at the verdict: with every status swapped, and every error text another, it finds the same."""

import json
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.test_fixtures import STORIES, log
from tests.test_properties import interleaved
from wirecheck import Inspector, Reader, load
from wirecheck.wire.record import Frame, Record, Replied

RULES = load()


def swapped(records: Iterable[Record]) -> Iterator[Record]:
    """The same log, had the server said the opposite each time; an error keeps its shape and says something else."""
    for record in records:
        if isinstance(record, Replied):
            yield replace(record, status=200 if record.status >= 400 else 400)
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
def test_a_story_with_every_status_swapped_has_the_same_mistakes(story: str) -> None:
    records = [record for record in Reader([str(log(story))]) if record.origin.path]
    assert in_requests(records, predict=True) == in_requests(swapped(records), predict=True)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_so_has_any_log(seed: int) -> None:
    records = interleaved(seed)
    assert in_requests(records, predict=True) == in_requests(swapped(records), predict=True)


def test_without_predict_the_verdict_is_looked_at() -> None:
    records = list(Reader([str(log("wrong-roles"))]))
    assert in_requests(records) != in_requests(swapped(records))
