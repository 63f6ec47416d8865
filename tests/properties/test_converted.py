"""A converted log is judged as the files it came from: the same findings, each at the same place, in the same order."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from tests.properties.test_files_alone import spoiled
from tests.sources.agents.samples import SOUND
from tests.sources.formats.test_recognition import SAMPLES
from wirecheck import Inspector, Reader, load
from wirecheck.api import repeated
from wirecheck.cli.conversion import Conversion
from wirecheck.faults import Fault
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.secrets.secret_forms import REDACTED
from wirecheck.verdicts.statistics import Statistics

ROOT = Path(__file__).parent.parent.parent
FIXTURES = sorted(ROOT.glob("fixtures/*/log*"))
SHARED = ROOT.parent / "shared"
OTHERS = sorted(
    path for folder in ("samples", "corpus/raw") for path in SHARED.glob(f"{folder}/**/*") if path.is_file()
)
COUNTED = ("exchanges", "frames", "conversations", "sessions", "open_calls", "unjudged")
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
CONTENTS = [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "nobody", "parts": []}]
DEEP = "[" * 120 + "]" * 120


def exchange(reply: Any = None, status: int = 200, asked: Any = None) -> str:
    request = {"method": "POST", "url": URL, "body": {"contents": CONTENTS} if asked is None else asked}
    return json.dumps(
        {"request": request, **({} if reply is None else {"response": {"status": status, "body": reply}})}
    )


# What is odd about bodies and lines, each beside sound ones.
ODD = {
    "a body as text": (exchange(asked=json.dumps({"contents": CONTENTS})),),
    "a body with line ends around it": (exchange("\n {\n}\r\n", asked='\n{"contents":\n[]}\n'),),
    "a body that is no JSON": (exchange("<html>Bad gateway</html>", 502),),
    "a refusal": (exchange({"error": {"code": 400, "message": "Please use a valid role: user, model."}}, 400),),
    "a stream": (exchange('data: {"candidates": []}\n\ndata: {"promptFeedback": {}}\n\n'),),
    "a stream that breaks off": (exchange('data: {"candidates": []}\n\ndata: {"ca'),),
    "a body nested to the limit": (exchange("@").replace('"@"', f'{{"candidates": {DEEP}}}'),),
    "a request nested too deep": (exchange(asked="@").replace('"@"', f'{{"contents": [{DEEP}, [{DEEP}]]}}'),),
    "a line that is no JSON": (exchange(), "hello", exchange()),
    "a line that breaks off": (exchange(), exchange()[:80]),
    "no traffic": (exchange(), '{"level": "info"}', "7", exchange()),
    "bytes": (
        '{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"//79"}',
        '{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"eyJzZXR1cENvbXBsZXRlIjp7fX0="}',
    ),
    "text": (
        '{"v":1,"kind":"opened","channel":"1","text":"{\\"contents\\": []}"}',
        '{"v":1,"kind":"frame","channel":"1","from":"server","text":"x"}',
    ),
    "a record that lacks something": (exchange(), '{"v":1,"kind":"replied","channel":"1"}', exchange()),
    "a record of another version": (exchange(), '{"v":2,"kind":"replied","channel":"1","status":200}'),
    "a list of messages": ('[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": 7}]',),
    "messages": ('{"role": "user", "content": "Hi"}', '{"role": "tool", "tool_call_id": "x", "content": "7"}'),
    "a batch": ('{"key": "a", "request": {"contents": []}}', '{"key": "a", "response": {"candidates": []}}'),
    "contents": (json.dumps({"contents": CONTENTS}), json.dumps(CONTENTS), '{"candidates": []}'),
    "a wrapped body": (json.dumps({"payload": {"request": json.dumps({"contents": CONTENTS})}}),),
    "a session": (json.dumps({"frames": [{"from": "client", "data": {"setup": {}}}], "close": {"code": 1007}}),),
    "half of a character": (exchange(asked="@").replace("@", "\\ud800"),),
    "nothing": (),
}


class Judged(NamedTuple):
    findings: list[Finding]
    checked: Statistics
    faults: list[Fault]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def judged(paths: Sequence[Path], rules: Ruleset) -> Judged:
    faults: list[Fault] = []
    inspector = Inspector(rules, faults=faults)
    found = [finding for record in Reader([*map(str, paths)]) for finding in inspector.feed(record)]
    return Judged(repeated(inspector, found), inspector.checked, faults)


def converted(paths: Sequence[Path], to: Path) -> Conversion:
    conversion = Conversion()
    with to.open("wb") as out:
        out.writelines(conversion.lines(Reader([*map(str, paths)])))
    return conversion


def agrees(paths: Sequence[Path], rules: Ruleset, folder: Path) -> list[Finding]:
    """Linting the log finds the same as linting the files; converting the log gives its bytes again."""
    once, twice = folder / "once.jsonl", folder / "twice.jsonl"
    converted(paths, once)
    converted([once], twice)
    assert twice.read_bytes() == once.read_bytes()
    before, after = judged(paths, rules), judged([once], rules)
    assert [*map(_but_for_secrets, before.findings, after.findings)] == after.findings
    assert len(before.findings) == len(after.findings)
    assert after.faults == before.faults == []
    for name in COUNTED:
        assert getattr(after.checked, name) == getattr(before.checked, name), name
    return after.findings


def _but_for_secrets(before: Finding, after: Finding) -> Finding:
    """An excerpt quotes what was said, and so the log does not hold all of it."""
    return replace(before, around=after.around) if REDACTED in str(after.around) else before


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.parent.name)
def test_a_story(path: Path, rules: Ruleset, tmp_path: Path) -> None:
    agrees([path], rules, tmp_path)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_another_program(name: str, rules: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(SAMPLES[name])
    agrees([path], rules, tmp_path)


@pytest.mark.parametrize("name", SOUND)
def test_what_an_agent_keeps(name: str, rules: Ruleset, tmp_path: Path) -> None:
    """Also without one of its values, so that something is wrong with it."""
    sample = SOUND[name]
    paths = [tmp_path / f"{n} {sample.name}" for n in range(len(sample.values) + 1)]
    for n, path in enumerate(paths):
        fewer = (*sample.values[:n], *sample.values[n + 1 :])
        path.write_text(sample._replace(values=fewer).text)
        agrees([path], rules, tmp_path)


@pytest.mark.parametrize("name", ODD)
def test_an_odd_line(name: str, rules: Ruleset, tmp_path: Path) -> None:
    """Also where the file ends within a line."""
    path, cut = tmp_path / "odd.jsonl", tmp_path / "cut.jsonl"
    path.write_text("".join(f"{line}\n" for line in ODD[name]))
    cut.write_text("\n".join(ODD[name]))
    agrees([path], rules, tmp_path)
    agrees([cut, path], rules, tmp_path)


def test_a_body_in_a_file_of_its_own(rules: Ruleset, tmp_path: Path) -> None:
    mapping = {"bodyPatterns": [{"equalToJson": json.dumps({"contents": CONTENTS})}], "method": "POST", "url": URL}
    for name, value in {
        "mappings/a.json": {"request": mapping, "response": {"status": 200, "bodyFileName": "reply.json"}},
        "__files/reply.json": {"candidates": [{"content": {"role": "nobody", "parts": []}}]},
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(json.dumps(value))
    found = agrees([tmp_path / "mappings" / "a.json"], rules, tmp_path)
    assert {Path(each.place.path).name for each in found} == {"a.json", "reply.json"}


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_a_file_that_lies_beside_the_project(path: Path, rules: Ruleset, tmp_path: Path) -> None:
    agrees([path], rules, tmp_path)


@pytest.mark.parametrize("seed", range(30))
def test_several_files_stay_worlds_of_their_own(seed: int, rules: Ruleset, tmp_path: Path) -> None:
    dice = Random(f"converted {seed}")
    paths = [tmp_path / f"{n}.jsonl" for n in range(3)]
    for path in paths:
        path.write_bytes(spoiled(dice))
    agrees(paths, rules, tmp_path)


def test_logs_that_hold_the_same_file_and_that_file_stay_apart(rules: Ruleset, tmp_path: Path) -> None:
    """Their channels have the same names, and their places the same paths."""
    file, one, other = (tmp_path / name for name in ("file.jsonl", "one.jsonl", "other.jsonl"))
    file.write_text(f"{exchange()}\n")
    for log in (one, other):
        converted([file], log)
    alone = judged([file], rules)
    for paths in ([file, one], [one, file], [one, other, file]):
        assert agrees(paths, rules, tmp_path) == judged(paths, rules).findings
        together = judged(paths, rules)
        assert together.checked.conversations == len(paths) * alone.checked.conversations
        assert len(together.findings) == len(paths) * len(alone.findings) > 0


def test_a_line_that_was_spoiled_ends_no_conversation(rules: Ruleset, tmp_path: Path) -> None:
    """It belongs to the file that the line before it came from."""
    file, log = tmp_path / "file.jsonl", tmp_path / "log.jsonl"
    file.write_text("\n".join([exchange(), exchange(asked={"contents": [*CONTENTS, CONTENTS[0]]})]))
    converted([file], log)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], b"{\n", b'{"v":1,"kind":"replied","channel":"9"}\n', *lines[2:]]))
    found = judged([log], rules)
    assert found.checked.conversations == judged([file], rules).checked.conversations == 1
    assert [each.place.line for each in found.findings if each.rule == "unreadable-line"] == [3, 4]


def test_without_memos_the_same_is_found(rules: Ruleset, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    converted(FIXTURES, log)
    inspector = Inspector(rules, memo=False)
    found = [finding for record in Reader([str(log)]) for finding in inspector.feed(record)]
    assert repeated(inspector, found) == judged([log], rules).findings
