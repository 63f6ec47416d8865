"""Files in, the same files without secrets out: each in the format that it had. One module a way of writing."""
