"""`wirecheck convert`: writes what other programs kept as a wirecheck log, without secrets."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured
from wirecheck.cli.conversion import Conversion
from wirecheck.cli.exits import FAILED, FINE, Refusal, complain, standard_input
from wirecheck.cli.linting import output_safety
from wirecheck.cli.linting.file_batches import known
from wirecheck.cli.new_log import check_unpacked
from wirecheck.cli.process_memory import collecting, freeze_loaded, return_memory
from wirecheck.cli.progress import Progress, told
from wirecheck.cli.rule_selection import each_once
from wirecheck.faults import REPORT, grouped
from wirecheck.report.screen import clean
from wirecheck.report.summary import number
from wirecheck.sources import Reader, ReadProblem
from wirecheck.sources.reader import found

EPILOG = """\b
Examples:
  wirecheck convert session.har -o log.jsonl          one file
  wirecheck convert cassettes/ -o all.jsonl           a directory in one log
  wirecheck convert traffic.mitm | wirecheck lint -   to standard output

Each line says where it came from, and findings in the log name that place. Secrets that are packed in base64 stay.

Exit codes: 0 written, 2 something could not be read or written."""


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@click.option("-o", "--output", type=options.file, metavar="FILE", help="Write the log to FILE.")
@options.input_format
@options.configuration
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Write what is read as a wirecheck log, without secrets. Directories are searched; - is standard input."""
    paths, target = given["paths"], given["output"]
    if not paths:
        raise click.UsageError("Say what to convert: a log, a directory of logs, or - for standard input.")
    if target is not None:
        check_unpacked(target)
        output.check_writable(target)
        output_safety.check_not_read([target], output_safety.files(paths))
    problems, passed = list[ReadProblem](), list[str]()
    files = each_once(list(found(each_once(paths), problems, passed)))
    freeze_loaded()
    return_memory()
    stdin = standard_input().buffer if "-" in files else None
    reader, conversion = Reader(files, input_format=given["input_format"], stdin=stdin), Conversion()
    reader.problems += problems
    with Progress(known(files) if sys.stderr.isatty() else None) as progress:
        output.write_log(target, _lines(conversion, reader, progress))
    _tell_problems(conversion, reader.problems)
    output.write([_summary(conversion, reader, len(passed), target)], sys.stderr)
    ctx.exit(FAILED if reader.problems or conversion.faults else FINE)


def _lines(conversion: Conversion, reader: Reader, progress: Progress) -> Iterator[bytes]:
    yield from conversion.lines(collecting(told(reader, progress.add)))
    if conversion.records == conversion.unreadable:  # what -o names stays as it is
        _tell_problems(conversion, reader.problems)
        raise Refusal(f"nothing in the input was traffic, so no log is written: {number(reader.lines, 'line')} read")


def _tell_problems(conversion: Conversion, problems: Sequence[ReadProblem]) -> None:
    for line in grouped(conversion.faults):
        complain(line)
    if conversion.faults:
        complain(f"all other lines were converted; {REPORT}")
    for problem in problems:
        complain(str(problem))
    for why, (path, first, times) in conversion.skipped.items():
        complain(f"  {path}:{first}: left out, {why} ({number(times, 'line')})")


def _summary(conversion: Conversion, reader: Reader, passed: int, target: str | None) -> str:
    kinds = [number(times, kind) for kind, times in sorted(conversion.channels.kinds.items())]
    read = f"{number(reader.lines, 'line')} of {number(reader.files, 'file')}"
    written = number(conversion.records, "record")
    asides = [f"{number(conversion.redacted, 'value')} redacted"]
    if conversion.unreadable:
        asides.append(f"{number(conversion.unreadable, 'line')} unreadable")
    if left_out := sum(times for _, _, times in conversion.skipped.values()):
        asides.append(f"{number(left_out, 'line')} left out")
    if passed:  # of a folder, as lint passes them over
        asides.append(f"{number(passed, 'file')} passed over")
    where = f" in {clean(target)}" if target is not None else ""
    return " · ".join([f"{' → '.join(filter(None, [read, ', '.join(kinds)]))}: {written}{where}", *asides])
