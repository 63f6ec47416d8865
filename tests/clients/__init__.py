"""Real clients, each in an environment of its own, through the recorder to the stand-in; and what agents keep."""
