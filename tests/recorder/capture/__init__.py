"""From flows to records.

Tested through others:

- `flows`, `streaming`: test_capture.py
"""
