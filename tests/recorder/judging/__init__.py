"""What is said of what was just recorded.

Tested through others:

- `judge`, `marks`: mitm/test_addon.py
- `live_output`: end_to_end/test_streams.py
"""
