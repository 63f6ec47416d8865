"""What becomes of misses.

Tested through others:

- `close_verdicts`: talk/sessions/test_closes.py
- `excerpts`: stories/ and report/test_golden.py
- `statistics`: memo/ and cli/commands/test_lint.py
"""
