"""Formats of files that other programs write, whole: one module each, loaded when a file is recognised.

`known_formats.py` lists them. A reader is a function `records(file: OpenedFile)`. What is in no table is read line by
line (`sources/file_reader.py`).
"""
