"""Text of others does nothing, wherever it comes from and wherever it is shown.

One table of texts, one of outputs. A format that is added to FORMATS is in the second by itself, and what its lines may
be is told by what they are: JSON, markup, commands of a runner, or text.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mitmproxy.test import tflow
from msgspec.structs import replace

from tests.cli.logs import RULES, content, write_rules
from tests.recorder.flows import UNARY
from wirecheck.cli import app
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.recorder.judging.enforce import objection
from wirecheck.recorder.judging.live_output import LiveOutput
from wirecheck.recorder.judging.marks import mark
from wirecheck.recorder.mitm.view import picture
from wirecheck.report import COMMANDS, FORMATS, Report, Screen
from wirecheck.report.report import count
from wirecheck.report.screen import inert
from wirecheck.rules import load
from wirecheck.sources import Reader

HERE = "hErE"  # what each text begins or ends with, so that a test sees that it came through
# A text begins with what it attempts: there a line may begin.
HOSTILE = {
    "escape sequences": "\x1b[2J\x1b]0;title\x07\x1b[31m",
    "C0": "\x01\x07\x08\x0b\x0c\x0e\x7f",
    "C1": "\x9b31m\x85\x90",
    "carriage return": "\rwirecheck: 1 line, nothing found",
    "newline": "\n::error::x\n\nwirecheck: nothing found",
    "other line ends": "\u2028\u2029\x1c\x1e\x0b",
    "bidi": "\u202e\u2066\u200f\u061c",
    "zero width": "\u200b\u200d\ufeff\u2060\xad",
    "blank letters": "\u115f\u3164\u2800\uffa0",
    "tags": "\U000e0041\U000e007f",
    "half a surrogate": "\ud800",
    "command of a runner": "::error title=x::y",
    "command after spaces": "   ::add-mask::y",
    "command with a token": "::stop-commands::t",
    "older command": "##[add-mask]y",
    "escaped for a runner": "%0A::error::x%0D%25",
    "formats": "%s %(name)s %n {0} {0.__class__} {message} ${HOME} $(id) `id`",
    "Markdown": "|a|`**_~[a](javascript:b)![c](http://x.test/d)<!-- @everyone #1",
    "HTML": "</td></script><script>alert(1)</script><img src=x onerror=y>&amp;'\"",
    "XML": "]]><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>&b;<?x y?>",
    "JSON": '"}],"findings":[],"x":{"y":"\\',
    "a formula": "=1+1+cmd|' /C calc'!A0",
    "a path": "../../../etc/passwd",
    "an option": "--output",
    "long": "x" * 20_000,
}
# One of each kind, where each text takes a run.
SOME = ("escape sequences", "newline", "other line ends", "bidi", "command of a runner", "older command", "formats")
SURROGATE = "\ud800"  # no file of YAML can have it
GENERATE = "https://generativelanguage.googleapis.com/v1beta/models/"
LIVE = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"


def spoilt(text: str) -> Iterator[Any]:
    """Lines of a log with the text in every place that a value can be in."""
    declared = {"name": text, "description": text, "parameters": {"type": text, text: text, "properties": {text: 5}}}
    part = {"functionCall": {"name": text, "id": text, "args": {text: text}}, text: text, "thoughtSignature": text}
    answer = {"functionResponse": {"name": text, "id": f"{text}2", "response": {text: text}}}
    contents = [
        {"role": text, "parts": [{"text": text}, {text: text}], text: text},
        {"role": "model", "parts": [part, {"inlineData": {"mimeType": text, "data": text}}]},
        {"role": "user", "parts": [answer, {"fileData": {"fileUri": text}}]},
    ]
    body: dict[str, Any] = {
        "contents": contents,
        "tools": [{"functionDeclarations": [declared]}, {text: {}}],
        text: text,
        "model": text,
    }
    body["generationConfig"] = {"responseMimeType": text, text: text}
    asked = {
        "method": text,
        "url": f"{GENERATE}{text}:generateContent?{text}={text}",
        "headers": {text: text},
        "body": body,
    }
    error = {"error": {"code": 400, "message": text, "status": text, "details": [{"@type": text, "reason": text}]}}
    candidate = {"content": {"role": text, "parts": [part]}, "finishReason": text, "finishMessage": text, text: text}
    for status, reply in (
        (400, error),
        (200, {"candidates": [candidate], "promptFeedback": {"blockReason": text}, "modelVersion": text, text: 1}),
        (200, text),
        (500, f"<html>{text}</html>"),
    ):
        yield {"request": asked, "response": {"status": status, "headers": {text: text}, "body": reply}}
    yield {"request": {"url": f"{GENERATE}m:{text}", "body": {text: text}}, "response": {"status": 200, "body": {}}}
    call = {"toolCall": {"functionCalls": [{"name": text, "id": text, "args": {text: text}}], text: text}}
    frames = [("client", {"setup": {"model": text, text: text}}), ("server", call), ("server", {text: text})]
    frames += [("client", {"toolResponse": {"functionResponses": [{"name": text, "id": f"{text}3", "response": {}}]}})]
    yield {"url": LIVE, "frames": [{"dir": peer, "data": data} for peer, data in frames], "code": 1007, "reason": text}
    yield {"v": 1, "kind": "opened", "channel": text, "url": LIVE, "method": "GET"}
    yield {"v": 1, "kind": "frame", "channel": text, "from": "client", "data": {"setup": {"model": text}}}
    yield {"v": 1, "kind": "frame", "channel": text, "from": "server", "data": call}
    yield {"v": 1, "kind": "closed", "channel": text, "code": 1008, "reason": text, "by": "server"}
    yield {"v": text, "kind": text, "channel": text}
    yield {"messages": [{"role": text, "content": text, "tool_calls": [{"id": text, "function": {"name": text}}]}]}
    yield {
        "input": [{"type": text, text: text}],
        "previous_interaction_id": text,
        "model": text,
        "system_instruction": 5,
    }
    yield {text: text}


OWN = """
name: own-role
code: OWN201
title: {text}
severity: error
doc: {text}
links: [{link}]
given: content
where: {{container: contents}}
check: {{shape: {{role: [user, model]}}}}
message: {message}
help: {message}
server: [{text}]
says: [{text}]
examples:
  good: [{{name: {text}, log: {good}}}]
  bad: [{{name: {text}, log: {bad}, finds: [{text}]}}]
