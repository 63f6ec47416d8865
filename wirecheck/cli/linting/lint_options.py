"""The options of lint, by name."""

from msgspec import Struct


class LintOptions(Struct, frozen=True, kw_only=True):
    """All options of lint, checked and complete."""

    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    rules: tuple[str, ...]
    fail_on: str
    min_severity: str
    predict: bool
    input_format: str | None
    output_format: str
    output: str | None
    report: tuple[tuple[str, str], ...]
    baseline: str | None
    update_baseline: bool
    statistics: bool
    max_findings: int | None
    jobs: int | None
    color: str
    allow_empty: bool
    quiet: bool
    verbose: bool
    config: str | None
    isolated: bool
