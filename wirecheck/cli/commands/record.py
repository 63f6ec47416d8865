"""`wirecheck record`: run a command behind the proxy, write its traffic to a log, judge it as it happens."""

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from wirecheck.cli import options, output
from wirecheck.cli.config import Configured, in_force, shown
from wirecheck.cli.exits import Refusal, complain
from wirecheck.cli.new_log import check_name, new_log
from wirecheck.cli.process_memory import collect_as_python_does

if TYPE_CHECKING:
    from wirecheck.recorder.mitm.serve import ProxyOptions

NOT_RUNNABLE, NOT_FOUND = 126, 127  # as shells say it
PORT = 8080  # where a proxy without a command listens, so that --print-env knows it
EPILOG = """\b
Examples:
  wirecheck record -- python agent.py                 write a new log
  wirecheck record -o agent.jsonl -- gemini -p "hi"   write or continue it
  wirecheck record --mode reverse -- node live.js     a client without proxy
  wirecheck record --enforce -- python agent.py       send nothing wrong
  wirecheck record                                    serve until Ctrl-C
  eval "$(wirecheck record --print-env)"              for another shell

What wirecheck says goes to standard error; standard output belongs to the command.

Exit codes: the command's where it failed, else 0 nothing found, 1 findings, 2 could not check."""


class WithCommand(Configured):
    """Refuses a `--` without a command after it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ends = args[-1:] == ["--"]
        rest = super().parse_args(ctx, args)
        if ends and not ctx.params["words"]:
            raise click.UsageError("there is no COMMAND behind `--`", ctx)
        return rest


@click.command(cls=WithCommand, epilog=EPILOG, context_settings={"allow_interspersed_args": False})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option("-o", "--output", "log", metavar="FILE", help="The log. One that wirecheck wrote is continued.")
@click.option(
    "--mode",
    type=options.Word(["forward", "reverse"]),
    default="forward",
    show_default=True,
    help="forward: a proxy for HTTPS; reverse: a server that clients are given as base URL.",
)
@click.option("--upstream", metavar="URL", default="", help="The server behind the proxy, instead of Google's.")
@click.option("--port", type=options.Number(0, 65535), help="Where to listen: any free port with COMMAND, else 8080.")
@click.option("--enforce", is_flag=True, help="Answer requests that have errors instead of sending them.")
@click.option(
    "--call-timeout",
    type=options.Number(min=0),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Tell of a Live call that has waited so long for its response; 0: never.",
)
@click.option("--all-hosts", is_flag=True, help="Record every host that speaks a Gemini dialect.")
@click.option("--host", multiple=True, metavar="NAME", help="Record this server of your application, too; repeatable.")
@click.option("--keep-media", is_flag=True, help="Keep pictures and sound in the log, not only their type and hash.")
@options.which_rules
@options.fail_on
@options.min_severity
@options.report
@options.color
@options.allow_empty
@options.configuration
@click.option("--print-env", is_flag=True, help="Print what a client needs in its environment, and exit.")
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **given: Any) -> None:
    """Run COMMAND behind a proxy, record what it says to Gemini, and judge it while it runs."""
    if find_spec("mitmproxy") is None:
        raise Refusal("recording needs mitmproxy: `pip install mitmproxy`, or install wirecheck with its extra `proxy`")
    if find_spec("fcntl") is None:
        raise Refusal(
            "recording needs file locks as Linux and macOS have them (fcntl); here, record with mitmproxy: "
            "`mitmdump -w x.mitm`, then `wirecheck lint x.mitm`"
        )
    from wirecheck.recorder.mitm import serve

    collect_as_python_does()
    _check(words, given)
    given["settings"] = shown(in_force(ctx))
    try:
        if given["print_env"]:
            _print(serve.variables(_asked("", words, given)))
            return
        with new_log(given["log"]) as log:
            code = asyncio.run(serve.serve(_asked(log, words, given)))
    except serve.CannotServe as error:
        raise Refusal(str(error)) from None
    ctx.exit(code)


def _asked(log: str, words: tuple[str, ...], given: Mapping[str, Any]) -> "ProxyOptions":
    from wirecheck.recorder.mitm.serve import ProxyOptions
    from wirecheck.recorder.mitm.settings import OPTIONS

    named = {name: given[name] for name in OPTIONS if name in given}
    return ProxyOptions(
        command=words,
        mode=given["mode"],
        port=(0 if words else PORT) if given["port"] is None else given["port"],
        upstream=given["upstream"],
        folder=_folder(),
        options={**named, "log": log, "report": list(map("=".join, given["report"]))},
        environ=os.environ,
        ready=lambda variables: _ready(log, words, variables),
        say=_say,
        screen=output.screen(sys.stderr, given["color"]),
    )


def _folder() -> Path:
    """Where the certificates of the proxy are kept."""
    folder = Path(click.get_app_dir("wirecheck")) / "proxy"
    if folder.parts[0] == "~":  # whose user is unknown
        raise Refusal("there is no home to keep the proxy's certificates in; set HOME or XDG_CONFIG_HOME to a folder")
    return folder


def _check(words: tuple[str, ...], given: Mapping[str, Any]) -> None:
    """Refuses, before any work, what would be useless."""
    if given["print_env"] and words:
        raise click.UsageError("--print-env runs no COMMAND; leave one of the two out")
    check_name(given["log"] or "")
    if words and not shutil.which(words[0]):
        there = os.sep in words[0] and os.path.exists(words[0])
        why = "is a directory" if os.path.isdir(words[0]) else "permission denied" if there else "command not found"
        complain(f"{words[0]}: {why}")
        raise click.exceptions.Exit(NOT_RUNNABLE if there else NOT_FOUND)
    if given["upstream"] and not _is_server(given["upstream"]):
        raise click.UsageError(f"--upstream takes a URL, as in https://gateway.example, not '{given['upstream']}'.")
    files = [given["log"]] if given["log"] else []
    for _, path in given["report"]:
        output.check_writable(path)
        if any(os.path.realpath(path) == os.path.realpath(other) for other in files):
            raise click.UsageError(f"{path} is written twice: the log and each report need a file of their own.")
        files.append(path)


def _is_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # not a port
        return False


def _ready(log: str, words: tuple[str, ...], variables: Mapping[str, str]) -> None:
    complain(f"recording to {log}")
    if not words:
        _print(variables)
        complain("run your program with these in its environment; Ctrl-C ends the recording")


def _say(text: str) -> None:
    """Prints to stderr. The text is clean already: all callers pass it through `clean`."""
    output.write(text.splitlines(), sys.stderr)


def _print(variables: Mapping[str, str]) -> None:
    """Prints the variables as lines for a shell."""
    output.write(f"export {name}={shlex.quote(value)}" for name, value in variables.items())
