"""Facts in, Findings out. Rule files, checks, severities. No protocol."""
