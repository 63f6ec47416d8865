"""Files in, Records out. One module a log format; detect.py is the table of formats, reader.py the way in."""

from wirecheck.sources.file_reader import FORMATS
from wirecheck.sources.files.file_notes import ReadProblem
from wirecheck.sources.reader import Reader, read_file

__all__ = ["FORMATS", "ReadProblem", "Reader", "read_file"]
