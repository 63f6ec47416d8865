"""The logs of fixtures/, and those of a folder that WIRECHECK_LOGS names: recorded traffic is nobody else's business.

WIRECHECK_LOGS=~/logs .venv/bin/python -m pytest tests/memo/test_logs_at_hand.py
"""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import agree
from wirecheck.rules import Ruleset, load

ROOT = Path(__file__).parent.parent.parent
NAMED = os.environ.get("WIRECHECK_LOGS")
FOLDERS = [ROOT / "fixtures", *([Path(NAMED)] if NAMED else [])]
LOGS = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.match("*.json*"))
ASKED: dict[str, dict[str, Any]] = {
    "as lint asks": {},
    "all, with the turns around": {"counted": (), "pictures": True},
    "before it is sent": {"counted": (), "predict": True},
}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_same_is_found_in_a_log(rules: Ruleset, path: Path, asked: dict[str, Any]) -> None:
    agree(rules, path, **asked)
