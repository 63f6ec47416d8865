"""Files in, values out: the rules and models that ship with wirecheck, and a cache of the parsed files."""
