"""All that knows mitmproxy: its hooks, its options, its views, and the proxy of our own."""
