"""What the package ships, and what it keeps.

Tested through others:

- `shipped`: test_parsed_cache.py and test_wheel.py
- `ownership`, `regular_file`: cli/test_config.py
"""
