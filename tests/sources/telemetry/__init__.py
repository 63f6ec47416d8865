"""What tracing keeps of conversations. None of it is read; test_named_only.py says that it is named."""
