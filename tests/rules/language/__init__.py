"""What a rule may say.

Tested through others:

- `compiler`, `fields`, `modifiers`, `values`: test_where.py
- `select`: engine/test_ruleset.py
- `rule`, `yamlfile`: engine/test_rulefile.py
- `payload_place`: checks/test_without_memory.py
"""
