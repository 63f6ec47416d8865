"""Findings in, text out. One file a format."""
