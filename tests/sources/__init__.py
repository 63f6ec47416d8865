"""Records, from files; telling.py says what a line is read as.

Tested through others:

- `bare_bodies`, `exchanges`, `file_reader`, `live_sessions`: test_detect.py and test_lines.py
- `documents`: test_lines.py
- `record_stream`: properties/test_long_lines.py
- `surrogates`: test_lines.py
"""
