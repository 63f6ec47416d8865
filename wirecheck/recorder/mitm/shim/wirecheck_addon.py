"""The file that `wirecheck addon-path` prints. Alone in its folder, because mitmproxy adds that to sys.path."""

import logging

try:
    from wirecheck.recorder.mitm.addon import Wirecheck

    addons = [Wirecheck()]
except ImportError as error:  # mitmproxy swallows exceptions of scripts; a logged error ends it
    why = (
        "wirecheck records where there are file locks as Linux and macOS have them (fcntl); here, save the flows "
        "(`-w x.mitm`), then `wirecheck lint x.mitm`"
        if error.name == "fcntl"
        else f"wirecheck is not installed in the Python of this mitmproxy ({error}): "
        "`uv tool install mitmproxy --with wirecheck`, or `pipx inject mitmproxy wirecheck`"
    )
    logging.getLogger("wirecheck").error(why)
