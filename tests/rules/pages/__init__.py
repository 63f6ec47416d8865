"""The pages of rules.

Tested through others:

- `close_page`, `diagrams`, `models_page`, `page`: test_reference.py
- `examples`: rules/test_builtin_rules.py
"""
