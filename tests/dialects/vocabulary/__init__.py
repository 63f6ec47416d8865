"""The tables of the protocol.

Tested through others:

- `field_names`, `field_tables`: talk/fields/test_unknown.py and dialects/test_strict_types.py
- `chat_field_tables`: breaks/test_other_endpoints.py
- `live_field_tables`: breaks/test_live_frames.py
- `stand_in_signatures`: dialects/test_regular_content.py
"""
