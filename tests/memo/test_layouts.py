"""One history, held in the log in one way and then in another: what is wrong in it is told by another place."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import agree
from wirecheck.rules import load

CONTENTS = [{"role": "nobody", "parts": [{"text": "Is the window open?"}]}]
LAYOUTS: dict[str, Any] = {
    "a list": CONTENTS,
    "a body": {"contents": CONTENTS},
    "a list in a record": {"body": CONTENTS},
    "a body in a record": {"body": {"contents": CONTENTS}},
    "a body in a wrapper": {"request": {"contents": CONTENTS}},
    "a text": {"body": json.dumps({"contents": CONTENTS})},
}


@pytest.mark.parametrize(("first", "second"), permutations(LAYOUTS, 2))
def test_the_same_is_found_however_a_log_holds_it(tmp_path: Path, first: str, second: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{json.dumps(LAYOUTS[name])}\n" for name in (first, second, first, second)))
    assert agree(load(), path)
