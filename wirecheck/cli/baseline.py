"""Findings known and put up with, counted by fingerprint, so that only new ones count.

Lines and ids change from log to log; fingerprints hold neither.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import DecodeError, Struct, ValidationError, json

from wirecheck.cli.ending import Refusal
from wirecheck.cli.output import write_file
from wirecheck.finding import Finding


class Known(Struct, frozen=True):
    rule: str
    count: int


class Baseline(Struct, frozen=True):
    version: int = 1
    findings: dict[str, Known] = {}


def load(path: str) -> Baseline:
    try:
        with open(path, "rb") as file:
            return json.decode(file.read(), type=Baseline)
    except FileNotFoundError:
        raise Refusal(f"{path}: no such baseline; --update-baseline writes one") from None
    except OSError as error:
        raise Refusal(f"{path}: cannot be read: {error.strerror or error}") from None
    except (DecodeError, ValidationError, RecursionError) as error:
        raise Refusal(f"{path}: not a baseline: {error}; --update-baseline writes one") from None


def save(path: str, findings: Iterable[Finding]) -> Baseline:
    counts = Counter((finding.fingerprint, finding.rule) for finding in findings)
    known = {print_: Known(rule, count) for (print_, rule), count in sorted(counts.items())}
    baseline = Baseline(findings=known)
    write_file(path, [json.format(json.encode(baseline), indent=2).decode()])
    return baseline


def split(baseline: Baseline, findings: Iterable[Finding]) -> tuple[list[Finding], int, list[str]]:
    """What is new, how many were known, and the rules of entries that count more than was found."""
    left = {print_: known.count for print_, known in baseline.findings.items()}
    new = []
    suppressed = 0
    for finding in findings:
        if left.get(finding.fingerprint, 0) > 0:
            left[finding.fingerprint] -= 1
            suppressed += 1
        else:
            new.append(finding)
    return new, suppressed, list(_stale(baseline, left))


def _stale(baseline: Baseline, left: dict[str, int]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for print_, count in left.items():
        counts[baseline.findings[print_].rule] += count
    for rule, count in sorted(counts.items()):
        if count > 0:
            yield f"{rule} ({count})"
