"""Requests of a log, sent again.

Tested through others:

- `answer_comparison`, `target`: cli/commands/test_replay.py
"""
