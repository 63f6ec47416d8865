"""Flows in, Records out: what is recorded, and what of it may be written down."""
