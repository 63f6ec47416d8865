"""The names of the API as tables: fields by message and surface, finish reasons, stand-in signatures."""
