"""The quick lane: lines in which nothing is new."""

from wirecheck.lane.history import WHOLE
from wirecheck.lane.lane import AROUND, REPLY, Lane, Usual

__all__ = ["AROUND", "REPLY", "WHOLE", "Lane", "Usual"]
