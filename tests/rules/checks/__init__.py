"""The checks: those that look at one fact, and those with a memory.

Tested through others:

- `never`, `shape`, `schema`: test_without_memory.py
- `count`, `states`, `unique`, `pair_watch`: test_with_memory.py and test_pair.py
- `base`: all of these
"""
