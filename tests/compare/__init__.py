"""A log beside the wire. Each kind of difference is in the examples of its rule, too (rules/log/).

Tested through others:

- `judging`, `listener`: test_comparison.py
- `spoken`, `utterance_pairs`: test_comparison.py
"""
