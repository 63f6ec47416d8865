"""What must not be written or shown: names and forms of secrets, how they are removed from records and text."""