"""


def own_rule(text: str) -> str:
    """A rule with the text in every place that is its author's."""
    said, braces = quoted(text), quoted(text.replace("{", "{{").replace("}", "}}"))
    good, bad = (quoted(f"> {json.dumps({'contents': [content(role, 'x')]})}") for role in ("user", "nobody"))
    return OWN.format(text=said, link=quoted(f"https://x.test/{text}"), message=braces, good=good, bad=bad)


def quoted(text: str) -> str:
    """The text for YAML, every character of it escaped."""
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def named(text: str) -> str:
    """The text as the name of a file: anything but a slash and a NUL, and not too long."""
    return text.encode(errors="surrogateescape" if "\ud800" not in text else "replace").decode()[:80].replace("/", "∕")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs and rules with hostile texts, in files and folders called so."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, text in enumerate(HOSTILE.values()):
        lines = [json.dumps(value) for value in spoilt(f"{text}{HERE}")] + [f"{text}{HERE} no JSON"]
        (folder / f"{named(text)}{HERE}.jsonl").write_text("\n".join(lines), encoding="utf-8", errors="replace")
        (folder / f"{named(text)} folder").mkdir()
        (folder / f"{named(text)} folder" / f"{HERE}.jsonl").write_text(lines[0])
        own = folder / "rules" / f"{number} {named(text)}"
        own.mkdir(parents=True)
        (own / "own-role.yaml").write_text(own_rule(f"{text[:2000]}{HERE}".replace(SURROGATE, "")), encoding="utf-8")
        bad = RULES["own-smile"].replace(
            "given: part", f"given: {quoted(f'{text[:2000]}{HERE}'.replace(SURROGATE, ''))}"
        )
        (folder / "bad").mkdir(exist_ok=True)
        write_rules(folder / "bad" / own.name, **{"own-role": bad})
    return folder


class Said(NamedTuple):
    """What a run printed and wrote."""

    code: int
    out: str
    err: str
    files: dict[str, str]


@pytest.fixture
def run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> Callable[..., Said]:
    """Runs the program among the hostile files, as a job of a runner that takes commands."""
    monkeypatch.chdir(folder)
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))

    def program(*words: str) -> Said:
        monkeypatch.setattr("sys.argv", ["wirecheck", *(word.replace("{out}", str(tmp_path)) for word in words)])
        code = app._run()
        out, err = capfd.readouterr()
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir()) if path.is_file()}
        return Said(code, out, err, files)

    return program


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            tag,
            *(name for name, _ in attrs),
            *(value or "" for name, value in attrs if name in ("src", "href")),
        ]

    handle_startendtag = handle_starttag


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def does_nothing(text: str, name: str = "") -> None:
    """Whatever it is, it acts neither on a terminal nor on a runner, nor on what reads JSON or markup."""
    for line in lines_of(text):
        assert line.isprintable(), ascii(line)
        assert "Traceback" not in line
        assert "id=0(root)" not in line
        if name in COMMANDS:
            assert re.match(r"::(error|warning|notice) (title|file)=[^:]*(,(file|line)=[^:]*)*::", line), line
        else:
            assert not line.lstrip().startswith("::"), line
            assert "##[" not in line, line
    begin = text.lstrip()[:1]
    if begin == "<":
        elements = Elements()
        elements.feed(text)
        assert not {"img", "iframe", "object", "onerror"} & set(elements.found)
        assert not [each for each in elements.found if each.lower().startswith("javascript")]
        assert "alert(1)</script>" not in text
    elif begin in "{[" and begin:
        try:
            json.loads(text)
        except ValueError:
            for line in lines_of(text):
                json.loads(line)


