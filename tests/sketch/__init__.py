"""Contents and frames in a few lines.

Tested through others:

- `content_sketch`, `frame_sketch`: test_sketch.py
"""
