"""What of a reply is recited, and how.

Tested through others:

- `differences`, `reply`, `signed_parts`: test_recital_check.py
"""