EVERYTHING = ("--isolated", "--min-severity", "info", "--fail-on", "never", ".")
OUTPUTS: dict[str, tuple[str, ...]] = {
    **{f"lint {name}": ("lint", *EVERYTHING, "--output-format", name) for name in FORMATS},
    "lint, a report in a file": ("lint", *EVERYTHING, *(f"--report={name}={{out}}/{name}" for name in FORMATS)),
    "lint --verbose": ("lint", *EVERYTHING, "--verbose", "--statistics"),
    "lint --color": ("lint", *EVERYTHING, "--color", "always", "--output-format", "concise"),
    "lint, a baseline": ("lint", *EVERYTHING, "--baseline", "{out}/known.json", "--update-baseline"),
    "show": ("show", "--isolated", "--min-severity", "info", "."),
    "convert": ("convert", "--isolated", "."),
}
LOG = f"{HOSTILE['command of a runner']}{HERE}.jsonl"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_a_log_holds_does_nothing(run: Callable[..., Said], output: str) -> None:
    words = OUTPUTS[output]
    said = run(*words)
    assert said.code == 0, said.err
    painted = COLOUR.sub("", said.out) if "--color" in words else said.out
    does_nothing(painted, words[words.index("--output-format") + 1] if "--output-format" in words else "")
    does_nothing(said.err)
    assert HERE in f"{said.out}{said.err}" or "{out}" in str(words)
    for name, text in said.files.items():
        does_nothing(text, name)
        assert HERE in text or name == "known.json"


@pytest.mark.parametrize("name", [*SOME, "Markdown", "HTML", "XML", "JSON"])
@pytest.mark.parametrize(
    "words",
    [
        *(("lint", *EVERYTHING[:-1], LOG, "--output-format", name, "--select", "OWN", "--rules") for name in FORMATS),
        ("rules", "list", "--isolated", "--select", "OWN", "--rules"),
        ("rules", "list", "--isolated", "--select", "OWN", "--output-format", "json", "--rules"),
        ("rules", "test"),
        ("explain", "own-role", "--isolated", "--rules"),
    ],
    ids=lambda words: " ".join(words),
)
def test_what_a_rule_says_does_nothing(
    run: Callable[..., Said], folder: Path, words: tuple[str, ...], name: str
) -> None:
    number = list(HOSTILE).index(name)
    said = run(*words, f"rules/{number} {named(HOSTILE[name])}")
    assert said.code in (0, 1), said.err
    does_nothing(said.out, next((each for each in COMMANDS if each in words), ""))
    does_nothing(said.err)
    assert HERE in said.out


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("place", ["rules check", "explain", "lint"])
def test_what_is_wrong_with_a_rule_does_nothing(run: Callable[..., Said], name: str, place: str) -> None:
    path = f"bad/{list(HOSTILE).index(name)} {named(HOSTILE[name])}"
    words = {"rules check": (path,), "explain": ("x", "--rules", path), "lint": (".", "--rules", path)}[place]
    said = run(*place.split(), *words)
    assert said.code == 2
    does_nothing(said.out)
    does_nothing(said.err)
    assert f"{said.out}{said.err}".strip()


