"""Reads, writes, exits. One file a command."""
