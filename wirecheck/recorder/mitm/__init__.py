"""The addon for mitmproxy: its hooks, options and view, and the proxy that `wirecheck record` runs."""
