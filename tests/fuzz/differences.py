"""Ways of judging one log that have to find the same."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace

from tests.fuzz import seeds
from tests.fuzz.user_rules import user_rules
from tests.memo.agree import MILD, OF_REPLIES, Judged, judged
from wirecheck.cli.conversion import Conversion
from wirecheck.cli.linting import file_batches, inspect, process_pool
from wirecheck.finding import Finding
from wirecheck.rules import Ruleset
from wirecheck.secrets.redaction import Redaction
from wirecheck.sources import read_file
from wirecheck.talk.facts import Fact
from wirecheck.wire import log
from wirecheck.wire.recited_prefix import PrefixFinder
from wirecheck.wire.records import Closed, Frame, Opened, Origin, Record, Replied

# What is found in a log, and not in every other form of it. Whether an event of a stream broke off, or a whole body is
# no JSON, is known where the log keeps the text of the stream; of a secret nothing is found where it is gone.
OF_TEXTS = ("unreadable-line",)
OF_SECRETS = ("live-ephemeral-token-endpoint", "url-parameter")
SECRET = "planted-0123456789-secret"
Written = Opened | Replied | Frame | Closed


class Difference(AssertionError):
    """Two ways do not agree. The message names the rules, or the counts, that differ."""


def memo(data: bytes) -> None:
    """With memos and without, predicting too."""
    for predict in (False, True):
        _agree(seeds.builtin(), data, predict=predict)


def alone(data: bytes) -> None:
    """As `lint` reads a log, Live frames many at a time, and record by record."""
    rules = seeds.builtin()
    _compare(_quick(rules, _read(data)), _quick(rules, list(seeds.records(data))))


def files(data: bytes) -> None:
    """Several files in one process, and as several processes would share them."""
    rules, lines = seeds.builtin(), data.split(b"\n")
    thirds = [lines[n * len(lines) // 3 : (n + 1) * len(lines) // 3] for n in range(3)]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        paths = [Path(folder, f"{n}.jsonl") for n in range(4)]
        for path, some in zip(paths, (*thirds, thirds[0]), strict=True):
            path.write_bytes(b"\n".join(some))
        patch.setattr(file_batches, "LARGE", 0)
        patch.setattr(process_pool, "spread", lambda *_: None)  # this process judges each batch by itself
        one, several = (
            inspect.inspect([*map(str, paths)], rules, jobs=jobs, load=seeds.builtin, counted=MILD) for jobs in (1, 4)
        )
    _equal(one.findings, several.findings)
    if one.faults or several.faults:
        raise Difference(f"a fault: {(one.faults or several.faults)[0].what}")
    if (one.checked, one.problems, one.counted) != (several.checked, several.problems, several.counted):
        raise Difference("counts")


def own_log(data: bytes) -> None:
    """A log, and the same records in our own format."""
    records, rules = seeds.written(data), seeds.builtin()
    forms = (records, [*map(_converted, records)])
    one, other = (_told(_without(OF_TEXTS, _quick(rules, some).findings)) for some in forms)
    if one != other:
        raise Difference(" ".join(sorted({rule for rule, _ in {*one} ^ {*other}})))


def converted(data: bytes) -> None:
    """A log that holds no secret, and what it is converted to. Converted again, that has the same bytes."""
    rules, first, second = seeds.builtin(), Conversion(), Conversion()
    once = b"".join(first.lines(_read(data)))
    if b"".join(second.lines(_read(once))) != once:
        raise Difference("the bytes")
    if not first.redacted and not first.faults:
        _equal(*(_quick(rules, _read(log)).findings for log in (data, once)))


def redacted(data: bytes) -> None:
    """A log with a secret in headers and URLs, and the same redacted: whose bodies hold none has the same findings."""
    redaction, rules, kept = Redaction(), seeds.builtin(), True
    records, scrubbed = [], []
    for record in seeds.written(data):
        if isinstance(record, Opened):
            headers = {**record.headers, "x-goog-api-key": SECRET}
            record = replace(
                record, headers=headers, url=f"{record.url}{'&' if '?' in record.url else '?'}key={SECRET}"
            )
        records.append(record)
        scrubbed.append(redaction.scrubbed(record))
        if SECRET.encode() in log.encode(scrubbed[-1]):
            raise Difference("a secret is left")
        kept = kept and _payload(record) == _payload(scrubbed[-1])
    if kept:
        _equal(*(_without(OF_SECRETS, _quick(rules, some).findings) for some in (records, scrubbed)))


def users_rules(data: bytes) -> None:
    """With rules that ask of the very values of this log, each alone and beside the others."""
    facts: list[Fact] = []
    judged(seeds.builtin(), seeds.records(data), memo=False, listen=facts.append)
    mine = user_rules(Random(crc32(data)), facts)
    for rules in ([rule] for rule in mine):
        _agree(Ruleset(rules, seeds.builtin().models), data)
    _agree(Ruleset([*seeds.builtin().rules, *mine], seeds.builtin().models), data)


WAYS: dict[str, Callable[[bytes], None]] = {
    "memo": memo,
    "alone": alone,
    "files": files,
    "own-log": own_log,
    "converted": converted,
    "redacted": redacted,
    "users-rules": users_rules,
}


def _agree(rules: Ruleset, data: bytes, **options: Any) -> None:
    quick = _quick(rules, _read(data), **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefixFinder, "find", lambda finder, line: None)
        plain = judged(rules, _read(data), memo=False, **options)
    _compare(quick, plain)


def _read(data: bytes) -> Iterable[Record]:
    from io import BytesIO

    return read_file(BytesIO(data), "log.jsonl")


def _quick(rules: Ruleset, records: Iterable[Record], **options: Any) -> Judged:
    return judged(rules, records, **options)


def _compare(one: Judged, other: Judged) -> None:
    _equal(one.findings, other.findings)
    for what in ("counted", "checked"):
        if getattr(one.inspector, what) != getattr(other.inspector, what):
            raise Difference(what)


def _equal(one: Sequence[Finding], other: Sequence[Finding]) -> None:
    if [*map(_compared, one)] == [*map(_compared, other)]:
        return
    more, less = Counter(map(repr, map(_compared, one))), Counter(map(repr, map(_compared, other)))
    named = {repr(_compared(each)): each.rule for each in (*one, *other)}
    differ = sorted({named[each] for each in ((more - less) + (less - more))})
    raise Difference(" ".join(differ) or "the order")


def _compared(finding: Finding) -> Finding:
    return replace(finding, repeated=0) if finding.rule in OF_REPLIES else finding


def _without(names: Sequence[str], findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if each.rule not in names]


def _told(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """The rules and severities. Places are others in another log; and what stands in two layouts in one log, and is
    told of each, stands in one in the other, where it is told once."""
    return sorted({(each.rule, each.severity) for each in findings})


def _converted(record: Written) -> Record:
    return log.decode(log.encode(record).rstrip(b"\n"), Origin(record.origin.path, record.origin.line))


def _payload(record: Written) -> bytes | None:
    body = record.body if isinstance(record, Opened | Frame) else None
    return None if body is None else bytes(body.payload)
