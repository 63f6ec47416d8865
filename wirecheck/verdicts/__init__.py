"""Findings in, Findings out: deduplicated, with the server's verdict and an excerpt of the turns around them."""
