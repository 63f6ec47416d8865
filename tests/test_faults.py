"""A fault of wirecheck itself costs the line it happened on, and is told: all other lines are judged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wirecheck import CannotCheck, Inspector, Reader, check, lint, load
from wirecheck.cli.app import program
from wirecheck.dialects.generate import GenerateContent
from wirecheck.faults import Fault, fault, grouped
from wirecheck.rules import Ruleset
from wirecheck.sources.file_reader import FileReader
from wirecheck.talk.http.exchange import Exchange
from wirecheck.talk.sessions.session import Session

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
SECRET = "AIzaSyD-a-secret-of-the-log-0123456789abc"
HERE = "fails_here"
Value = dict[str, Any]


class Bug(Exception):
    """What nobody expected."""


def content(role: str, **part: Any) -> Value:
    return {"role": role, "parts": [part]}


def unanswered(name: str) -> list[Value]:
    """Contents with one mistake: the call of this name has no answer."""
    call = {"name": name, "args": {}}
    return [content("user", text=name), content("model", functionCall=call), content("user", text="never mind")]


def exchange(contents: list[Value]) -> Value:
    reply = {"candidates": [{"content": content("model", text="Well."), "finishReason": "STOP"}]}
    request = {"method": "POST", "url": URL, "body": {"contents": contents}}
    return {"request": request, "response": {"status": 200, "body": reply}}


def frame(channel: str, sender: str, **data: Any) -> Value:
    return {"channel": channel, "from": sender, "data": data, "url": LIVE}


def session(channel: str, name: str) -> list[Value]:
    """A session in which a call of this name is answered under another id."""
    return [
        frame(channel, "client", setup={"model": "models/gemini-live-2.5-flash-preview"}),
        frame(channel, "server", setupComplete={}),
        frame(channel, "server", serverContent={"modelTurn": content("model", text=name)}),
        frame(channel, "server", toolCall={"functionCalls": [{"id": "1", "name": name, "args": {}}]}),
        frame(channel, "client", toolResponse={"functionResponses": [{"id": "2", "name": name, "response": {}}]}),
        frame(channel, "server", serverContent={"turnComplete": True}),
    ]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def written(path: Path, lines: list[Value]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def judged(rules: Ruleset, path: Path, *, memo: bool = True) -> tuple[list[Fault], list[tuple[int, str]]]:
    faults: list[Fault] = []
    inspector = Inspector(rules, memo=memo, faults=faults)
    found = [finding for record in Reader([str(path)]) for finding in inspector.feed(record)] + inspector.close()
    return faults, [(finding.place.line, finding.rule) for finding in found]


def failing(patch: pytest.MonkeyPatch, owner: type, name: str, sees: Callable[..., object]) -> None:
    """A method fails where it is called with something in which `fails_here` is written."""
    method: Callable[..., Any] = getattr(owner, name)

    def fails(*given: Any, **named: Any) -> Any:
        if HERE in str(sees(*given)):
            raise Bug(SECRET)
        return method(*given, **named)

    patch.setattr(owner, name, fails)


BUGS: dict[str, tuple[type, str, Callable[..., object]]] = {
    "reading a line": (FileReader, "line", lambda _, raw, *__: raw),
    "reading a protocol": (GenerateContent, "read", lambda _, record: getattr(getattr(record, "body", 0), "raw", "")),
    "asking the rules": (Ruleset, "judge", lambda _, fact, *__: fact),
}


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize("bug", BUGS)
def test_all_lines_but_the_one_it_fails_on_are_judged(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: str, memo: bool
) -> None:
    names = ["first", "second", HERE, "fourth", "fifth"]
    path = written(tmp_path / "log.jsonl", [exchange(unanswered(name)) for name in names])
    whole = judged(rules, path, memo=memo)[1]
    failing(monkeypatch, *BUGS[bug])
    faults, found = judged(rules, path, memo=memo)
    assert [fault.line for fault in faults] == [3]
    assert [each for each in found if each[0] != 3] == [each for each in whole if each[0] != 3]
    assert {line for line, _ in found} >= {1, 2, 4, 5}


@pytest.mark.parametrize("memo", [True, False])
def test_a_conversation_goes_on_after_it(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memo: bool
) -> None:
    """What it recites is not compared with what is no longer known."""
    said = [content("user", text="Hi"), content("model", text="Well."), content("user", text=HERE)]
    later = [*said, content("model", text="Well."), content("user", text="And?")]
    lines = [exchange(said[:1]), exchange(said), exchange(later), exchange(unanswered("last_one"))]
    failing(monkeypatch, Exchange, "end", lambda self, *_: str(list(self._turn_context.message.slices)[-1:]))
    faults, found = judged(rules, written(tmp_path / "log.jsonl", lines), memo=memo)
    assert [(fault.line, fault.what.split()[0]) for fault in faults] == [(2, "Bug")]
    assert found == [(4, "unanswered-function-call")]


@pytest.mark.parametrize("memo", [True, False])
@pytest.mark.parametrize("interleaved", [True, False])
def test_other_sessions_go_on(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interleaved: bool, memo: bool
) -> None:
    one, two = session("one", HERE), session("two", "now")
    lines = [line for pair in zip(one, two, strict=True) for line in pair] if interleaved else one + two
    path = written(tmp_path / "log.jsonl", lines)
    ours = [n for n, line in enumerate(lines, 1) if line["channel"] == "two"]
    whole = [each for each in judged(rules, path, memo=memo)[1] if each[0] in ours]
    failing(monkeypatch, Session, "hear", lambda _, message: message)
    faults, found = judged(rules, path, memo=memo)
    assert whole
    assert faults
    assert not {fault.line for fault in faults} & set(ours)
    assert [each for each in found if each[0] in ours] == whole


@pytest.mark.parametrize("memo", [True, False])
def test_the_end_of_a_log_may_fail(rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memo: bool) -> None:
    names = ("first", HERE, "third")
    asked: Value = {"v": 1, "kind": "opened", "method": "POST", "url": URL}
    said: Value = {"v": 1, "kind": "frame", "from": "server", "data": {"candidates": []}}
    lines = [{**asked, "channel": name, "body": {"contents": unanswered(name)}} for name in names]
    replies = [{**said, "channel": name} for name in names]
    path = written(tmp_path / "log.jsonl", lines + replies)
    whole = judged(rules, path, memo=memo)[1]
    failing(monkeypatch, Exchange, "end", lambda self, *_: str(list(self._turn_context.message.slices)))
    faults, found = judged(rules, path, memo=memo)
    assert [fault.place for fault in faults] == [str(path)]
    assert set(whole) - set(found) <= {(5, rule) for _, rule in whole}
    assert {line for line, _ in found} >= {1, 2, 3, 4, 6}


def test_nobody_who_collects_no_faults_misses_one(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "log.jsonl", [exchange(unanswered(HERE))])
    failing(monkeypatch, *BUGS["reading a protocol"])
    inspector = Inspector(rules)
    with pytest.raises(Bug):
        [inspector.feed(record) for record in Reader([str(path)])]


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    failing(monkeypatch, *BUGS["reading a protocol"])
    names = ["first", HERE, HERE, HERE, "fifth"]
    return written(tmp_path / "log.jsonl", [exchange(unanswered(name)) for name in names])


@pytest.mark.parametrize("words", [["lint", "--jobs", "1"], ["lint", "--output-format", "json"], ["show"]])
def test_a_command_tells_it_and_where_and_fails(faulty: Path, words: list[str]) -> None:
    done = CliRunner().invoke(program, [*words, "--isolated", str(faulty)])
    assert done.exit_code == 2
    said = [line for line in done.stderr.splitlines() if "fault" in line or "report" in line]
    assert said[0].startswith(f"wirecheck: {faulty}:2: a fault in wirecheck, not in your log: Bug at ")
    assert said[0].endswith(" (and 2 more like it)")
    assert said[1:] == ["wirecheck: all other lines were judged; please report it with the lines above: they hold nothing of your log"]  # fmt: skip  # noqa: E501
    assert "first" in done.stdout
    assert "fifth" in done.stdout
    assert SECRET not in done.output
    assert "Traceback" not in done.output


def test_the_calls_that_led_to_it_are_told_on_demand(faulty: Path) -> None:
    done = CliRunner().invoke(program, ["lint", "--isolated", "-v", str(faulty)])
    assert [line for line in done.stderr.splitlines() if "inspector.py:" in line and "Inspector.feed" in line]
    assert SECRET not in done.output
    assert str(Path(__file__).parent.parent) not in done.output.replace(str(faulty), "")


def test_the_library_raises_with_what_was_found(faulty: Path) -> None:
    with pytest.raises(CannotCheck, match=r"log\.jsonl:2: a fault in wirecheck, not in your log: Bug at ") as raised:
        lint(faulty)
    assert {1, 5} <= {finding.place.line for finding in raised.value.findings}
    with pytest.raises(CannotCheck, match="<contents>:1: a fault in wirecheck"):
        check(unanswered(HERE), model="gemini-3.6-flash", surface="gemini-api")


def test_a_recursion_is_told_by_its_last_calls() -> None:
    def again(n: int) -> int:
        return again(n + 1)

    try:
        again(0)
    except RecursionError as error:
        told = fault(error, "log.jsonl", 7)
    assert told.what.startswith("RecursionError at ")
    assert 0 < len(told.trace) < 20
    assert grouped([told, told, fault(ValueError(), "a", 1)]) == [
        f"log.jsonl:7: a fault in wirecheck, not in your log: {told.what} (and 1 more like it)",
        "a:1: a fault in wirecheck, not in your log: ValueError",
    ]
