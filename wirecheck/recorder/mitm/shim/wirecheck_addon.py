"""The file that `wirecheck addon-path` names. Alone in its folder, for mitmproxy puts that on sys.path."""

import logging

try:
    from wirecheck.recorder.mitm.addon import Wirecheck

    addons = [Wirecheck()]
except ImportError as error:  # mitmproxy swallows whatever a script raises but shows an error, and ends on it
    logging.getLogger("wirecheck").error(
        f"wirecheck is not installed in the Python of this mitmproxy ({error}): "
        "`uv tool install mitmproxy --with wirecheck`, or `pipx inject mitmproxy wirecheck`"
    )
