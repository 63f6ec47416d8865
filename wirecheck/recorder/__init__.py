"""mitmproxy in, Records out; findings back onto its flows.

Everything that touches mitmproxy is here, and nothing of it is imported where only files are linted.
"""
