"""Chats of LiveKit Agents."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.agents.judged import judged
from tests.sources.agents.samples import LIVEKIT, Json, item, lines

LOST = "transcript-missing-function-response"
COUNT = "function-response-count-mismatch"
ITEMS = LIVEKIT["items"]
SYSTEM, ASKED, CALL, OTHER, WORDS, OUTPUT, HANDOFF, OTHER_OUTPUT, SPOKEN = ITEMS


@pytest.mark.parametrize("wrapped", [lambda chat: chat, lambda chat: {"job_id": "j", "chat_history": chat}])
@pytest.mark.parametrize(
    ("items", "found"),
    [
        (ITEMS, []),
        ([ASKED, CALL, OTHER], [(LOST, 1), (LOST, 2)]),
        ([ASKED, CALL, OTHER, OUTPUT, SPOKEN], [(COUNT, 2)]),
        ([ASKED, CALL, SPOKEN], [(LOST, 1)]),
        ([ASKED, CALL, OUTPUT, OTHER, SPOKEN], [(LOST, 3)]),
        # Another agent, and new words, while the tools ran.
        ([ASKED, CALL, OTHER, HANDOFF, ASKED, OTHER_OUTPUT, OUTPUT, SPOKEN], []),
        ([ASKED, CALL, item("function_call_output", call_id="n1", output="x"), SPOKEN], []),
    ],
)
def test_a_chat(items: list[Json], found: list[tuple[str, int]], wrapped: Any, tmp_path: Path) -> None:
    chat = wrapped({"items": items})
    at = "/chat_history/items" if "job_id" in chat else "/items"
    assert judged(tmp_path, "chat.json", json.dumps(chat)) == [f"{rule}: 1 {at}/{n}" for rule, n in found]


def test_an_item_has_the_line_it_begins_on(tmp_path: Path) -> None:
    chat = json.dumps({"items": [ASKED, CALL, OTHER, OUTPUT, OTHER_OUTPUT, SPOKEN, ASKED, CALL]}, indent=1)
    begins = [n for n, line in enumerate(chat.splitlines(), 1) if line == "  {"]
    assert judged(tmp_path, "chat.json", chat) == [f"{LOST}: {begins[7]} /items/7"]


def test_one_chat_a_line(tmp_path: Path) -> None:
    assert judged(tmp_path, "c.jsonl", lines(LIVEKIT, {"items": [ASKED, CALL]})) == [f"{LOST}: 2 /items/1"]


def test_an_output_to_another_call(tmp_path: Path) -> None:
    items = [ASKED, CALL, {**OUTPUT, "call_id": "n7"}, SPOKEN]
    assert judged(tmp_path, "c.json", json.dumps({"items": items})) == ["function-response-id-mismatch: 1 /items/2"]
