"""What must not be written or shown.

Tested through others:

- `credentials`: test_redaction.py
- `secret_forms`: test_scrub.py
"""
