"""A file that cannot be redacted: nothing of it is written."""


class Unredactable(OSError):
    """The message says why, for who named it."""
