"""Files in, Records out. One file a format."""
