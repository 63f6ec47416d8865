"""What is fuzzed: each target takes bytes, and raises where wirecheck does what it must not.

A target that is not here is not fuzzed: test_targets.py compares the names with the tables of the package.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tests.fuzz import seeds
from tests.fuzz.differences import SECRET, WAYS
from tests.fuzz.mutations import mutated, mutated_text
from tests.fuzz.seeds import Seeds
from tests.sources.formats.test_recognition import SAMPLES
from wirecheck import check
from wirecheck.api import repeated
from wirecheck.cli.commands import lint
from wirecheck.cli.config import KEYS, read
from wirecheck.cli.exits import Refusal
from wirecheck.cli.linting.baseline import _decoded as read_baseline
from wirecheck.dialects import Dialects
from wirecheck.inspector import Inspector
from wirecheck.redacting.redacted_file import redacted
from wirecheck.report import FORMATS as REPORTS
from wirecheck.report import Report, Screen, render
from wirecheck.report.markdown import render as markdown
from wirecheck.report.report import count
from wirecheck.rules import Ruleset
from wirecheck.rules.engine.rulefile import problems
from wirecheck.rules.language.rule import page as page_of
from wirecheck.rules.language.rule import rule as rule_of
from wirecheck.rules.language.yamlfile import UnreadableFile
from wirecheck.rules.language.yamlfile import read as read_yaml
from wirecheck.rules.pages.close_page import close_page
from wirecheck.rules.pages.page import page
from wirecheck.rules.server_word.texts import likely
from wirecheck.secrets.counted_marks import SecretMarks
from wirecheck.secrets.redaction import Redaction
from wirecheck.sources import FORMATS, reply_bodies
from wirecheck.sources.file_reader import READERS
from wirecheck.wire.records import Body, Frame, Opened, Origin, Record, Site, Unread

ORIGIN = Origin("log.jsonl", 1)
GOOGLE_KEY = b"AIza" + b"Zq3xV7K" * 5
Mutator = Callable[[Random, bytes, Sequence[bytes]], bytes]


class Target(NamedTuple):
    """Something to fuzz, what to begin with, and how inputs are made."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Seeds]
    mutate: Mutator = mutated


def reads(kind: str, data: bytes) -> None:
    """Each format that reads this kind gives records, each with its line, whatever the bytes are."""
    lines = data.split(b"\n")
    traffic = [line for line in lines if line.strip(BLANK) and not line.strip(BLANK).startswith(QUIET)]
    for name in (None, *(name for name, kinds in FORMATS.items() if not kinds or kind in kinds)):
        given: list[Record] = []
        try:
            given += seeds.records(data, name)
        except OSError:  # named as such: UTF-16, a broken archive
            continue
        assert all(1 <= record.origin.line <= len(lines) for record in given)
        empty_stream = name == "document" and data.strip(BLANK).startswith(
            QUIET
        )  # `lint` says that nothing was traffic
        assert given or empty_stream or not traffic, "green in silence"
        assert not [each for each in given if isinstance(each, Unread) and each.kind == "fault"], "a fault of a reader"


def speaks(data: bytes) -> None:
    """A dialect reads all records, strictly and leniently; what is found is shown, and nothing of it acts on a
    terminal."""
    rules = seeds.builtin()
    for typed in (True, False):
        dialects = Dialects(rules.models, typed=typed)
        for record in seeds.records(data):
            with suppress(RecursionError):  # what is nested too deep the Inspector tells of
                list(dialects.read(record))
    inspector = Inspector(rules)
    found = repeated(inspector, [finding for record in seeds.records(data) for finding in inspector.feed(record)])
    shown(Report(findings=tuple(found), summary=count(found), why=rules.why))


def shown(report: Report) -> None:
    for name in REPORTS:
        text = "\n".join(render(name, report, Screen()))
        assert all(line.isprintable() for line in text.split("\n")), name
        if name == "json":
            json.loads(text)


def checks(data: bytes) -> None:
    """`check` judges what a program would send, or says that it cannot."""
    try:
        found = check(data, model="gemini-3.6-flash", surface="gemini-api")
    except (TypeError, ValueError):
        return
    shown(Report(findings=tuple(found), summary=count(found)))


def rule_file(data: bytes) -> None:
    """A rule file has problems, or is a rule: with a page, and one that judges."""
    rules = seeds.builtin()
    try:
        document = read_yaml(data, f"{_name(data)}.yaml")
    except UnreadableFile:
        return
    if [str(problem) for problem in problems(document, rules.models)]:
        return
    made = rule_of(document.value, document.path, lambda: page_of(document.value), builtin=False)
    assert all(line.isprintable() for line in markdown(page(made, rules.models), Screen()))
    for data in (seeds.fixtures()[0], seeds.fixtures()[-1]):
        inspector = Inspector(Ruleset([made], rules.models))
        found = [finding for record in seeds.records(data) for finding in inspector.feed(record)]
        shown(Report(findings=tuple(found), summary=count(found), why=lambda name: made.why))


