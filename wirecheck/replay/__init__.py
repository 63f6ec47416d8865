"""Sends the requests of a log again, to a server of the user's own, and compares its answers with those recorded."""

from wirecheck.replay.answer_comparison import Replay
from wirecheck.replay.recorded_exchanges import RecordedExchange, recorded_exchanges
from wirecheck.replay.target import NotAllowed, Target, Unreachable

__all__ = ["NotAllowed", "RecordedExchange", "Replay", "Target", "Unreachable", "recorded_exchanges"]
