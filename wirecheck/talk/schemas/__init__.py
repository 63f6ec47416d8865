"""Tools in, Facts out: what they declare, what is wrong with their schemas, and which calls fit them."""
