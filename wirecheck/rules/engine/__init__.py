"""Rule files and Facts in, Findings out: loads, validates and runs rules."""
