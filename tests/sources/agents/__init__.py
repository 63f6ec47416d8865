"""What agents and frameworks keep of their conversations. `gathered` is tested through the readers that use it."""
