"""What the server answered in, what that says of the findings out."""
