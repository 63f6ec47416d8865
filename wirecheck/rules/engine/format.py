"""The JSON Schema of rule files, generated from the tables of facts, checks and modifiers.

rule.schema.json is the published copy, for editors; a test says if it is stale.
"""

from typing import Any

from wirecheck.models import PROTOCOLS
from wirecheck.rules.checks import CHECKS
from wirecheck.rules.language import severity
from wirecheck.rules.language.modifiers import Schema
from wirecheck.rules.language.where import lines_schema, where_schema
from wirecheck.talk.facts import FACTS


def text(says: str, **more: Any) -> Schema:
    return {"type": "string", "minLength": 1, "description": says, **more}


def texts(says: str, **more: Any) -> Schema:
    return {"type": "array", "items": {"type": "string", "minLength": 1, **more}, "description": says}


def example(*more: str) -> Schema:
    properties = {
        "name": text("What it shows."),
        "surface": text("The surface; gemini-api by default."),
        "model": text("The model; left out where none is known."),
        "protocol": {"enum": list(PROTOCOLS), "description": "By default what the log looks like."},
        "log": text("A short script, or JSONL."),
        "finds": texts('What is found, as "LINE: message".'),
        "wire": text("What crossed the wire, for rules about what a log lacks; in the same forms."),
        "predict": {"type": "boolean", "description": "Whether it is judged without the server's answer."},
    }
    required = ["name", "log", *more]
    kept = {key: value for key, value in properties.items() if key != "finds" or "finds" in more}
    return {"type": "object", "properties": kept, "required": required, "additionalProperties": False}


def schema() -> Schema:
    """The JSON Schema of a rule file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A rule of wirecheck",
        "type": "object",
        "properties": {
            "name": text("What people say; the name of the file.", pattern="^[a-z0-9]+(-[a-z0-9]+)*$", maxLength=60),
            "code": text("Short and stable.", pattern="^[A-Z]{1,8}[0-9]{3,4}$"),
            "title": text("What holds where all is well."),
            "severity": severity.SCHEMA,
            "doc": text("Why it hurts, then what to do. Markdown."),
            "links": texts("The evidence.", pattern="^https?://"),
            "seen": text("The day on which the newest evidence was seen.", format="date"),
            "given": {"enum": list(FACTS), "description": "The kind of fact the rule is asked about."},
            "where": where_schema("What the fact must be like for the rule to be asked."),
            "check": {
                "type": "object",
                "description": "What must hold: exactly one of these.",
                "properties": {name: {"description": _says(name), **check.OPTIONS} for name, check in CHECKS.items()},
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
            },
            "message": text("What is wrong, with {field} and {found.…}."),
            "help": text("The repair."),
            "server": texts("What the server is known to answer."),
            "says": texts("Texts that lead here and confirm nothing: of SDKs and proxies, or of a matter near by."),
            "empties": texts("The bands that are known to answer it with an empty reply."),
            "accepted": {"enum": ["info"], "description": "What a warning is where the server took the request."},
            "bare": {
                "type": "boolean",
                "description": "Where it is an error, the server is known to reject it and give no reason.",
            },
            "examples": {
                "type": "object",
                "description": "Logs that show the rule, and test it.",
                "properties": {
                    "good": {"type": "array", "items": example(), "description": "Nothing is found in these."},
                    "bad": {"type": "array", "items": example("finds"), "description": "These are found."},
                },
                "additionalProperties": False,
            },
        },
        "required": ["name", "code", "title", "severity", "doc", "given", "check", "message"],
        "additionalProperties": False,
        "$defs": {"lines": lines_schema()},
    }


def _says(check: str) -> str:
    return (CHECKS[check].__doc__ or "").strip()
