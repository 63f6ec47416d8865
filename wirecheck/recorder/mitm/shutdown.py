"""How the addon ends: its exit code after all other addons are done, and what clients hear when the log is lost."""

import sys
from typing import Protocol

from mitmproxy import ctx
from mitmproxy.http import HTTPFlow, Response

VIEWERS = ("view", "console")  # addons of mitmproxy and mitmweb
SAVERS = ("save_stream_file", "hardump")  # options


class HasExitCode(Protocol):
    code: int


class ExitAddon:
    """The last addon in the chain: when it ends the process, the others have saved what they had to save."""

    def __init__(self, addon: HasExitCode) -> None:
        self.addon = addon
        self.name = "wirecheck-verdict"

    def done(self) -> None:
        # A script that mitmproxy loads anew is done as well, and mitmproxy goes on.
        if ctx.master.should_exit.is_set() and self.addon.code:
            sys.exit(self.addon.code)


def exit_last(addon: HasExitCode) -> None:
    """Let the process exit with the code of the addon, once everything else is done."""
    if (before := ctx.master.addons.get("wirecheck-verdict")) is not None:
        ctx.master.addons.remove(before)
    ctx.master.addons.add(ExitAddon(addon))


def turn_away(flow: HTTPFlow, why: str) -> None:
    """Nothing goes through any more: a request is told so, whatever else is open is cut off."""
    if flow.websocket is None and flow.response is None:
        flow.response = Response.make(502, f"wirecheck stopped: {why}".encode(), {"content-type": "text/plain"})
    elif flow.killable:
        flow.kill()


def forget_messages(flow: HTTPFlow) -> None:
    """mitmproxy keeps every message of a websocket. Where nobody will look at them, only the last one stays."""
    shown = any(ctx.master.addons.get(name) for name in VIEWERS)
    saved = any(getattr(ctx.options, name) for name in SAVERS if name in ctx.options)
    if flow.websocket is not None and not (shown or saved):
        del flow.websocket.messages[:-1]
