"""Conversations over HTTP.

Tested through others:

- `conversation`, `conversation_index`, `conversations`, `normalized_content`: test_threads.py
- `prefixes`, `request`: memo/
- `exchange`: dialects/test_regular_content.py and breaks/test_requests_and_replies.py
- `call_origins`, `turns`: test_pairing.py
- `signatures`: recital/test_recital_check.py
- `surroundings`: schemas/test_tool_facts.py
"""
