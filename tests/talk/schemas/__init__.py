"""Tools, and what is called of them.

Tested through others:

- `json_schema_flaws`: test_schema_flaws.py
- `declared_function`, `safe_schema`, `small_validator`: test_arguments.py
- `offer`, `toolbox`: test_tool_facts.py
"""
