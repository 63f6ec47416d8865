"""Laid out as wirecheck/; a module that is tested through others is named where its tests would be.

Tested through others:

- `finding`: whatever is found
- `version`: report/test_golden.py
- `__main__`: cli/test_process.py
"""
