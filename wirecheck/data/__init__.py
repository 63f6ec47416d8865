"""Files in, values out: the rules and models that come with wirecheck, and how they are kept ready."""
