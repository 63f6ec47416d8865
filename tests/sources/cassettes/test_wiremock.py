"""Mappings of WireMock, one or several in a file, and its journal of requests."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sources.traffic import BROKEN, HERE, HOST, MISCOUNT, PATH, SOUND, STREAMED, Spoken, judged

Wrap = Callable[[Spoken], dict[str, Any]]


def recorded(each: Spoken) -> dict[str, Any]:
    """As its recorder writes a mapping."""
    pattern = {"equalToJson": each.request, "ignoreArrayOrder": True, "ignoreExtraElements": True}
    asked = {"url": each.path, "method": "POST", "bodyPatterns": [{"matchesJsonPath": "$.contents"}, pattern]}
    packed = base64.b64encode(each.reply.encode()).decode()
    return {"id": "0", "request": asked, "response": {"status": each.status, "base64Body": packed, "headers": {}}}


def by_hand(each: Spoken) -> dict[str, Any]:
    asked = {"urlPath": each.path, "method": "POST", "bodyPatterns": [{"equalToJson": each.asked}]}
    body = {"jsonBody": each.said[0]} if len(each.said) == 1 else {"body": each.reply}
    return {"request": asked, "response": {"status": each.status, **body}}


def served(each: Spoken) -> dict[str, Any]:
    """As `/__admin/requests` tells of it."""
    packed = [base64.b64encode(text.encode()).decode() for text in (each.request, each.reply)]
    asked = {"url": each.path, "absoluteUrl": HOST + each.path, "method": "POST", "headers": {"Accept": "*/*"}}
    asked |= {"bodyAsBase64": packed[0], "body": each.request}
    told = {"status": each.status, "headers": {}, "bodyAsBase64": packed[1], "body": each.reply}
    return {"id": "0", "request": asked, "response": told, "wasMatched": True}


# Writer: the list its entries stand in, how one looks, and where its request stands.
WRITERS: dict[str, tuple[str, Wrap, str]] = {
    "recorded": ("mappings", recorded, "bodyPatterns/1/equalToJson"),
    "by hand": ("mappings", by_hand, "bodyPatterns/0/equalToJson"),
    "journal": ("requests", served, "bodyAsBase64"),
}


def written(writer: str, spoken: list[Spoken]) -> bytes:
    key, wrap, _ = WRITERS[writer]
    return json.dumps({key: [wrap(each) for each in spoken], "meta": {"total": 2}}, indent=2).encode()


SAMPLES = {f"WireMock, {name}": written(name, STREAMED) for name in WRITERS}
SAMPLES["WireMock, one mapping"] = json.dumps(recorded(SOUND[1])).encode()


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("spoken", [SOUND, STREAMED], ids=["whole", "streamed"])
def test_sound_mappings_are_read_and_nothing_is_found(writer: str, spoken: list[Spoken]) -> None:
    found = judged("", written(writer, spoken))
    assert (found.places, found.skipped, found.checked.exchanges) == ([], [], 2)
    assert (found.checked.conversations, found.checked.open_calls) == (1, 0)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_miscounted_response_is_found_where_it_stands(writer: str) -> None:
    key, _, at = WRITERS[writer]
    found = judged("", written(writer, BROKEN))
    (finding,) = found.findings
    assert found.places[0].endswith(f": {MISCOUNT} /{key}/1/request/{at}{HERE}")
    # A mapping has no host, so it is judged as mildly as on any surface.
    assert (finding.surface, finding.model) == ("gemini-api" if writer == "journal" else "unknown", "gemini-2.5-flash")
    assert finding.server.verdict == "confirmed"


@pytest.mark.parametrize("name", ["mappings/a.json", "mappings/gemini/v1/a.json", "stubs/a.json"])
def test_a_mapping_may_be_a_file_of_its_own_with_its_reply_in_another(name: str, tmp_path: Path) -> None:
    mapping = recorded(SOUND[0])
    mapping["response"] = {"status": 200, "bodyFileName": "reply.json"}
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / "__files").mkdir()
    (tmp_path / "__files" / "reply.json").write_text(SOUND[0].reply)
    (tmp_path / name).write_text(json.dumps(mapping))
    found = judged(tmp_path / name)
    assert (found.places, found.checked.open_calls) == ([], 2)
    (tmp_path / "__files" / "reply.json").unlink()
    found = judged(tmp_path / name)
    assert found.skipped == ["a body in a file of its own that is not there"]


def test_a_reply_in_another_file_is_heard_in_its_exchange(tmp_path: Path) -> None:
    """So what the server says of the request confirms what is found there."""
    mapping = recorded(BROKEN[1])
    mapping["response"] = {"status": BROKEN[1].status, "bodyFileName": "reply.json"}
    for name, text in {"mappings/a.json": json.dumps(mapping), "__files/reply.json": BROKEN[1].reply}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    found = judged(tmp_path / "mappings" / "a.json")
    assert (found.checked.exchanges, found.checked.conversations) == (1, 1)
    assert [each.server.verdict for each in found.findings if each.rule == MISCOUNT] == ["confirmed"]


def test_a_pattern_that_is_no_whole_body_is_none() -> None:
    one = {"request": {"url": PATH, "method": "POST", "bodyPatterns": [{"contains": "x"}]}, "response": {"status": 200}}
    found = judged("", json.dumps(one).encode())
    assert (found.places, found.problems, found.checked.exchanges) == ([], [], 0)
