"""What agents and frameworks keep of their conversations."""
