"""What must not be written or shown.

Tested through others:

- `credentials`, `plain_text`, `json_walk`, `known_secrets`: test_redaction.py, `tests/redacting/test_redacted_file.py`
- `secret_forms`, `redaction_marks`: test_scrub.py
- `secret_fields`, `file_text`, `split_secrets`: `tests/redacting/test_redacted_file.py`
"""
