"""What agents and frameworks keep of their conversations. These are transcripts: not what was sent."""
