"""The file that `wirecheck addon-path` names. Alone in its folder, for mitmproxy puts that on sys.path."""

try:
    from wirecheck.proxy.addon import Wirecheck
except ImportError as error:
    raise SystemExit(
        f"wirecheck is not installed in the Python of this mitmproxy ({error}): "
        "`uv tool install mitmproxy --with wirecheck`, or `pipx inject mitmproxy wirecheck`"
    ) from None

addons = [Wirecheck()]
