"""The quick lane: lines in which nothing is new."""

from wirecheck.lane.history import WHOLE
from wirecheck.lane.lane import AROUND, END, REPLY, Lane, Usual

__all__ = ["AROUND", "END", "REPLY", "WHOLE", "Lane", "Usual"]
