"""The stand-in by hand: `python -m tests.standin [PORT]`. Prompts ask for what is in `wishes.py`."""

import sys
import threading
from contextlib import suppress

from tests.standin.server import Standin

with Standin(int(sys.argv[1]) if len(sys.argv) > 1 else 0, keep=False) as server, suppress(KeyboardInterrupt):
    print(server.url, flush=True)
    threading.Event().wait()
