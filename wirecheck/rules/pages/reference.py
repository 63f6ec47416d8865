"""Generates docs/rules.md, docs/models.md, tables in other pages of docs/, and rule.schema.json.

`python -m wirecheck.rules.pages.reference` writes them into a checkout; a test says if they are stale.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType

from msgspec import Struct, json
from msgspec.structs import fields as struct_fields

from wirecheck.data.shipped import model_tables, root
from wirecheck.dialects.messages import Call
from wirecheck.dialects.vocabulary import live_field_tables as knownlive
from wirecheck.dialects.vocabulary.field_tables import BETA, LATE, MESSAGES, ONLY, Fields, Table
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.engine.format import schema
from wirecheck.rules.engine.load import builtin
from wirecheck.rules.engine.rulefile import NAMES
from wirecheck.rules.language.fields import Field, members
from wirecheck.rules.language.modifiers import MODIFIERS, Schema
from wirecheck.rules.pages import diagrams
from wirecheck.rules.pages.models_page import models_page
from wirecheck.rules.pages.page import docs
from wirecheck.talk.facts import FACTS, Context, Fact

ROOT = Path(root())
FAMILY = {"text": "text", "number": "number", "boolean": "true or false", "list": "list of texts", "json": "JSON"}
LIMITS: dict[str, dict[str, tuple[str, ...]]] = {
    "Sent to Vertex AI only": ONLY["vertex"],
    "Sent to the Gemini API only": ONLY["gemini-api"],
    "Not in the published `v1` of the Gemini API": BETA,
    "Came to the Gemini API with Gemini 3": LATE,
}
_MARKED = re.compile(r"(<!-- generated: ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def files() -> dict[Path, str]:
    """The content of every generated file."""
    pages = [ROOT / "docs" / name for name in ("writing-rules.md", "fields.md", "live.md")]
    return {
        ROOT / "docs" / "rules.md": docs(),
        ROOT / "docs" / "models.md": models_page(model_tables(), builtin()),
        **{page: _MARKED.sub(_filled, page.read_text("utf-8")) for page in pages},
        ROOT / "wirecheck" / "rules" / "rule.schema.json": json.format(json.encode(schema()), indent=2).decode() + "\n",
    }


def _filled(part: re.Match[str]) -> str:
    return part[1] + SECTIONS[part[2]]() + part[3]


def _known_live() -> str:
    """The messages of a Live client that HTTP does not have."""
    own = {message: fields for message, fields in knownlive.MESSAGES.items() if message not in MESSAGES}
    vertex, gemini = knownlive.ONLY["vertex"], knownlive.ONLY["gemini-api"]
    return _listing(own, {"Sent to Vertex AI only": vertex, "Sent to the Gemini API only": gemini})


def _listing(messages: Table, limits: Mapping[str, Fields]) -> str:
    """The fields of each message, and the surfaces where some are not available."""
    lines = ["| message | its fields |", "|---|---|"]
    lines += [f"| {message} | {_listed(fields)} |" for message, fields in messages.items()]
    for said, fields in limits.items():
        lines += ["", f"{said}:", "", *(f"- {message}: {_listed(names)}" for message, names in fields.items())]
    return _text(lines)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _modifiers() -> str:
    rows = (f"| {f'`{name}`' if name else '(none)'} | {row.takes} | {row.says} |" for name, row in MODIFIERS.items())
    return _text(["| modifier | argument | holds when the value |", "|---|---|---|", *rows])


def _options(check: str) -> Callable[[], str]:
    def table() -> str:
        options = CHECKS[check].OPTIONS
        needed = dict.fromkeys(options["required"], " (required)")
        rows = (
            f"| `{key}`{needed.get(key, '')} | {_values(each)} | {each['description']} |"
            for key, each in options["properties"].items()
        )
        return _text(["| key | value | |", "|---|---|---|", *rows])

    return table


def _values(schema: Schema) -> str:
    """The values that a key of the schema accepts."""
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    inside = f" of {_values(schema['items'])}" if "items" in schema else ""
    return " or ".join(NAMES[kind] for kind in kinds) + inside


def _facts() -> str:
    lines = ["Every fact has these:", "", *_fields(Context), *_fields(Fact)]
    lines += ["", "`call`, where a fact speaks of one, has:", "", *_fields(Call)]
    for kind, fact in FACTS.items():
        lines += ["", f"### {kind}", "", *(fact.__doc__ or "").split("\n"), "", *_fields(fact, members(Fact))]
    return _text(line.strip() for line in lines)


def _fields(struct: type[Struct], known: dict[str, Field] | None = None) -> Iterator[str]:
    """The fields of a Struct, with their comments in the source."""
    comments = _comments(struct)
    nullable = {each.name for each in struct_fields(struct) if NoneType in getattr(each.type, "__args__", ())}
    for name, field in members(struct).items():
        if name not in (known or {}):
            kinds = "object" if field.struct else ", ".join(filter(None, field.choices)) or FAMILY[field.family]
            said = f": {comments[name]}" if name in comments else ""
            yield f"- `{name}` ({kinds}{', or null' if name in nullable else ''}){said}"


def _comments(struct: type[Struct]) -> dict[str, str]:
    """The comment at the end of a field's line, or on the lines above it."""
    source = inspect.getsource(struct)
    lines = source.split("\n")
    found: dict[str, str] = {}
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            comment = lines[node.lineno - 1].partition("  # ")[2] or _above(lines[: node.lineno - 1])
            if comment:
                found[node.target.id] = comment
    return found


def _above(lines: list[str]) -> str:
    comments: list[str] = []
    while lines and lines[-1].strip().startswith("# "):
        comments.insert(0, lines.pop().strip()[2:])
    return " ".join(comments)


def _text(lines: Iterator[str] | list[str]) -> str:
    return "\n".join(["", *lines, "", ""])


# By name, what is written between `<!-- generated: NAME -->` and `<!-- end -->`.
SECTIONS: dict[str, Callable[[], str]] = {
    "modifiers": _modifiers,
    "facts": _facts,
    "session": diagrams.session,
    "stays": diagrams.stays,
    "calls": diagrams.calls,
    "closes": diagrams.closes,
    "known": lambda: _listing(MESSAGES, LIMITS),
    "knownlive": _known_live,
    "schema": _options("schema"),
}


if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, "utf-8")
        print(file.relative_to(ROOT))
