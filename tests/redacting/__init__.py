"""Files without secrets.

Tested through others:

- `unredactable`: each of them
"""
