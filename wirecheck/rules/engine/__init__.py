"""Rule files and Facts in, Findings out: rules checked, loaded and asked."""
