"""Messages as they were written in, Facts out: fields and values that the API does not have there."""
