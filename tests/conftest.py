"""What holds for every test, wherever and however busily it runs."""

import signal

from hypothesis import settings

# Started in the background, a shell lets Ctrl-C be nothing to us, and then to the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes is the machine's affair; growth is counted in calls (tests/work.py).
settings.register_profile("wirecheck", deadline=None)
settings.load_profile("wirecheck")
