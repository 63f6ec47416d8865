"""Rules in, text for people out: pages, docs, and the examples in them."""
