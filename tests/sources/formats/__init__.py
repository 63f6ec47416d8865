"""Formats of files that other programs write, whole: one module each, loaded when a file is recognised.

Tested through others:

- `beginning`, `file_format`, `known_formats`: test_recognition.py
- `building`, `csv_rows`, `json_document`, `json_values`, `node`, `recorded_bodies`, `yaml_items`: the tests of the
  formats, in the folders beside
"""
