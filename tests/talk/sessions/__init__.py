"""Live sessions.

Tested through others:

- `frame_kinds`, `state_tables`, `realtime_input`, `session_end`: test_session.py and breaks/test_live_sessions.py
- `frame_memo`: memo/test_live_frames.py
- `live_calls`, `pending_call`: test_session.py
"""
