"""What crosses the wire.

Tested through others:

- `media_summary`: sketch/test_sketch.py
- `payload`, `records`: test_log.py
- `utf8`: sources/test_lines.py
"""
