"""Live frames in, Facts out: what a connection remembers, and how it ends."""
