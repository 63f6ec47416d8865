"""Findings in, Findings with the server's word on them out: each mistake once, with what stands around it."""
