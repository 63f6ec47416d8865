"""The quick lane: lines in which nothing is new."""

from wirecheck.lane.around import OF_AROUND
from wirecheck.lane.contents import WHOLE, Place
from wirecheck.lane.exchange import AROUND, ENDING, GONE, REPLY, SEAM, Usual
from wirecheck.lane.frames import Frames, Source
from wirecheck.lane.judged import Found
from wirecheck.lane.lane import Lane, Read

__all__ = [
    "AROUND",
    "ENDING",
    "GONE",
    "OF_AROUND",
    "REPLY",
    "SEAM",
    "WHOLE",
    "Found",
    "Frames",
    "Lane",
    "Place",
    "Read",
    "Source",
    "Usual",
]
