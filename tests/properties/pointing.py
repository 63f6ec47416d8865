"""Whether the places of findings are there."""

import json
from collections.abc import Iterator
from typing import Any

from wirecheck.finding import Finding, Inner, Place
from wirecheck.wire import sse


def resolved(value: Any, pointer: str) -> Any:
    """What an RFC 6901 pointer leads to. Raises LookupError where there is nothing."""
    for token in pointer.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not step.isdecimal() or str(int(step)) != step:
                raise LookupError(step)
            value = value[int(step)]
        elif isinstance(value, dict):
            value = value[step]
        else:
            raise LookupError(step)
    return value


def within(text: Any, inner: Inner) -> Any:
    """The JSON that a string of the log holds: all of it, or one event of a stream."""
    if inner.event is None:
        return json.loads(text)
    return json.loads(list(sse.events(text.encode()))[inner.event])


def missing(findings: list[Finding], lines: list[bytes]) -> Iterator[tuple[str, Place]]:
    """The places of findings, and those related to them, that their lines do not have."""
    for finding in findings:
        for place in (finding.place, *(each.place for each in finding.related)):
            try:
                _find(place, lines)
            except (LookupError, ValueError) as error:
                yield f"{finding.rule}: {error!r}", place


def _find(place: Place, lines: list[bytes]) -> None:
    if not 0 < place.line <= len(lines):
        raise LookupError(place.line)
    if not place.pointer and place.inner is None:
        return
    held = resolved(json.loads(lines[place.line - 1]), place.pointer)
    if place.inner is not None and place.inner.pointer:
        resolved(within(held, place.inner), place.inner.pointer)
