"""What a file is, before its values are read.

Tested through others:

- `file_notes`: test_line_prefix.py and ../test_detect.py
"""
