"""From files to misses.

Tested through others:

- `checked_files`, `format`, `load`, `rule_parts`: test_rulefile.py, test_ruleset.py and pages/test_reference.py
"""
