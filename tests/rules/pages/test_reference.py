"""What is generated: pages of rules, the reference for their authors, the schema of their files."""

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.rules.make import rule
from wirecheck.data.shipped import models
from wirecheck.models import PROTOCOLS
from wirecheck.rules import Example, load
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.engine.checked_files import check
from wirecheck.rules.engine.format import schema
from wirecheck.rules.engine.load import builtin
from wirecheck.rules.language.fields import fields
from wirecheck.rules.language.modifiers import MODIFIERS
from wirecheck.rules.pages.page import OF_LIVE, docs, page
from wirecheck.rules.pages.reference import ROOT, files
from wirecheck.talk.facts import FACTS

FILES = files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_generated_file_is_fresh(file: Path) -> None:
    """Else run `python -m wirecheck.rules.pages.reference`."""
    assert file.read_text("utf-8") == FILES[file]


def test_the_schema_of_rule_files_holds_the_tables() -> None:
    made = schema()
    Draft202012Validator.check_schema(made)
    keys = made["properties"]
    assert set(keys["given"]["enum"]) == set(FACTS)
    assert set(keys["check"]["properties"]) == set(CHECKS)
    assert set(keys["examples"]["properties"]["bad"]["items"]["properties"]["protocol"]["enum"]) == set(PROTOCOLS)
    for name in MODIFIERS:
        key = f"value.x|{name}" if name else "value.x"
        assert sum(bool(re.search(each, key)) for each in made["$defs"]["lines"]["patternProperties"]) == 1


def test_every_field_of_every_fact_is_in_the_reference() -> None:
    guide = (ROOT / "docs" / "writing-rules.md").read_text("utf-8")
    common, _, rest = guide.partition("<!-- generated: facts -->")[2].partition("\n### ")
    sections = {each.partition("\n")[0]: each for each in rest.split("\n### ")}
    assert set(sections) == set(FACTS)
    for kind, text in sections.items():
        assert {name for name in fields(kind) if f"- `{name}` (" not in common + text} == set()


def test_the_words_that_checks_find_are_in_the_guide() -> None:
    guide = (ROOT / "docs" / "writing-rules.md").read_text("utf-8")
    for name, kind in CHECKS.items():
        section = guide.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert [word for word in kind.FOUND if f"`{word}`" not in section and word not in section] == []


def test_a_page_says_everything() -> None:
    made = rule(
        {"never": None},
        name="some-rule",
        code="WC123",
        severity=[{"band": "gemini-1", "is": "info"}, {"surface": "vertex", "is": "off"}, {"is": "error"}],
        doc="It hurts.",
        help='Send {{"role": "user"}}.',
        server=("Please ensure",),
        links=("https://x.test/",),
        seen="2026-05-11",
        bad=(Example(name="bad one", model="gemini-3.6-flash", log="> {}\n", finds=("1: it",)),),
        good=(Example(name="good one", surface="vertex", log="> []\n"),),
    )
    text = page(made, models())
    for part in (
        "# some-rule",
        "`WC123` **All is well**",
        "| HTTP | gemini-1 | gemini-2 | gemini-3 | gemini-3.5 | gemini-3.6 |",
        "| vertex | info | off | off | off | off |",
        "| vertex | off | off | off | off |",
        "It hurts.",
        'Send {"role": "user"}.',
        "- `Please ensure`",
        "**Wrong**: bad one (gemini-3.6-flash)",
        "- line 1: it",
        "**Right**: good one (vertex)",
        "**Evidence**, last seen on 2026-05-11",
        "- <https://x.test/>",
    ):
        assert part in text.split("\n") or part in text
    assert re.search(r"\| gemini-api, .* \| info \| error \| error \| error \| error \|", text)


def test_a_severity_that_depends_on_the_fact_shows_what_it_can_be() -> None:
    severity = [{"where": {"role": "x"}, "is": "error"}, {"band": "gemini-1", "is": "off"}, {"is": "info"}]
    text = page(rule({"never": None}, severity=severity), models())
    assert "| everywhere | error or off | error or info | error or info | error or info | error or info |" in text
    three = [{"where": {"role": "x"}, "is": "error"}, {"where": {"role": "y"}, "is": "info"}, {"is": "off"}]
    assert "Severity (HTTP): error, info or off." in page(rule({"never": None}, severity=three), models())


@pytest.mark.parametrize("kind", sorted(OF_LIVE))
def test_what_only_live_sessions_give_has_no_severity_over_http(kind: str) -> None:
    assert kind in FACTS
    text = page(
        rule({"never": None}, given=kind, severity=[{"band": "live-3.8", "is": "off"}, {"is": "error"}]), models()
    )
    assert ("HTTP" in text, "| Live |" in text) == (False, True)


def test_all_pages_are_all_rules() -> None:
    text = docs()
    for each in load().rules:
        assert f"\n## {each.name}\n" in text
        assert f"[{each.name}](#{each.name})" in text
    assert text.count("\n## ") == len(builtin())


def test_a_band_is_listed_with_its_models_and_what_changed() -> None:
    text = FILES[ROOT / "docs" / "models.md"]
    for band in models().bands:
        assert re.search(
            rf"^\| `{re.escape(band)}` \| \S.* \| (not known|\d{{4}}-\d\d-\d\d \(.+\)) \| \[1\]", text, re.M
        )
    rows = re.findall(r"^\| \[([a-z-]+)\]\(rules\.md#\1\) \| (.+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert ("unanswered-function-call", "everywhere", "warning", "error") in rows
    assert {before == now for _, _, before, now in rows} == {False}


def test_what_the_guide_says_of_pairing_can_be_asked(tmp_path: Path) -> None:
    """Each row of its table, as a rule."""
    section = (ROOT / "docs" / "writing-rules.md").read_text("utf-8").partition("\n## Pairing, counting, order\n")[2]
    (_, *table) = re.findall(r"^\| ([^|]+) \| `([a-z-]+)` \| (.+) \|$", section.partition("\n## ")[0], re.MULTILINE)
    assert len(table) > 10
    for n, (title, kind, lines) in enumerate(table):
        where, _, shape = lines.replace("\\|", "|").replace("`", "").partition("shape: ")
        asked = [f"where: {{{where.rstrip(', ')}}}"] if where else []
        asked += [f"check: {{shape: {{{shape}}}}}" if shape else "check: {never: null}"]
        said = (
            f"name: row-{n}",
            f"code: OWN{n + 100}",
            f"title: '{title}'",
            "severity: error",
            "doc: Why.",
            "message: it",
        )
        (tmp_path / f"row-{n}.yaml").write_text("\n".join((*said, f"given: {kind}", *asked)), encoding="utf-8")
    assert check([str(tmp_path)]) == []
