"""The program: its commands, loaded when they are asked for, and how it ends.

A user's mistake ends in a message and exit code 2, never in a traceback. A traceback is a bug in wirecheck, and is
reported as one.
"""

import os
import sys
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from wirecheck.cli.exits import FAILED, INTERRUPTED, complain, discard_output, leave
from wirecheck.version import __version__

COMMANDS = {
    "lint": "Judge logs: what is wrong, where, why, and how to repair it.",
    "record": "Run a program behind a proxy: record what it says to Gemini, judge it live.",
    "show": "Show the conversations of logs turn by turn, findings in place.",
    "explain": "Explain a rule by its name, its code, or the server's error text.",
    "rules": "List the rules, run their examples, check rule files.",
    "addon-path": "Print the path of the addon for mitmproxy, mitmdump and mitmweb.",
}
EPILOG = """\b
Examples:
  wirecheck lint logs.jsonl            judge a log
  wirecheck show logs.jsonl            see its conversations
  wirecheck explain WC301              what a rule is about

Exit codes: 0 nothing found, 1 findings, 2 could not check."""


class Commands(click.Group):
    """Commands, each a module of wirecheck.cli.commands with a click command called `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"wirecheck.cli.commands.{name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        from wirecheck.rules.language.fields import suggest

        raise click.UsageError(f"No such command '{args[0]}'{suggest(args[0], COMMANDS)}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def program(**_: Any) -> None:
    """Says what is wrong with Gemini wire traffic, where, and what to do."""


def main() -> NoReturn:
    # A closed stream is opened on /dev/null, so that no log or report gets its descriptor.
    sys.stdin = sys.stdin or _nowhere()
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    leave(_run())


def _nowhere() -> TextIO:
    return open(os.devnull, "w")


def _run() -> int:
    try:
        return program.main(prog_name="wirecheck", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted, so nothing is judged")
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return FAILED
    except Exception:
        return _fault()


def _fault() -> int:
    import traceback

    from wirecheck.report.screen import clean

    for line in traceback.format_exc().splitlines():
        click.echo(clean(line), err=True)
    complain("this is a fault in wirecheck, not in your log; please report it with the lines above")
    return FAILED
