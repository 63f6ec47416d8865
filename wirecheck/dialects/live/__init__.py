"""Gemini Live: its frames, read leniently and strictly."""