# Where a word of the command line may come from a file's name, by `*` in a shell, or from other programs.
WORDS: dict[str, tuple[str, ...]] = {
    "a command": ("{}",),
    "an option": ("lint", "--{}"),
    "a short option": ("lint", "-{}"),
    "a log": ("lint", "--isolated", "{}"),
    "a log to convert": ("convert", "--isolated", "{}.jsonl"),
    "a converted log": ("convert", "--isolated", ".", "-o", "{0}/{0}"),
    "a log to show": ("show", "--isolated", "{}.jsonl"),
    "a rule": ("lint", "--isolated", "x", "--select", "{}"),
    "rules": ("lint", "--isolated", "x", "--rules", "{}"),
    "a format": ("lint", "--isolated", "x", "--output-format", "{}"),
    "a report": ("lint", "--isolated", "x", "--report", "{}"),
    "the file of a report": ("lint", "--isolated", "x", "--report", "json={0}/{0}"),
    "an output": ("lint", "--isolated", "x", "-o", "{0}/{0}"),
    "a baseline": ("lint", "--isolated", ".", "--baseline", "{}"),
    "a number": ("lint", "--isolated", "x", "--jobs", "{}"),
    "settings": ("lint", "x", "--config", "{}"),
    "a conversation": ("show", "--isolated", ".", "--conversation", "{}"),
    "a text of a server": ("explain", "--isolated", "{}"),
    "a rule file": ("rules", "check", "{}"),
    "rules to test": ("rules", "test", "{}"),
    "a day": ("rules", "list", "--isolated", "--since", "{}"),
    "a program": ("record", "--isolated", "--", "{}"),
    "a server": ("record", "--isolated", "--upstream", "{}", "--", "true"),
    "the log of a recording": ("record", "--isolated", "-o", "nowhere/{}", "--", "true"),
}

QUOTING = ("a text of a server", "a log to show", "a log to convert")  # the words name what is there


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("place", WORDS)
def test_what_a_command_line_quotes_does_nothing(run: Callable[..., Said], place: str, name: str) -> None:
    said = run(*(word.format(named(f"{HOSTILE[name]}{HERE}").replace(",", "")) for word in WORDS[place]))
    assert said.code in (2, 126, 127) or place in QUOTING
    does_nothing(said.out)
    does_nothing(said.err)
    assert f"{said.out}{said.err}".strip()


SETTINGS = (
    "{} = 1",
    "select = [{}]",
    "rules = [{}]",
    "output-format = {}",
    "jobs = {}",
    "fail-on = {}",
    "baseline = {}",
    "x = [",
)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("line", SETTINGS)
def test_what_settings_say_does_nothing(run: Callable[..., Said], tmp_path: Path, name: str, line: str) -> None:
    file = tmp_path / f"{named(HOSTILE[name])}.toml"
    file.write_text(line.format(json.dumps(HOSTILE[name]).replace("\x7f", "\\u007f")), encoding="utf-8")
    said = run("lint", ".", "--config", str(file), "--fail-on", "never", "--verbose")
    assert said.code == 2 or "select" in line, "of what is blank nothing is left to select"
    does_nothing(said.out)
    does_nothing(said.err)


@pytest.fixture(scope="module")
def findings(folder: Path) -> list[Finding]:
    """What is found in the hostile logs."""
    inspector = Inspector(load())
    paths = sorted(map(str, folder.glob("*.jsonl")))
    found = [finding for record in Reader(paths) for finding in inspector.feed(record)]
    assert len({finding.rule for finding in found}) > 15
    return found


def test_what_a_recorder_says_does_nothing(findings: list[Finding], tmp_path: Path) -> None:
    said: list[str] = []
    output = LiveOutput(said.append, Screen(), "info", tuple((name, str(tmp_path / name)) for name in FORMATS))
    for finding in findings:
        output.tell(finding)
    output.story(Report(findings=tuple(findings), summary=count(findings), why=load().why))
    assert HERE in "".join(said)
    for text in said:
        does_nothing("\n".join(map(inert, text.split("\n"))))  # as cli/output.py prints it
    for name in FORMATS:
        does_nothing((tmp_path / name).read_text(encoding="utf-8"), name)


def test_what_mitmproxy_shows_of_it_does_nothing(findings: list[Finding]) -> None:
    for finding in findings:
        flow = tflow.tflow()
        mark(flow, [finding])
        flow.request.url = UNARY
        assert all(line.isprintable() for line in flow.comment.split("\n"))
        assert objection(flow, [replace(finding, severity="error")]).isprintable()


@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "half a surrogate"])
def test_what_its_view_draws_does_nothing(name: str) -> None:
    drawn = []
    for value in spoilt(f"{HOSTILE[name]}{HERE}"):
        for body in (value, *(each.get("body") for each in value.values() if isinstance(each, dict))):
            if isinstance(body, dict):
                drawn.append(picture(json.dumps(body).encode()))
                assert all(line.isprintable() for line in drawn[-1].split("\n"))
    assert HERE in "".join(drawn) or name == "long"


@given(st.text(alphabet=":#[ae\u2003 \t", max_size=12))
def test_no_line_is_a_command_and_json_stays_what_it_is(text: str) -> None:
    line = inert(text)
    assert not line.lstrip().startswith("::")
    assert "##[" not in line
    assert json.loads(inert(json.dumps(text))) == text
    assert inert(line) == line


def test_texts_are_planted_in_the_names_of_files(folder: Path) -> None:
    assert len([name for name in os.listdir(folder) if name.endswith(f"{HERE}.jsonl")]) == len(HOSTILE)
