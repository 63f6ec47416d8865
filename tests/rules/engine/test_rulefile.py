"""A mistake in a rule file is one line for its author, with its place; a hostile file is no more than that."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.data.shipped import root
from wirecheck.rules import RuleError, load
from wirecheck.rules.engine.checked_files import check
from wirecheck.rules.language.yamlfile import LARGEST, UnreadableFile, read, scalar

GOOD = """\
name: mine
code: MY100
title: All is well
severity: warning
doc: Why.
given: call
where: {speaker: model}
check: {never: null}
message: "{name}"
"""


def problems(folder: Path, text: str | bytes, name: str = "mine.yaml") -> list[str]:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return [line.removeprefix(f"{folder}/") for line in check([str(folder)])]


def test_a_good_file_has_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD) == []
    (rule,) = [rule for rule in load([str(tmp_path)]).rules if not rule.builtin]
    assert (rule.name, rule.check, rule.options) == ("mine", "never", None)


# What is replaced in the good file, by what, and what is said of it.
MISTAKES = {
    "unknown key": ("where:", "whree:", "7:1: unknown key 'whree', did you mean 'where'?"),
    "missing": ("title: All is well\n", "", "1:1: 'title' is missing"),
    "wrong type": ("All is well", "12", "3:8: 'title' has to be text"),
    "severity": ("warning", "warn", "4:11: 'warn' is no value of 'severity', did you mean 'warning'?"),
    "band": (
        "warning",
        "[{band: gemini-35, is: error}]",
        "4:19: unknown band 'gemini-35', did you mean 'gemini-3.5'?",
    ),
    "case": ("warning", "[{bnad: gemini-1, is: error}]", "4:13: unknown key 'bnad', did you mean 'band'?"),
    "case where": (
        "warning",
        "[{where: {nmae: x}, is: error}]",
        "4:21: a fact 'call' has no 'nmae', did you mean 'name'?",
    ),
    "date": ("warning", "[{since: yesterday, is: error}]", "4:20: 'yesterday' is no date, as in 2026-03-01"),
    "given": ("given: call", "given: cal", "6:8: 'cal' is no value of 'given', did you mean 'call'?"),
    "field": ("{speaker:", "{spaeker:", "7:9: a fact 'call' has no 'spaeker', did you mean 'speaker'?"),
    "modifier": ("{speaker:", "{role|strats:", "7:9: unknown modifier 'strats', did you mean 'starts'?"),
    "value": ("speaker: model", "speaker: mdoel", "7:9: 'speaker' is never 'mdoel', did you mean 'model'?"),
    "argument": ("{speaker: model}", "{role|size: x}", "7:20: 'role|size' has to be a whole number"),
    "check": ("never", "nevr", "8:9: unknown key 'nevr', did you mean 'never'?"),
    "two checks": (
        "{never: null}",
        "{never: null, shape: {id: x}}",
        "8:8: 'check' has to be exactly one of never, shape",
    ),
    "option": ("{never: null}", "{schema: {fo: value, is: true}}", "8:18: unknown key 'fo'; known: is, of"),
    "shape": ("{never: null}", "{shape: {nmae: x}}", "8:17: a fact 'call' has no 'nmae', did you mean 'name'?"),
    "path": ("{never: null}", "{schema: {of: idd, is: true}}", "8:22: a fact 'call' has no 'idd', did you mean 'id'?"),
    "schema": ("{never: null}", "{schema: {of: value, is: {type: objct}}}", "8:33: no JSON Schema: "),
    "reference": (
        "{never: null}",
        "{schema: {of: value, is: {$ref: 'http://x.test/y'}}}",
        "8:40: a '$ref' has to begin with '#'",
    ),
    "regex": ("{never: null}", "{schema: {of: value, is: {pattern: '(?=x)'}}}", "8:33: no JSON Schema: "),
    "hole": ("{name}", "{nmae}", "9:10: a fact 'call' has no 'nmae', did you mean 'name'?"),
    "found": ("{name}", "{found.count}", "9:10: this check finds no 'count'"),
    "brace": ("{name}", "{name", "9:10: a single '{': write '{{', or a field between braces"),
    "name": ("name: mine", "name: yours", "1:7: the file of 'yours' has to be called 'yours.yaml'"),
    "spelling": ("name: mine", "name: Mine", "1:7: 'Mine' is not spelled as it has to be: small letters and digits"),
    "code": ("MY100", "100", "2:7: 'code' has to be text"),
    "seen": ("doc: Why.", "doc: Why.\nseen: 2026-13-01", "6:7: '2026-13-01' is no date, as in 2026-03-01"),
    "link": ("doc: Why.", "doc: Why.\nlinks: [x]", "6:9: 'x' is not spelled as it has to be: a URL"),
    "example": (
        "check:",
        "examples: {bad: [{name: a, log: b}]}\ncheck:",
        "8:18: 'finds' is missing",
    ),
    "surface": (
        "check:",
        "examples: {good: [{name: a, log: b, surface: gemni-api}]}\ncheck:",
        "8:46: unknown surface 'gemni-api', did you mean 'gemini-api'?",
    ),
    "twice": ("doc: Why.", "doc: Why.\ndoc: How.", "6:1: 'doc' comes twice"),
    "anchor": ("doc: Why.", "doc: &a Why.", "5:6: anchors and aliases are not read"),
    "tag": ("doc: Why.", "doc: !!python/object:os.system Why.", "5:6: tags are not read"),
    "yaml": ("doc: Why.", "doc: [Why.", "6:6: did not find expected ',' or ']'"),
    "no mapping": (GOOD, "- a", "1:1: 'rule' has to be a mapping"),
    "empty": (GOOD, "", "1:1: 'rule' has to be a mapping"),
    "two documents": ("doc: Why.", "doc: Why.\n---", "6:1: a second document in one file"),
}


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_said_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    found = problems(tmp_path, GOOD.replace(old, new, 1))
    assert [line for line in found if line.startswith(f"mine.yaml:{said}")], found


def test_all_mistakes_of_a_file_are_said_in_order(tmp_path: Path) -> None:
    text = GOOD.replace("title", "titel").replace("{speaker:", "{spaeker:").replace("{name}", "{nmae}")
    assert [line.partition(": ")[0] for line in problems(tmp_path, text)] == [
        "mine.yaml:1:1",
        "mine.yaml:3:1",
        "mine.yaml:7:9",
        "mine.yaml:9:10",
    ]


def test_a_misspelt_kind_of_fact_hides_no_other_mistake(tmp_path: Path) -> None:
    text = GOOD.replace("given: call", "given: cal").replace("{speaker:", "{spaeker:").replace("{name}", "{nmae}")
    assert [line.partition(": ")[2] for line in problems(tmp_path, text)] == [
        "'cal' is no value of 'given', did you mean 'call'?",
        "a fact 'call' has no 'spaeker', did you mean 'speaker'?",
        "a fact 'call' has no 'nmae', did you mean 'name'?",
    ]


def test_all_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.yaml").write_text(GOOD.replace("mine", "other").replace("speaker", "spaeker"))
    assert len(problems(tmp_path, GOOD.replace("title", "titel"))) == 3


def test_user_rules_are_checked_when_they_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD.replace("never", "nevr"))
    with pytest.raises(RuleError) as refused:
        load([str(tmp_path)])
    assert refused.value.problems == (f"{tmp_path}/mine.yaml:8:9: unknown key 'nevr', did you mean 'never'?",)


def test_no_file_of_a_folder_is_left_out_by_its_spelling(tmp_path: Path) -> None:
    """A file beside rules that looks like one and is not read would be a rule that never finds anything."""
    for name in ("mine.YAML", "other.Yml", "models.yaml"):
        (tmp_path / name).write_text("surfaces: {}\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# Ours\n", encoding="utf-8")
    assert check([str(tmp_path)]) == [
        f"{tmp_path}/{name}:1:1: this is no rule: it has none of name, given, check, message"
        for name in ("mine.YAML", "models.yaml", "other.Yml")
    ]
    (tmp_path / "models.yaml").write_text(GOOD.replace("name: mine", "name: models"), encoding="utf-8")
    assert f"{tmp_path}/models.yaml" not in "".join(check([str(tmp_path)]))


def test_the_models_among_the_built_in_rules_are_no_rule() -> None:
    assert check([str(Path(root()) / "rules")]) == []


def test_a_path_without_rules_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(RuleError, match=str(path)):
            load([str(path)])


def test_no_rule_stands_in_for_another(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD)
    (tmp_path / "other.yaml").write_text(GOOD.replace("mine", "other"))
    with pytest.raises(RuleError) as refused:
        load([str(tmp_path)])
    assert str(refused.value) == f"{tmp_path}/other.yaml: the code 'MY100' is taken by {tmp_path}/mine.yaml"


HOSTILE = {
    "a bomb": "a: &a [x]\nb: [*a, *a]\n",
    "deep flow": "[" * 100_000,
    "deep block": "- " * 100_000 + "x",
    "deep keys": "".join(f"{' ' * depth}a:\n" for depth in range(300)),
    "control characters": "a: \x00",
    "not UTF-8": b"name: \xff\xfe",
    "large": b"#" * (LARGEST + 1),
    "a key that is a list": "? [a]\n: b",
    "a BOM and nothing": "\ufeff",
    "escapes in keys": r'{"\e[31m": 1, "\e[31m": 2, where: {"\e[31m": 1}, given: call}',
    "escapes in values": r'{name: "\e[31m", given: "\e[31m", check: {"\e": 1}}',
    "long names": f"given: call\nwhere: {{{'x' * 5000}: 1}}\nmessage: '{{{'y' * 5000}}}'\ncheck: {{never: null}}",
    "a directive": "%TAG ! tag:x,2000:\n---\na: !b c",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_a_line(tmp_path: Path, text: str | bytes) -> None:
    found = problems(tmp_path, text)
    assert found
    assert all(line.startswith("mine.yaml:") and line.isprintable() and len(line) <= 500 for line in found)


CODE = [
    "__import__('os').system('true')",
    "{name.__class__.__mro__}",
    "{0}",
    "{name!r}",
    "{name:>1000000000}",
    "_k0",
    "x\\n    import os",
    "context.__init__.__globals__",
]


@pytest.mark.parametrize("text", CODE)
@pytest.mark.parametrize("key", ["where", "message", "check", "given", "name", "code", "severity"])
def test_text_that_looks_like_code_is_text(tmp_path: Path, key: str, text: str) -> None:
    lines = {line.partition(":")[0]: line for line in GOOD.splitlines()}
    lines[key] = f'{key}: {{"{text}": "{text}"}}' if key in ("where", "check") else f'{key}: "{text}"'
    found = problems(tmp_path, "\n".join(lines.values()))
    plain = key == "message" and "{" not in text
    assert bool(found) is not plain


def test_values_that_look_like_code_are_compared_and_no_more(tmp_path: Path) -> None:
    quoted = "') or exec('raise SystemExit') or ('"
    made = GOOD.replace("speaker: model", f'name: "{quoted}", "id|starts": "{quoted}", "args.x|contains": "{quoted}"')
    assert problems(tmp_path, made) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(UnreadableFile):
        document = read(data, "x.yaml")
        assert set(document.keys) <= set(document.values)


SCALARS = {
    "null": None,
    "": None,
    "true": True,
    "false": False,
    "off": "off",
    "on": "on",
    "yes": "yes",
    "no": "no",
    "~": "~",
    "Null": "Null",
    "12": 12,
    "-1.5": -1.5,
    "1e3": 1000.0,
    "007": "007",
    "0x10": "0x10",
    "1_000": "1_000",
    ".5": ".5",
    "2026-01-01": "2026-01-01",
    "12:30": "12:30",
    "9" * 30: "9" * 30,
    "1e999": "1e999",
}


@pytest.mark.parametrize(("text", "value"), SCALARS.items())
def test_few_plain_words_are_special(text: str, value: object) -> None:
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)
    assert read(f"a: {text}".encode(), "x.yaml").value == {"a": value}


def test_a_quoted_word_is_text() -> None:
    assert read(b"""{a: "12", b: 'null'}""", "x.yaml").value == {"a": "12", "b": "null"}
