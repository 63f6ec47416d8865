"""Paths in, a verdict out: judges files, in several processes if that helps, and compares with a baseline."""
