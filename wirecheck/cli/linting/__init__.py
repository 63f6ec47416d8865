"""Paths in, a verdict out: files judged, in several processes, and held against a baseline."""
