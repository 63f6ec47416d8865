"""The options of the commands that read logs, by name."""

from msgspec import Struct


class ReadingOptions(Struct, frozen=True, kw_only=True):
    """The options that lint and show have in common."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    rules: tuple[str, ...]
    min_severity: str
    predict: bool
    input_format: str | None
    color: str
    allow_empty: bool


class LintOptions(ReadingOptions, frozen=True, kw_only=True):
    """All options of lint, checked and complete."""

    fail_on: str
    output_format: str
    output: str | None
    report: tuple[tuple[str, str], ...]
    baseline: str | None
    update_baseline: bool
    statistics: bool
    max_findings: int | None
    jobs: int | None
    quiet: bool
    verbose: bool
