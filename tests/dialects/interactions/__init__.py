"""The Interactions API.

Tested through others:

- `steps`, `step_deltas`: test_interactions.py
"""