def settings(data: bytes) -> None:
    """Settings are taken, or refused with a message for their author. Nothing is run by them."""
    with TemporaryDirectory() as folder:
        for name in ("wirecheck.toml", "pyproject.toml"):
            path = Path(folder, name)
            path.write_bytes(data)
            with suppress(click.ClickException):
                assert set(read(str(path))) <= set(KEYS)
                lint.command.make_context("lint", ["--config", str(path), "log.jsonl"])


def baseline(data: bytes) -> None:
    with suppress(Refusal):
        read_baseline("known.json", data)


def server_text(data: bytes) -> None:
    """Any text may be asked about."""
    text, rules = data.decode(errors="replace"), seeds.builtin().rules
    likely(rules, text)
    close_page(text, rules)


def redaction(data: bytes) -> None:
    """A secret of a header is nowhere in what is written; JSON stays JSON."""
    at = int.from_bytes(data[:2]) % (len(data) + 1)
    text = (data[:at] + SECRET.encode() + data[at:]).decode(errors="replace")
    redactor = Redaction()
    redactor.scrubbed(Opened(channel="1", origin=ORIGIN, headers={"authorization": f"Bearer {SECRET}"}))
    for body in (Body(text.encode(), Site(ORIGIN), "text"), Body(json.dumps({"a": [text]}).encode(), Site(ORIGIN))):
        frame = redactor.scrubbed(Frame(channel="1", origin=ORIGIN, sender="client", body=body))
        assert isinstance(frame, Frame)
        assert SECRET not in frame.body.raw.decode()
        if body.form == "json":
            assert SECRET not in str(json.loads(frame.body.raw))
    assert SECRET not in redactor.text(text)


def redacted_file(data: bytes) -> None:
    """A key anywhere in a file of any format is not in what is written of it, and nothing is left to do then."""
    at = int.from_bytes(data[:2]) % (len(data) + 1)
    planted = data[:at] + b" %b " % GOOGLE_KEY + data[at:]
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("a.yaml" if b"interactions:" in data[:200] else "a.log")
        for marks in (SecretMarks(), SecretMarks(b"k")):
            path.write_bytes(planted)
            try:
                for _ in range(2):
                    with path.open("rb") as stream:
                        after = b"".join(redacted(stream, str(path), marks))
                    assert GOOGLE_KEY not in after
                    assert path.read_bytes() in (planted, after)
                    path.write_bytes(after)
            except OSError:
                continue  # it is told, and nothing is written


QUIET = reply_bodies.FIELDS  # lines of an event stream without data are no traffic
BLANK = bytes(range(33)) + b"\xef\xbb\xbf\x85"


@cache
def files() -> Seeds:
    """Files of other programs, and logs."""
    return [*SAMPLES.values(), *seeds.fixtures()]


@cache
def texts() -> Seeds:
    rules = seeds.builtin().rules
    said = [text for rule in rules for text in (*rule.server, *rule.says)]
    return [text.encode() for text in (*said, "1007 Request contains an invalid argument.", "1011")]


@cache
def settings_files() -> Seeds:
    return [
        b'select = ["WC3", "own-*"]\nignore = ["WC301"]\nrules = ["own"]\nfail-on = "error"\npredict = true\n',
        b'[tool.wirecheck]\nmax-findings = 10\nbaseline = "known.json"\noutput-format = "json"\ncolor = "never"\n',
        b'report = ["json=out.json"]\nmin-severity = "info"\nallow-empty = true\nstatistics = false\n[tool]\nx = 1\n',
        b"[tool.wirecheck]\ninput-format = 'exchanges'\nmax-findings = inf\njobs = 1979-05-27\nselect = 'WC3'\n",
    ]


@cache
def bodies() -> Seeds:
    return [line for kind in ("body", "messages-list") for each in seeds.by_kind()[kind] for line in each.splitlines()]


def _name(data: bytes) -> str:
    """The name in a rule file, by which the file has to be called."""
    line = next((line for line in data.splitlines() if line.startswith(b"name:")), b"")
    return line.removeprefix(b"name:").strip().decode(errors="replace").replace("/", "").replace("\0", "") or "rule"


def _of_kind(kind: str) -> Seeds:
    return seeds.by_kind()[kind]


def _of_protocol(name: str) -> Seeds:
    return seeds.by_protocol()[name]


PROTOCOLS = ("generate-content", "batch", "live", "interactions", "chat", "transcript", "other")
TARGETS: dict[str, Target] = {
    **{f"read-{kind}": Target(partial(reads, kind), partial(_of_kind, kind)) for kind in READERS},
    **{f"dialect-{name}": Target(speaks, partial(_of_protocol, name)) for name in PROTOCOLS},
    **{f"differ-{name}": Target(way, seeds.logs) for name, way in WAYS.items()},
    "check": Target(checks, bodies),
    "redaction": Target(redaction, seeds.logs),
    "redacted-file": Target(redacted_file, files),
    "server-text": Target(server_text, texts, mutated_text),
    "rule-file": Target(rule_file, seeds.rule_files, mutated_text),
    "settings": Target(settings, settings_files, mutated_text),
    "baseline": Target(baseline, lambda: [b'{"version":1,"findings":{"17d1":{"rule":"invalid-role","count":2}}}']),
}
