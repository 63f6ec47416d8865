"""Messages in, Facts out. The only room that remembers."""
