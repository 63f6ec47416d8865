"""`wirecheck addon-path`: the file that mitmproxy, mitmdump and mitmweb load with -s."""

from pathlib import Path

import click

import wirecheck

SHIM = Path(wirecheck.__file__).parent / "recorder" / "mitm" / "shim" / "wirecheck_addon.py"
EPILOG = """\b
Examples:
  mitmdump -s "$(wirecheck addon-path)" --set wirecheck_log=traffic.jsonl
  mitmweb -s "$(wirecheck addon-path)"
  mitmdump -nr saved.mitm -s "$(wirecheck addon-path)"   judge a saved capture

wirecheck has to be installed beside mitmproxy: `uv tool install mitmproxy --with wirecheck`, or
`pipx inject mitmproxy wirecheck`."""


@click.command(epilog=EPILOG)
def command() -> None:
    """Print the path of the addon for mitmproxy."""
    click.echo(SHIM)
