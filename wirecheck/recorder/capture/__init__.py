"""Flows in, Records out: what is recorded, and how it is redacted and written."""
