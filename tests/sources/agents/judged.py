"""A file as it is judged: what is found, where, and what could not be read."""

from pathlib import Path

from wirecheck import Inspector, Reader, load
from wirecheck.finding import Finding, Place

RULES = load()


def place(where: Place) -> str:
    """Line, pointer, and where it leads on in a text: `3 /a » /b`."""
    inner = f" » {where.inner.pointer}" if where.inner is not None else ""
    return f"{where.line} {where.pointer}{inner}".strip()


def findings(path: Path, *, memo: bool = True) -> tuple[list[Finding], Reader, Inspector]:
    reader, inspector = Reader([str(path)]), Inspector(RULES, memo=memo)
    found = [finding for record in reader for finding in inspector.feed(record)]
    return found + inspector.close(), reader, inspector


def judge(path: Path) -> list[str]:
    """Each finding above info as `rule: place`, then what could not be read."""
    found, reader, _ = findings(path)
    told = [f"{each.rule}: {place(each.place)}" for each in found if each.severity != "info"]
    return told + [problem.why for problem in reader.problems]


def judged(folder: Path, name: str, written: str | bytes) -> list[str]:
    path = folder / name
    path.write_bytes(written.encode() if isinstance(written, str) else written)
    return judge(path)
