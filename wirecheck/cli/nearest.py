"""Did you mean."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str:
    """`, did you mean 'select'?`, or nothing where no word is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(words), n=1)
    return f", did you mean '{near[0]}'?" if near else ""
