"""Secrets that were seen in a header or a URL of a log: they are looked for wherever else they may be."""

import re
from collections.abc import Iterable

import jsonschema_rs

from wirecheck.secrets.redaction_marks import IS_MARK, Mark, is_cut
from wirecheck.secrets.secret_forms import REDACTED, SECRET_KIND

SHORT = 8  # characters: a shorter credential may be any word, and is not searched for


def scanner(words: Iterable[str], *patterns: str) -> jsonschema_rs.Validator:
    """Returns a search for any of many words that takes less time than copying the text."""
    escaped = (re.escape(word.lower()) for word in words)
    return jsonschema_rs.validator_for({"pattern": "|".join((*escaped, *patterns))})


NOTHING = jsonschema_rs.validator_for(False)


class KnownSecrets:
    """The last ones that were seen, up to `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._recent: dict[str, str] = {}  # most recent last, each with its kind
        self._longest: list[tuple[str, str]] = []  # one may contain another
        self._scanner = NOTHING
        self._stale = False

    def learn(self, found: Iterable[str], kind: str = SECRET_KIND) -> None:
        for value in found:
            if value in self._recent:
                self._recent[value] = self._recent.pop(value)
                continue
            if len(value) < SHORT or is_cut(value) or IS_MARK.search(value) or value in REDACTED:
                continue
            self._recent[value], self._stale = kind, True
            if len(self._recent) > self._most:
                del self._recent[next(iter(self._recent))]

    def in_text(self, folded: str) -> bool:
        """Whether one of them is in a text in lower case."""
        if self._stale:
            self._longest = sorted(self._recent.items(), key=lambda each: -len(each[0]))
            self._scanner, self._stale = scanner(self._recent), False
        return self._scanner.is_valid(folded)

    def cut(self, text: str, mark: Mark) -> str:
        if self.in_text(text.lower()):
            for known, kind in self._longest:
                pieces = text.split(known)
                text = pieces[0] + "".join(mark(kind, known) + piece for piece in pieces[1:])
        return text
