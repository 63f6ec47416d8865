"""What the API calls things: its fields, by message and surface, and its finish reasons."""
