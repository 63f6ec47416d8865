"""Findings as text.

Tested through others:

- `full`, `table`, `turns_view`: test_golden.py and test_text.py
- `json_lines`: test_json.py
- `report`, `screen`, `summary`: test_text.py
"""
