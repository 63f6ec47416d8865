"""The checks.

Tested through others:

- `base`, `never`, `shape`, `schema`: test_checks.py
"""
