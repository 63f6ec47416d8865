"""`wirecheck replay`: sends the requests of a log again, to a server of the user's own."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import click
from msgspec import Struct

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured
from wirecheck.cli.exits import FAILED, FINE, FOUND, Refusal, complain, standard_input
from wirecheck.cli.rule_selection import ruleset
from wirecheck.replay import NotAllowed, RecordedExchange, Replay, Target, Unreachable, recorded_exchanges
from wirecheck.report.screen import clean
from wirecheck.report.summary import number
from wirecheck.sources import Reader
from wirecheck.wire.records import Record, Unread

LONGEST_WAIT = 60.0  # seconds: a night between two requests is not waited for
EPILOG = """\b
Examples:
  wirecheck replay yesterday.jsonl --to http://127.0.0.1:8080
  wirecheck replay yesterday.jsonl --to http://localhost:4000/gemini --timing
  wirecheck replay logs/ --to https://gateway.test --allow-host gateway.test -H 'authorization: Bearer …'

Requests are sent one after the other, as the log has them: without the keys, which it does not have either. Live
sessions are not sent. Nothing is written.

Exit codes: 0 all as it was, 1 another status or another finding, 2 could not send."""


class ReplayOptions(Struct, frozen=True, kw_only=True):
    """All options of replay."""

    paths: tuple[str, ...]
    to: str
    timing: bool
    allow_host: tuple[str, ...]
    header: tuple[tuple[str, str], ...]
    timeout: int
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    rules: tuple[str, ...]
    input_format: str | None
    quiet: bool


def _header(value: str) -> tuple[str, str]:
    name, colon, content = value.partition(":")
    # What was given is not told: it may be a key.
    if not colon or not name.strip() or not value.isprintable():
        raise click.BadParameter("a header is NAME: VALUE, as in 'authorization: Bearer …'")
    return name.strip().lower(), content.strip()


@click.command(cls=Configured, epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@click.option("--to", required=True, metavar="URL", help="The server, on this machine unless --allow-host names it.")
@click.option("--timing", is_flag=True, help="Wait between requests as long as the log says, at most a minute.")
@click.option("--allow-host", multiple=True, metavar="HOST", help="Another machine that may be sent to; repeatable.")
@click.option("-H", "--header", multiple=True, type=_header, metavar="HEADER", help="'NAME: VALUE' for each request.")
@click.option(
    "--timeout", type=options.Number(min=1), default=60, show_default=True, metavar="SECONDS", help="For each answer."
)
@options.which_rules
@options.input_format
@options.configuration
@click.option("-q", "--quiet", is_flag=True, help="Only differences and failures.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Send the requests of a log again to a server of your own, and compare statuses and findings."""
    asked = ReplayOptions(**given)
    if not asked.paths:
        raise click.UsageError("Say what to send: a log, a directory of logs, or - for standard input.")
    try:
        target = Target(asked.to, asked.allow_host, dict(asked.header))
    except NotAllowed as error:
        raise Refusal(f"--to: {clean(str(error))}") from None
    replay = Replay(ruleset(asked.rules, asked.select, asked.ignore))
    stdin = standard_input().buffer if "-" in asked.paths else None
    reader = Reader(asked.paths, input_format=asked.input_format, stdin=stdin)
    left = Counter[str]()
    try:
        output.write(_differences(asked, target, replay, recorded_exchanges(_readable(reader, left)), left))
    finally:
        target.close()
    for problem in reader.problems:
        complain(str(problem))
    if not asked.quiet:
        complain(_closing(replay, left))
    failed = bool(reader.problems) or replay.failed or not replay.sent
    ctx.exit(FAILED if failed else FINE if replay.same == replay.sent else FOUND)


def _readable(reader: Reader, left: Counter[str]) -> Iterator[Record]:
    for record in reader:
        if isinstance(record, Unread):
            left["lines that could not be read"] += 1
        else:
            yield record


def _differences(
    asked: ReplayOptions, target: Target, replay: Replay, exchanges: Iterable[RecordedExchange], left: Counter[str]
) -> Iterator[str]:
    before: float | None = None
    for exchange in exchanges:
        if why := exchange.why_not:
            left[why] += 1
            continue
        at = exchange.opened.at
        if asked.timing and at is not None:
            time.sleep(min(max(at - before, 0.0), LONGEST_WAIT) if before is not None else 0.0)
            before = at
        try:
            yield from replay.heard(exchange, target.ask(exchange, asked.timeout))
        except Unreachable as error:
            yield replay.unanswered(exchange, str(error))
            if not replay.sent:  # nobody is there
                return


def _closing(replay: Replay, left: Counter[str]) -> str:
    told = [f"{number(replay.sent, 'request')} sent", f"{replay.same} as before"]
    told += [f"{replay.sent - replay.same} otherwise"] * (replay.same < replay.sent)
    told += [f"{replay.failed} without an answer"] * (replay.failed > 0)
    return " · ".join([*told, *(f"not sent, {what}: {count}" for what, count in left.items())])
