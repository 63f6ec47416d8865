"""Records, lints and explains Gemini wire traffic."""
