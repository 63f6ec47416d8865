"""Secrets that a stream brings in pieces: the texts of its chunks, which follow one another, are read as one.

Chunks stand in one text (events, a list), or each in a line of its own.
"""

import re
from collections.abc import Iterator

import msgspec

from wirecheck.secrets.json_walk import unescaped
from wirecheck.secrets.redaction_marks import Mark, is_cut
from wirecheck.secrets.secret_forms import TOKENS, compiled

STREAMED = re.compile(r'"(?:text|content|arguments|partial_json)"\s*+:\s*+"((?:[^"\\]|\\.)*+)"', re.S)
# What stands between two texts that follow one another. Two texts of a request are not one.
CHUNK = re.compile(r'"(?:candidates|serverContent|server_content|delta|choices)"')
CHANNEL = re.compile(r'"channel"\s*:\s*"([^"]{1,100})"')
NEAR = 400  # characters in which the channel of a line is looked for
WINDOW, TAIL = 1 << 14, 1 << 12  # characters that are read as one, and how many of them are read again with the next
MANY, FEW = 1 << 10, 1 << 8  # the same in pieces
LANES = 64  # channels that are open
_json = msgspec.json.Encoder().encode
Piece = tuple[int, int, str]  # which text of which unit, and the text
Cut = tuple[int, int, str, str]  # from, to, and in the first piece what is cut there: its kind, and the secret


class SplitSecrets:
    """What is split among the units of a file: first each is looked at, then, in the same order, each is cut."""

    def __init__(self) -> None:
        self._lanes: dict[str, list[Piece]] = {}
        self._sizes: dict[str, int] = {}
        self._cuts: dict[int, dict[int, list[Cut]]] = {}
        self._unit = 0
        self._looking = True

    def settle(self) -> bool:
        """All was looked at: now it begins anew. Returns whether anything is to be cut."""
        for pieces in self._lanes.values():
            self._search(pieces)
        self._lanes.clear()
        self._sizes.clear()
        self._unit, self._looking = 0, False
        return bool(self._cuts)

    def unit(self, text: str, mark: Mark) -> str:
        self._unit += 1
        if self._looking:
            self._look(text)
        elif cuts := self._cuts.get(self._unit):
            return _without(text, cuts, mark)
        return text

    def _look(self, text: str) -> None:
        found = CHANNEL.search(text, 0, NEAR)
        lane = found[1] if found else ""
        for n, (value, follows) in enumerate(_pieces(text)):
            pieces = self._lanes.setdefault(lane, [])
            if not follows:
                self._search(pieces)
                self._lanes[lane], self._sizes[lane] = [], 0
                continue
            pieces.append((self._unit, n, value))
            self._sizes[lane] = self._sizes.get(lane, 0) + len(value)
            if self._sizes[lane] > WINDOW or len(pieces) > MANY:
                self._search(pieces)
                self._lanes[lane], self._sizes[lane] = _tail(pieces)
        if len(self._lanes) > LANES:
            oldest = next(iter(self._lanes))
            self._sizes.pop(oldest, None)
            self._search(self._lanes.pop(oldest))

    def _search(self, pieces: list[Piece]) -> None:
        if len(pieces) < 2:
            return
        whole = "".join(value for _, _, value in pieces)
        folded, taken = whole.lower(), list[tuple[int, int]]()
        for hint, pattern, kind in TOKENS:
            for found in compiled(pattern).finditer(whole) if hint in folded else ():
                begin, end = found.end(found.lastindex) if found.lastindex else found.start(), found.end()
                if any(begin < other[1] and other[0] < end for other in taken) or is_cut(whole[begin:end]):
                    continue
                taken.append((begin, end))
                if not _is_within_one(pieces, found.start(), end):  # else it is found there anyway
                    self._divide(pieces, begin, end, kind, whole[begin:end])

    def _divide(self, pieces: list[Piece], begin: int, end: int, kind: str, secret: str) -> None:
        """Each piece loses its part."""
        parts, at = list[tuple[int, int, Cut]](), 0
        for unit, n, value in pieces:
            first, last = max(begin - at, 0), min(end - at, len(value))
            if first < last:
                parts.append((unit, n, (first, last, "" if parts else kind, "" if parts else secret)))
            at += len(value)
        for unit, n, cut in parts:
            cuts = self._cuts.setdefault(unit, {}).setdefault(n, [])
            if all(cut[0] >= other[1] or other[0] >= cut[1] for other in cuts):
                cuts.append(cut)


def _tail(pieces: list[Piece]) -> tuple[list[Piece], int]:
    """The last pieces, and how many characters they have."""
    kept, size = list[Piece](), 0
    for piece in reversed(pieces):
        if size > TAIL or len(kept) == FEW:
            break
        kept.append(piece)
        size += len(piece[2])
    return kept[::-1], size


def _is_within_one(pieces: list[Piece], begin: int, end: int) -> bool:
    at = 0
    for _, _, value in pieces:
        if at <= begin and end <= at + len(value):
            return True
        at += len(value)
    return False


def joined(text: str, mark: Mark) -> str:
    """A text with chunks in it, without the secrets that are split among these."""
    splits = SplitSecrets()
    splits.unit(text, mark)
    splits.settle()
    return splits.unit(text, mark)


def has_chunks(text: str) -> bool:
    return CHUNK.search(text) is not None


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The texts of chunks, and whether each follows the one before."""
    at = 0
    for found in STREAMED.finditer(text):
        yield unescaped(found[1]), CHUNK.search(text, at, found.start()) is not None
        at = found.end()


def _without(text: str, cuts: dict[int, list[Cut]], mark: Mark) -> str:
    done, at = list[str](), 0
    for n, found in enumerate(STREAMED.finditer(text)):
        if n not in cuts:
            continue
        value = unescaped(found[1])
        for begin, end, kind, secret in sorted(cuts[n], reverse=True):
            value = value[:begin] + (mark(kind, secret) if kind else "") + value[end:]
        done += text[at : found.start(1) - 1], _json(value).decode()
        at = found.end(1) + 1
    return "".join((*done, text[at:]))
