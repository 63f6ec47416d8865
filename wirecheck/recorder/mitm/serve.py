"""A proxy of our own, in this process, around a command: it listens, tells the command where, and gives its verdict."""

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

LINGER = 3.0  # seconds that connections have to end once the command has
LOOK = 0.05  # seconds between two looks
# mitmproxy asks every addon twice at each event. These have nothing to do in a proxy that only records.
IDLE = (
    *("anticache", "anticomp", "block", "blocklist", "browser", "commandhistory", "comment", "cut", "errorcheck"),
    *("export", "keepserving", "maplocal", "mapremote", "modifybody", "modifyheaders", "onboarding", "proxyauth"),
    *("readfile", "readfilestdin", "save", "savehar", "scriptloader", "serverplayback", "stickyauth", "stickycookie"),
)


class CannotServe(Exception):
    """The proxy could not start. The text says why, for people."""


class ProxyOptions(Struct, frozen=True, kw_only=True):
    """What the proxy is for. `options` are those of the addon, without their prefix."""

    command: tuple[str, ...]
    mode: Mode
    port: int
    upstream: str
    folder: Path  # of the certificate authority
    options: Mapping[str, Any]
    environ: Mapping[str, str]
    ready: Callable[[Mapping[str, str]], None]  # is told the variables to set
    say: Callable[[str], None]
    screen: Screen


def variables(asked: ProxyOptions, where: Listening | None = None) -> dict[str, str]:
    """What a client needs in its environment, where such a proxy listens."""
    where = where or listening(asked.mode, asked.port, asked.upstream, asked.environ)
    try:
        certificates = str(bundle(asked.folder, asked.environ))
    except OSError as error:
        raise CannotServe(f"{error.filename or asked.folder}: cannot be written: {error.strerror or error}") from None
    recorded = [*asked.options.get("host", ()), *filter(None, [asked.upstream])]
    return environment(asked.mode, where.urls, certificates, past(asked.environ, recorded))


async def serve(asked: ProxyOptions) -> int:
    """The exit code: the command's where it failed, else the verdict."""
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
        # Connections that are cut off with the loop are no faults, though Python 3.11 reports them as such.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    finally:
        logging.getLogger().removeHandler(troubles)
    return failed or addon.code


async def _around(asked: ProxyOptions, needed: Mapping[str, str], running: asyncio.Future[None]) -> int:
    """Run the command, or serve until somebody ends it. The exit code of a command that failed."""

    async def lost() -> None:
        await asyncio.wait([running])

    if asked.command:
        asked.ready(needed)
        try:
            code = await run_command(asked.command, {**asked.environ, **needed}, lost)
        except CannotRun as error:
            asked.say(f"wirecheck: {clean(str(error))}")
            return NOT_RUNNABLE
        return 0 if running.done() else code  # a command that we ended ourselves did not fail
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
    errors: Any = master.addons.get("errorcheck")  # it ends the process in words of its own; we look ourselves
    errors.finish()
    for idle in map(master.addons.get, IDLE):
        if idle is not None:
            master.addons.remove(idle)
    try:
        options.update(
            # Nothing is asked of a server before its client asked.
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
    """Until the proxy is there."""
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
    except SystemExit as error:  # how mitmproxy says that it could not start; it must not end our loop
        if isinstance(error.code, str):
            raise CannotServe(error.code) from None


async def _until(holds: Callable[[], bool], seconds: float) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not holds() and loop.time() < end:
        await asyncio.sleep(LOOK)


class _Troubles(logging.Handler):
    """What mitmproxy warns of is said as well: a client that does not trust us, a server that is not there."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self.last = ""
        self.loud = False

    def emit(self, record: logging.LogRecord) -> None:
        self.last = clean(record.getMessage())
        if self.loud:
            self._say(f"wirecheck: {self.last}")
