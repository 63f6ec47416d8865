"""Messages in, Facts out. The only room with a memory of the log: conversations, turns, calls and their answers."""

from wirecheck.talk.http.request import PrefixMarked, Request
from wirecheck.talk.talk import Talk

__all__ = ["PrefixMarked", "Request", "Talk"]
