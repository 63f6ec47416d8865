"""The recorder: its parts, and end_to_end/ with a real mitmproxy.

Tested through others:

- `recording`: mitm/test_addon.py and end_to_end/
"""
