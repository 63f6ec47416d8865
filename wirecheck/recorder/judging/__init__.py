"""Records in, Findings out: judges what was recorded, prints findings, marks flows, refuses requests (--enforce)."""
