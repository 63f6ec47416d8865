"""What servers say.

Tested through others:

- `answered_request`, `unusual`, `text_pointers`: test_likely_causes.py
- `close_confirmation`: talk/sessions/test_closes.py
"""
