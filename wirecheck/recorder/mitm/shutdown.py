"""Ends the addon: exit code after all other addons are done, and what clients get when the log is lost."""

import sys
from typing import Protocol

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow, Response

VIEWERS = ("view", "console")  # addons of mitmproxy and mitmweb
SAVERS = ("save_stream_file", "hardump")  # options


class HasExitCode(Protocol):
    code: int


class ExitAddon:
    """The last addon in the chain: it ends the process when all others have finished."""

    def __init__(self, addon: HasExitCode) -> None:
        self.addon = addon
        self.name = "wirecheck-verdict"

    def done(self) -> None:
        # `done` is also called when mitmproxy reloads a script; then it keeps running.
        if ctx.master.should_exit.is_set() and self.addon.code:
            sys.exit(self.addon.code)


def exit_last(addon: HasExitCode) -> None:
    """Lets the process exit with the addon's code once everything else is done."""
    if (before := ctx.master.addons.get("wirecheck-verdict")) is not None:
        ctx.master.addons.remove(before)
    ctx.master.addons.add(ExitAddon(addon))


def turn_away(flow: HTTPFlow, why: str) -> None:
    """Stops traffic after the log is lost: a request gets an error reply, any other flow is killed."""
    if flow.websocket is None and flow.response is None:
        flow.response = Response.make(502, f"wirecheck stopped: {why}".encode(), {"content-type": "text/plain"})
    elif flow.killable:
        flow.kill()


def forget_messages(flow: HTTPFlow) -> None:
    """Drops old messages of a websocket, which mitmproxy would all keep, if nothing will show or save them."""
    shown = any(ctx.master.addons.get(name) for name in VIEWERS)
    saved = any(getattr(ctx.options, name) for name in SAVERS if name in ctx.options)
    if flow.websocket is not None and not (shown or saved):
        del flow.websocket.messages[:-1]
