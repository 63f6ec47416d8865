"""One command each.

Tested through others:

- `addon_path`: recorder/mitm/test_mitmdump.py
"""
