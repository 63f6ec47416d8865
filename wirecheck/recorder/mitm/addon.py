"""The addon, the same in mitmproxy, mitmdump, mitmweb and `wirecheck record`: from its options to its exit code."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mitmproxy import ctx
from mitmproxy.addonmanager import Loader
from mitmproxy.exceptions import OptionsError

from wirecheck.recorder.capture.journal import JournalLost
from wirecheck.recorder.mitm import settings, view
from wirecheck.recorder.mitm.shutdown import exit_last
from wirecheck.recorder.mitm.stand_in import StandIn
from wirecheck.recorder.mitm.traffic import Traffic
from wirecheck.recorder.recording import FAILED, Recording
from wirecheck.report import Screen
from wirecheck.report.screen import clean

logger = logging.getLogger("wirecheck")


class Wirecheck:
    """`say` prints messages. Without it mitmproxy's log is used, and the process exits with the verdict."""

    def __init__(self, say: Callable[[str], None] | None = None, screen: Screen | None = None) -> None:
        self._embedded = say is not None
        # A warning, not an error: mitmdump exits if an error is logged while it starts or reads a file.
        self._say = say or (lambda text: logger.warning("%s", text))
        self._screen = screen or Screen()
        self._settings: settings.Settings | None = None
        self._recording: Recording | None = None
        self._traffic: Traffic | None = None
        self.addons: list[Traffic | StandIn] = []
        self.name = "wirecheck"
        self.code = 0

    def load(self, loader: Loader) -> None:
        settings.declare(loader)
        view.register()

    def configure(self, updated: set[str]) -> None:
        if any(name.startswith(settings.PREFIX) for name in updated):
            with self._refusing():
                self._settings = settings.read(ctx.options)
                if self._recording is not None:  # changed while running: begin a new run
                    self._finish()
                    self._begin(self._settings)

    def running(self) -> None:
        with self._refusing():
            self._begin(self._settings or settings.read(ctx.options))
        if not self._embedded:
            exit_last(self)

    def done(self) -> None:
        self._finish()

    def abandon(self) -> None:
        """Closes the recording without a report: the proxy never started."""
        if self._recording is not None:
            self._recording.close()
        self._recording = None

    @property
    def lost(self) -> str:
        """Why the log could not be written any more, or ""."""
        return self._traffic.lost if self._traffic else ""

    @property
    def busy(self) -> bool:
        """Whether recorded flows are still open."""
        return bool(self._traffic and self._traffic.open)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """While mitmproxy starts, a bad option ends it with one line; later mitmproxy reports it as an error of the
        option."""
        try:
            yield
        except OptionsError as error:
            if self._embedded or self._recording is not None:
                raise
            print(f"wirecheck: {clean(str(error))}", file=sys.stderr)
            sys.exit(FAILED)

    def _begin(self, asked: settings.Settings) -> None:
        try:
            self._recording = Recording(asked, self._say, self._screen)
        except JournalLost as error:
            raise OptionsError(str(error)) from None
        except OSError as error:
            raise OptionsError(f"{error.filename}: cannot be written: {error.strerror}") from None
        self._traffic = Traffic(self._recording, enforces=asked.enforce, shown=not self._embedded)
        self.addons = [self._traffic, StandIn(asked.upstream)]

    def _finish(self) -> None:
        if self._recording is not None:
            recording, self._recording = self._recording, None
            self.code = max(recording.end(), self.code)
