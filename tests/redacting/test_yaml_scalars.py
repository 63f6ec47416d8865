"""YAML keeps its lines and its style; only what holds a secret is written anew, and scalars have the values wanted."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.redacting.planting import CORE, FORMS, written
from wirecheck.redacting.unredactable import Unredactable

KEY = FORMS["Google API key"]
CUT = "[redacted]"
STYLES = {
    "plain": (f"- use {KEY} now", f'- "use {CUT} now"'),
    "alone": (f"- {KEY}", f'- "{CUT}"'),
    "single quotes": (f"- 'it''s {KEY}'", f'- "it\'s {CUT}"'),
    "double quotes": (f'- "a\\tb {KEY} \\u263a"', f'- "a\\tb {CUT} ☺"'),
    "over two lines": (f"- use\n  {KEY}", f'- "use {CUT}\\\n{" " * 40}"'),
    "a literal block": (f"- |\n  a: 1\n\n  b: {KEY}\n", f"- |\n  a: 1\n\n  b: {CUT}\n"),
    "a literal block, stripped": (f"- |-\n    a\n     {KEY}\n", f"- |-\n    a\n     {CUT}\n"),
    "a literal block, kept": (f"- |+\n  {KEY}\n\n", f'- "{CUT}\\n\\n\\\n{" " * 40}"\n\n'),
    "a folded block": (f"- >-\n  use\n  {KEY}\n", f'- "use {CUT}\\\n{" " * 40}\\\n{" " * 40}"\n'),
    "in a flow": (f"{{a: [1, {KEY}], b: 2}}", f'{{a: [1, "{CUT}"], b: 2}}'),
    "an anchor": (f"- &x {KEY}\n- *x", f'- &x "{CUT}"\n- *x'),
    "a tag": (f"- !!str {KEY}", f'- !!str "{CUT}"'),
    "a key": (f"{KEY}: 1", f'"{CUT}": 1'),
    "a comment": (f"- {KEY} # yes\n# no", f'- "{CUT}" # yes\n# no'),
    "secrets in comments": (
        f"# {KEY}\na: 1 # password: x1y2\nb: |\n  c # d\n  # e\n# use {KEY}\nf: {{c: '#', # {KEY}\n d: x#y}}\n#{KEY}",
        f"# {CUT}\na: 1 # password: {CUT}\nb: |\n  c # d\n  # e\n# use {CUT}\nf: {{c: '#', # {CUT}\n d: x#y}}\n#{CUT}",
    ),
    "a comment alone": (f"# {KEY}", f"# {CUT}"),
    "other letters before": (f"- äöü ☺ 𝄞\n- {KEY}", f'- äöü ☺ 𝄞\n- "{CUT}"'),
    "line ends of Windows": (f"- a\r\n- {KEY}\r\n- b\r\n", f'- a\r\n- "{CUT}"\r\n- b\r\n'),
    "a byte order mark": (f"\ufeff- {KEY}\n", f'\ufeff- "{CUT}"\n'),
    "two documents": (f"--- {KEY}\n---\npassword: x1\n", f'--- "{CUT}"\n---\npassword: "{CUT}"\n'),
}


@pytest.mark.parametrize(("before", "after"), STYLES.values(), ids=STYLES)
def test_a_scalar_is_written_anew_in_its_place(tmp_path: Path, before: str, after: str) -> None:
    assert written(before.encode(), "a.yaml", tmp_path).decode() == after
    assert before.count("\n") == after.count("\n")


def replaced(value: Any) -> Any:
    if isinstance(value, dict):
        return {replaced(key): replaced(each) for key, each in value.items()}
    if isinstance(value, list):
        return [replaced(each) for each in value]
    return value.replace(KEY, CUT) if isinstance(value, str) else value


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">"])
@pytest.mark.parametrize("width", [20, 80, 10_000])
@pytest.mark.parametrize(
    "text", [f"{KEY}\n", f"\n\n a {KEY} \n\tb\n\n", f"# {KEY}: 'x' \"y\" \\n", f"{'many words ' * 20}{KEY} - {CORE}x"]
)
def test_values_are_the_same_but_for_the_secret(tmp_path: Path, style: str, width: int, text: str) -> None:
    value = {"a": [text, {"b": text, "c": [None, 1, "2"]}], "d": "e"}
    data = yaml.safe_dump(value, default_style=style or None, width=width)
    after = written(data.encode(), "a.yml", tmp_path).decode()
    assert yaml.safe_load(after) == replaced(value)
    assert after.count("\n") == data.count("\n")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: [1\nb: 2", "no YAML: line 2"),
        (b"a: \xff", "no YAML: invalid UTF-8 at byte 3"),
        (b"a: 'x", "no YAML: line 1"),
        (b"a: \x01", "no YAML"),
        (b"%YAML 9.9\n---\na: 1", "no YAML: line 1"),
    ],
)
def test_what_is_no_yaml_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(Unredactable, match=said):
        written(data, "a.yaml", tmp_path)


BOMB = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9) if n else KEY}]\n" for n in range(9))


@pytest.mark.parametrize("data", [BOMB, "[" * 50_000, "- " * 20_000 + KEY, "a: &a [*a]", "? " * 10_000])
def test_what_is_made_to_hurt_does_not(tmp_path: Path, data: str) -> None:
    try:
        after = written(data.encode(), "a.yaml", tmp_path)
    except Unredactable:
        return
    assert KEY.encode() not in after
    assert len(after) < len(data) + 1000
