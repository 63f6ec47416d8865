"""What stands in the place of a secret: `[redacted]`, or, of equal ones alike, `[redacted:3fa9c1]`; and what others put
there."""

import re
from collections.abc import Callable

from wirecheck.secrets.secret_forms import REDACTED

Mark = Callable[[str, str], str]  # the mark for a secret of a kind
IS_MARK = re.compile(r"\[redacted(?::[0-9a-f]{6})?\]")
# What other programs put in the place of a secret: it is none any more.
ROUND = r"[\s\[\]<>{}()*\"'\\_.,:;$%-]*+"  # what may stand around such a word
PLACEHOLDER = re.compile(
    rf"{ROUND}(?:(?:redacted|filtered|scrubbed|removed|masked|hidden|omitted|placeholder|dummy)(?:_\w{{1,40}}+)?|x{{3,}}+)?"
    rf"{ROUND}",
    re.IGNORECASE,
)


def unnamed(kind: str, secret: str) -> str:
    return REDACTED


def is_cut(text: str) -> bool:
    """Whether nothing is left in a text that could be a secret: marks, and what others put in such a place."""
    rest = IS_MARK.sub("", text) if "[redacted" in text else text
    return PLACEHOLDER.fullmatch(rest) is not None
