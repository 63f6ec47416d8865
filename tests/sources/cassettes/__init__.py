"""Cassettes: exchanges that tests recorded once and replay."""
