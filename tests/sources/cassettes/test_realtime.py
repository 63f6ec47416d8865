"""Cassettes of realtime sessions in YAML: frames by direction, and closes."""

from typing import Any

import pytest
import yaml

from tests.sources.traffic import LOST, LOST_ID, SESSION, judged

DIRECTIONS = {"client": "sent", "server": "received"}
CLOSE = {"kind": "close", "code": 1007, "reason": "Request contains an invalid argument.", "ok": False}


def written(
    frames: list[tuple[str, dict[str, Any]]], *more: dict[str, Any], kind: bool = True, at: bool = True
) -> bytes:
    items = [
        {
            **({"kind": "message"} if kind else {}),
            "direction": DIRECTIONS[sender],
            **({"at": n / 4} if at else {}),
            "data": value,
        }
        for n, (sender, value) in enumerate(frames)
    ]
    return yaml.safe_dump({"version": 1, "interactions": [*items, *more]}, sort_keys=False).encode()


SAMPLES = {"realtime": written(SESSION, CLOSE)}


@pytest.mark.parametrize("kind", [True, False])
@pytest.mark.parametrize("at", [True, False])
def test_a_sound_session_is_read_and_nothing_is_found(kind: bool, at: bool) -> None:
    found = judged("", written(SESSION, kind=kind, at=at))
    assert (found.places, found.skipped) == ([], [])
    assert (found.checked.sessions, found.checked.frames, found.checked.open_calls) == (1, 8, 0)


def test_a_lost_id_is_found_on_its_line() -> None:
    data = written(LOST)
    found = judged("", data)
    line = data[: data.index(b"toolResponse")].count(b"\n") + 1
    assert [place.partition(": ")[2] for place in found.places] == [
        f"{LOST_ID} /interactions/4/data/toolResponse/functionResponses/0"
    ]
    assert abs(found.findings[0].place.line - line) <= 3  # where the item begins, or its data


def test_a_close_is_judged_where_it_stands_and_the_next_session_begins() -> None:
    found = judged("", written(LOST, CLOSE, *yaml.safe_load(written(SESSION))["interactions"]))
    assert found.checked.sessions == 2
    places = [place.partition(": ")[2] for place in found.places]
    assert f"{LOST_ID} /interactions/4/data/toolResponse/functionResponses/0" in places
    assert any(place.endswith(" /interactions/8") for place in places)


def test_what_is_no_frame_is_skipped() -> None:
    data = written(SESSION, {"kind": "message", "direction": "sideways", "data": {"setup": {}}})
    assert judged("", data).skipped == ["a frame without direction or data"]
