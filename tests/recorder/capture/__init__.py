"""From flows to records.

Tested through others:

- `credentials`: test_redaction.py
- `flows`, `streaming`: test_capture.py
"""
