"""What crosses the wire: the Record, the log format, the framing of streams."""
