"""Files in, Records out. One file a format."""

from wirecheck.sources.file_reader import FORMATS
from wirecheck.sources.reader import Problem, Reader, read_file

__all__ = ["FORMATS", "Problem", "Reader", "read_file"]
