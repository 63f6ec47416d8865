"""A reply and the history that recites it in, Facts out: what was lost or changed on the way through the client."""
