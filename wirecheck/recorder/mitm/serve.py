"""Runs a proxy in this process, with the command whose traffic it records, and returns the exit code."""

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mitmproxy.exceptions import OptionsError
from mitmproxy.options import Options
from mitmproxy.tools.dump import DumpMaster
from msgspec import Struct

from wirecheck.recorder.mitm.addon import Wirecheck
from wirecheck.recorder.mitm.authority import bundle, trusted_by
from wirecheck.recorder.mitm.client_environment import Mode, environment, past
from wirecheck.recorder.mitm.command import NOT_RUNNABLE, CannotRun, run_command
from wirecheck.recorder.mitm.listening import HERE, Listening, listening, taken
from wirecheck.recorder.mitm.pass_through import PassThrough
from wirecheck.recorder.mitm.settings import PREFIX
from wirecheck.report import Screen
from wirecheck.report.screen import clean

LINGER = 3.0  # seconds for connections to end after the command
LOOK = 0.05  # seconds between two polls
# mitmproxy calls every addon twice for each event. A proxy that only records does not need these.
IDLE = (
    *("anticache", "anticomp", "block", "blocklist", "browser", "commandhistory", "comment", "cut", "errorcheck"),
    *("export", "keepserving", "maplocal", "mapremote", "modifybody", "modifyheaders", "onboarding", "proxyauth"),
    *("readfile", "readfilestdin", "save", "savehar", "scriptloader", "serverplayback", "stickyauth", "stickycookie"),
)


class CannotServe(Exception):
    """The proxy could not start. The message says why."""


class ProxyOptions(Struct, frozen=True, kw_only=True):
    """The options of the proxy. `options` are those of the addon, without their prefix."""

    command: tuple[str, ...]
    mode: Mode
    port: int
    upstream: str
    folder: Path  # of the certificate authority
    options: Mapping[str, Any]
    environ: Mapping[str, str]
    ready: Callable[[Mapping[str, str]], None]  # called with the environment variables for clients
    say: Callable[[str], None]
    screen: Screen


def variables(asked: ProxyOptions, where: Listening | None = None) -> dict[str, str]:
    """The environment variables for clients of such a proxy."""
    where = where or listening(asked.mode, asked.port, asked.upstream, asked.environ)
    try:
        certificates = str(bundle(asked.folder, asked.environ))
    except OSError as error:
        raise CannotServe(f"{error.filename or asked.folder}: cannot be written: {error.strerror or error}") from None
    recorded = [*asked.options.get("host", ()), *filter(None, [asked.upstream])]
    return environment(asked.mode, where.urls, certificates, past(asked.environ, recorded))


async def serve(asked: ProxyOptions) -> int:
    """Runs proxy and command. Returns the exit code of the command if it failed, else the verdict."""
    where = listening(asked.mode, asked.port, asked.upstream, asked.environ)
    if busy := taken(where.ports):
        raise CannotServe(f"somebody listens on port {busy[0]} already; name another one with --port")
    needed = variables(asked, where)
    troubles = _Troubles(asked.say)
    logging.getLogger().addHandler(troubles)
    addon = Wirecheck(asked.say, asked.screen)
    try:
        master = _master(asked, where, addon)
        running = asyncio.ensure_future(_run(master))
        await _listens(master, where, running, addon, troubles)
        failed = await _around(asked, needed, running)
        await _until(lambda: not addon.busy or running.done(), LINGER)
        master.shutdown()
        await running
        # Python 3.11 reports connections that end with the loop as errors; they are none.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    finally:
        logging.getLogger().removeHandler(troubles)
    return failed or addon.code


async def _around(asked: ProxyOptions, needed: Mapping[str, str], running: asyncio.Future[None]) -> int:
    """Runs the command, or serves until it is stopped. Returns the exit code of a command that failed, else 0."""

    async def lost() -> None:
        await asyncio.wait([running])

    if asked.command:
        asked.ready(needed)
        try:
            code = await run_command(asked.command, {**asked.environ, **needed}, lost)
        except CannotRun as error:
            asked.say(f"wirecheck: {clean(str(error))}")
            return NOT_RUNNABLE
        return 0 if running.done() else code  # a command that we ended did not fail
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    asked.ready(needed)
    waits: set[asyncio.Future[Any]] = {running, asyncio.ensure_future(over.wait())}
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    return 0


def _master(asked: ProxyOptions, where: Listening, addon: Wirecheck) -> DumpMaster:
    options = Options(mode=where.modes, listen_host=HERE, confdir=str(asked.folder))
    master = DumpMaster(options, with_termlog=False, with_dumper=False)
    master.addons.add(addon, PassThrough(asked.mode))
    errors: Any = master.addons.get("errorcheck")  # it would end the process itself
    errors.finish()
    for idle in map(master.addons.get, IDLE):
        if idle is not None:
            master.addons.remove(idle)
    try:
        options.update(
            # Connect to a server only when a client sends a request.
            connection_strategy="lazy",
            upstream_cert=False,
            upstream_auth=where.login,
            ssl_verify_upstream_trusted_ca=str(trusted_by(asked.environ)),
            **{PREFIX + name: value for name, value in asked.options.items()},
        )
    except OptionsError as error:
        raise CannotServe(str(error)) from None
    return master


async def _listens(
    master: DumpMaster, where: Listening, running: asyncio.Future[None], addon: Wirecheck, troubles: "_Troubles"
) -> None:
    """Waits until the proxy listens."""
    await _until(lambda: bool(addon.addons) or running.done(), 30)
    if running.done():
        await running
    servers: Any = master.addons.get("proxyserver")
    if len(servers.listen_addrs()) < len(where.modes):
        addon.abandon()
        raise CannotServe(troubles.last or "the proxy did not start")
    troubles.loud = True


async def _run(master: DumpMaster) -> None:
    try:
        await master.run()
    except OptionsError as error:
        raise CannotServe(str(error)) from None
    except SystemExit as error:  # mitmproxy could not start; must not end our loop
        if isinstance(error.code, str):
            raise CannotServe(error.code) from None


async def _until(holds: Callable[[], bool], seconds: float) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not holds() and loop.time() < end:
        await asyncio.sleep(LOOK)


class _Troubles(logging.Handler):
    """Prints mitmproxy's warnings, such as a client that does not trust the proxy, or an unreachable server."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self.last = ""
        self.loud = False

    def emit(self, record: logging.LogRecord) -> None:
        self.last = clean(record.getMessage())
        if self.loud:
            self._say(f"wirecheck: {self.last}")
