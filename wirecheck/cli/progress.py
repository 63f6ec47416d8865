"""How far a long run is: a line on standard error, where that is a terminal and the work takes over a second."""

import sys
import time
from collections.abc import Iterator

from wirecheck.sources import Reader
from wirecheck.wire.record import Record

EVERY = 2000  # records between two looks at the clock


def watched(reader: Reader) -> Iterator[Record]:
    if not sys.stderr.isatty():
        yield from reader
        return
    start, shown = time.monotonic(), False
    for count, record in enumerate(reader):
        if count % EVERY == EVERY - 1 and time.monotonic() - start > 1:
            shown = True
            sys.stderr.write(f"\r{reader.lines} lines …")
            sys.stderr.flush()
        yield record
    if shown:
        sys.stderr.write("\r\x1b[K")
