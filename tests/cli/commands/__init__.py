"""One command each.

Tested through others:

- `addon_path`: recorder/mitm/test_mitmdump.py
- `explain`: cli/test_process.py and rules/server_word/
"""
