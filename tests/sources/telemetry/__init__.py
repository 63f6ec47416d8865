"""What tracing keeps of conversations. `composed_node` is tested through `attributes`; test_named_only.py has what is
recognised and not read."""
