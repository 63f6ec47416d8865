"""What proxies and browsers captured: HAR files, flows of mitmproxy."""
