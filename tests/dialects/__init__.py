"""Messages, from records. `regular.py` makes contents that most often decode strictly.

Tested through others:

- `generate`: memo/, breaks/ and talk/
- `messages`, `raw_json`: test_content.py, test_regular_content.py and wire/test_recited_prefix.py
- `provenance`, `broken_events`: sources/ and breaks/test_requests_and_replies.py
"""
