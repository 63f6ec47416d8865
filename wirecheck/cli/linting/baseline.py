"""The baseline: findings that are known and accepted, counted by fingerprint, so that only new ones are reported.

Lines and ids differ between logs; fingerprints contain neither.
"""

import os
from collections import Counter
from collections.abc import Container, Iterable

from msgspec import DecodeError, Struct, ValidationError, json

from wirecheck.cli.exits import Refusal
from wirecheck.cli.output import write_file
from wirecheck.data.regular_file import read_regular
from wirecheck.finding import Finding

VERSION = 1
LARGEST = 512 << 20


class BaselineEntry(Struct, frozen=True):
    rule: str
    count: int


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """The file. No field has a default, or any JSON object would pass for a baseline."""

    version: int
    findings: dict[str, BaselineEntry]


def load(path: str) -> Baseline:
    try:
        return _decoded(path, read_regular(path, LARGEST))
    except FileNotFoundError:
        raise Refusal(f"{path}: no such baseline; --update-baseline writes one") from None
    except OSError as error:
        raise Refusal(f"{path}: cannot be read: {error.strerror or error}") from None


def _decoded(path: str, raw: bytes) -> Baseline:
    if not raw:
        raise Refusal(f"{path}: not a baseline: it is empty; --update-baseline writes one")
    try:
        baseline = json.decode(raw, type=Baseline)
    except (DecodeError, ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(f"{path}: not a baseline: {error}; name another file, or remove this one") from None
    if baseline.version != VERSION:
        raise Refusal(f"{path}: a baseline of version {baseline.version}, and this wirecheck knows {VERSION}")
    return baseline


def check_replaceable(path: str) -> None:
    """Refuses to overwrite a file that is neither a baseline nor empty."""
    if os.path.exists(path) and os.path.getsize(path):
        load(path)


def update(path: str, findings: Iterable[Finding], rules: Container[str]) -> Baseline:
    """Writes the findings to the baseline. Entries of rules that did not run stay."""
    counts = Counter((finding.fingerprint, finding.rule) for finding in findings)
    known = {print_: BaselineEntry(rule, count) for (print_, rule), count in counts.items()}
    if os.path.lexists(path) and not os.path.isfile(path):
        raise Refusal(f"{path}: not a regular file")
    before = load(path).findings if os.path.isfile(path) and os.path.getsize(path) else {}
    known |= {print_: entry for print_, entry in before.items() if entry.rule not in rules}
    baseline = Baseline(VERSION, dict(sorted(known.items())))
    write_file(path, [json.format(json.encode(baseline), indent=2).decode()])
    return baseline


def split(
    baseline: Baseline, findings: Iterable[Finding], rules: Container[str]
) -> tuple[list[Finding], int, list[str]]:
    """Returns the new findings, the number of known ones, and the rules with entries that were not found again."""
    left = {print_: known.count for print_, known in baseline.findings.items()}
    new = []
    suppressed = 0
    for finding in findings:
        if left.get(finding.fingerprint, 0) > 0:
            left[finding.fingerprint] -= 1
            suppressed += 1
        else:
            new.append(finding)
    lost: Counter[str] = Counter()
    for print_, count in left.items():
        lost[baseline.findings[print_].rule] += count
    stale = [f"{rule} ({count})" for rule, count in sorted(lost.items()) if count > 0 and rule in rules]
    return new, suppressed, stale
