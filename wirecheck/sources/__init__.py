"""Files in, Records out. One file a format."""

from wirecheck.sources.file_reader import FORMATS
from wirecheck.sources.reader import Reader, ReadProblem, read_file

__all__ = ["FORMATS", "ReadProblem", "Reader", "read_file"]
