"""The program: its commands, loaded when they are asked for, and how it ends.

A user's mistake ends in a message and exit code 2, never in a traceback. A traceback is a bug in wirecheck, and is
reported as one.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from wirecheck.cli.exits import FAILED, INTERRUPTED, complain, discard_output, leave, say_plainly
from wirecheck.version import __version__

COMMANDS = {
    "lint": "Judge logs: what is wrong, where, why, and how to repair it.",
    "record": "Run a program behind a proxy: record what it says to Gemini, judge it live.",
    "show": "Show the conversations of logs turn by turn, findings in place.",
    "diff": "Compare what an application logged with what crossed the wire.",
    "replay": "Send the requests of a log again to a server of your own, and compare.",
    "convert": "Write what other programs kept as a wirecheck log, without secrets.",
    "redact": "Write logs again without their secrets, to be given away.",
    "explain": "Explain a rule by its name, its code, or the server's error text.",
    "rules": "List the rules, run their examples, check rule files.",
    "formats": "List what is read, how it is recognised, and where such files lie.",
    "addon-path": "Print the path of the addon for mitmproxy, mitmdump and mitmweb.",
}
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
EPILOG = """\b
Examples:
  wirecheck lint logs.jsonl            judge a log
  wirecheck show logs.jsonl            see its conversations
  wirecheck explain WC301              what a rule is about

Exit codes: 0 nothing found, 1 findings, 2 could not check."""


class Commands(click.Group):
    """Commands, each a module of wirecheck.cli.commands with a click command called `command`."""

    def main(self, *args: Any, **options: Any) -> Any:
        """A usage error may quote a file name, which a shell put where an option is expected."""
        try:
            return super().main(*args, **options)
        except click.UsageError as error:
            from wirecheck.report.screen import clean, inert

            raise click.UsageError(inert(clean(error.format_message())), error.ctx) from None

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


def main(interruptible: bool = False) -> NoReturn:
    """Runs the program and ends the process. Ctrl-C is an exception only in between, where it is caught."""
    # A closed stream is opened on /dev/null, so that no log or report gets its descriptor.
    sys.stdin = sys.stdin or _nowhere()
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    sys.unraisablehook = _unraisable
    try:
        if interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = _run()
        if interruptible:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        code = _interrupted()
    except MemoryError:
        code = _out_of_memory()
    leave(code)


def _nowhere() -> TextIO:
    return open(os.devnull, "w")


def _run() -> int:
    try:
        os.getcwd()
    except OSError as error:
        complain(f"the working folder is gone: {error.strerror}; change to another one")
        return FAILED
    try:
        return program.main(prog_name="wirecheck", standalone_mode=False) or 0
    except click.ClickException as error:
        with suppress(OSError):  # nobody reads what went wrong
            error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _interrupted()
    except (BrokenPipeError, SystemExit):  # click makes the latter, with 1, of the former
        discard_output()
        return FAILED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
            discard_output()
            complain(f"standard output: cannot be written: {error.strerror}")
            return FAILED
        if _among_causes(error, _is_interruption):
            return _interrupted()
        if _among_causes(error, _is_lack_of_memory):
            return _out_of_memory()
        return _fault()


def _interrupted() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is told once
    complain("interrupted before it was done")
    return INTERRUPTED


def _out_of_memory() -> int:
    say_plainly("out of memory, so nothing is judged; --jobs 1 takes less, and so do fewer logs at a time")
    return FAILED


def _unraisable(raised: "sys.UnraisableHookArgs") -> None:
    """Ctrl-C in a callback of the interpreter cannot be caught: it ends the process here."""
    if raised.exc_type is KeyboardInterrupt:
        say_plainly("interrupted before it was done")
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(raised)


def _among_causes(error: BaseException | None, is_it: Callable[[BaseException], bool]) -> bool:
    """Whether an exception, or one that it was made of, is this: modules being loaded wrap what happens to them."""
    while error is not None and not is_it(error):
        error = error.__cause__ or error.__context__
    return error is not None


def _is_interruption(error: BaseException) -> bool:
    return isinstance(error, KeyboardInterrupt)


def _is_lack_of_memory(error: BaseException) -> bool:
    if isinstance(error, ImportError):  # as the dynamic linker says it
        return "failed to map segment" in str(error) or os.strerror(errno.ENOMEM) in str(error)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _fault() -> int:
    import traceback

    from wirecheck.report.screen import clean

    for line in traceback.format_exc().splitlines():
        click.echo(clean(line), err=True)
    complain("this is a fault in wirecheck, not in your log; please report it with the lines above")
    return FAILED
