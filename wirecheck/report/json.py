"""The report as one JSON value, version 1, for programs. Its shape is `report.schema.json`, and a contract.

What terminals and runners of CI jobs act on (bidi overrides, C1 controls, `##[…]`) is written as escapes.
"""

from collections.abc import Iterator
from textwrap import indent
from typing import Any

import orjson
from msgspec import to_builtins

from wirecheck.finding import Finding, Place
from wirecheck.report.report import Report
from wirecheck.report.screen import Screen, inert
from wirecheck.secrets.scrub import scrub
from wirecheck.version import __version__


def render(report: Report, screen: Screen) -> Iterator[str]:
    head = {
        "version": 1,
        "tool": {"name": "wirecheck", "version": __version__},
        "checked": to_builtins(report.checked),
        "summary": to_builtins(report.summary),
    }
    # One finding at a time: there may be many.
    yield text(head, orjson.OPT_INDENT_2).removesuffix("\n}") + ","
    yield '  "findings": ['
    last = len(report.findings) - 1
    for index, finding in enumerate(report.findings):
        yield indent(text(as_json(finding), orjson.OPT_INDENT_2), "    ") + "," * (index < last)
    yield "  ]\n}"


def text(value: Any, option: int = 0) -> str:
    lines = orjson.dumps(_readable(value), option=option).decode().split("\n")
    return "\n".join(inert(line if line.isprintable() else "".join(map(_visible, line))) for line in lines)


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def as_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "url": finding.url,
        **_place(finding.place),
        "surface": finding.surface,
        "model": finding.model,
        "band": finding.band,
        "conversation": finding.conversation,
        "turn": finding.turn,
        "call": finding.call and {"id": finding.call.id, "name": finding.call.name},
        "related": [{**_place(related.place), "label": related.label} for related in finding.related],
        "repeated": finding.repeated,
        "server": to_builtins(finding.server),
        "fingerprint": finding.fingerprint,
    }


def _place(place: Place) -> dict[str, Any]:
    value: dict[str, Any] = {"path": place.path, "line": place.line, "pointer": place.pointer}
    if place.inner is not None:
        value["inner"] = {"event": place.inner.event, "pointer": place.inner.pointer}
    return value


def _readable(value: Any) -> Any:
    """The value, scrubbed, and without lone surrogates, which JSON text cannot hold."""
    if isinstance(value, str):
        return scrub(value.encode("utf-8", "backslashreplace").decode())
    if isinstance(value, dict):
        return {_readable(key): _readable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_readable(item) for item in value]
    return value
