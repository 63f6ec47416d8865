"""Files in, Records out. One file a format."""

from wirecheck.sources.reader import Problem, Reader, read_file
from wirecheck.sources.world import FORMATS

__all__ = ["FORMATS", "Problem", "Reader", "read_file"]
