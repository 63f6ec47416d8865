"""Records in, Messages out. One file a dialect."""
