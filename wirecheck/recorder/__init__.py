"""Flows of mitmproxy in, Records and Findings out; findings are marked on the flows.

Only this room imports mitmproxy, and `wirecheck lint` imports nothing of it.
"""
