"""Messages in, Facts out. The only room that remembers: threads, turns, calls and their answers."""

from wirecheck.talk.talk import Mark, Recital, Talk

__all__ = ["Mark", "Recital", "Talk"]
