"""Requests in, Facts out: stateless requests as threads, and what a history says turn by turn."""
