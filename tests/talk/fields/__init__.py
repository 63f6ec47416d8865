"""Unknown fields.

Tested through others:

- `unknown_in_frames`: breaks/test_live_frames.py
- `references`: test_unknown.py
- `limited_settings`: rules/test_reported_failures.py
"""
