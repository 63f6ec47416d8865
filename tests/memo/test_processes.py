"""What is remembered belongs to one process and one file: how many of them there are changes nothing."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bench.logs import lines
from tests.memo.agree import OF_REPLIES
from wirecheck.cli.linting import file_batches, inspect
from wirecheck.cli.linting.inspection import Inspection
from wirecheck.rules import Ruleset, load

NAMES = ("small", "10", "live", "10.records", "window", "live.records")
ASKED: dict[str, dict[str, Any]] = {
    "all": {},
    "as lint asks": {"counted": ("info",), "pictures": False},
    "before it is sent": {"predict": True, "pictures": False},
}
CALLED = """
name: calls-something
code: OWN100
title: It calls
severity: error
doc: Of what is called nothing else tells.
given: call
where: {name|exists: true, "args.city|exists": false}
check: {never: null}
message: "{name}"
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two of each kind, with mistakes; the same conversations begin in several files."""
    folder = tmp_path_factory.mktemp("logs")
    for n, name in enumerate(2 * NAMES):
        (folder / f"{n}.jsonl").write_bytes(b"".join(islice(lines(name, 0.0005, seed=n % 4, mistakes=3), 50)))
    return [str(path) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("mine", [False, True], ids=["built-in rules", "and one of a user"])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_same_is_found_in_one_process_and_in_several(
    logs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], mine: bool
) -> None:
    monkeypatch.setattr(file_batches, "LARGE", 0)
    (tmp_path / "calls-something.yaml").write_text(CALLED)

    def rules() -> Ruleset:
        return load([str(tmp_path)] if mine else [])

    def inspected(jobs: int, *, memo: bool) -> Inspection:
        return inspect.inspect(logs, rules(), jobs=jobs, load=rules, memo=memo, **asked)

    one, two, plain = inspected(1, memo=True), inspected(2, memo=True), inspected(1, memo=False)
    assert one.findings
    assert any(finding.code == "OWN100" for finding in one.findings) is mine
    assert not any(finding.rule in OF_REPLIES for finding in one.findings)
    for other in (two, plain):
        assert (other.findings, other.checked, other.problems) == (one.findings, one.checked, one.problems)
        assert other.counted == one.counted
