"""Formats of files that other programs write, whole: one module each, loaded when a file is recognised.

Tested through others:

- `beginning`, `file_format`, `known_formats`: test_recognition.py
- `building`, `recorded_bodies`, `json_values`, `yaml_items`, `node`: the tests of the formats, in the folders beside
"""
