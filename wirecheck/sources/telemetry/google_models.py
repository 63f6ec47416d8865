"""Which of the calls in a log of many providers went to a model of Google's."""

import re

NAMES = re.compile(r"gemini|gemma|learnlm|tunedmodels/|publishers/google/|/endpoints/", re.IGNORECASE)
ELSEWHERE = "a call of another model than Google's"


def is_google(model: str) -> bool:
    """Whether a model of this name is one; where it has no name, nothing speaks against it."""
    return not model or NAMES.search(model) is not None
