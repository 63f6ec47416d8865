"""Files before their values are read: which of a folder are logs, what others are, and lines that are none."""
