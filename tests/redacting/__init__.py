"""Files without secrets. `unredactable.py` is an exception, raised and told by the others."""
