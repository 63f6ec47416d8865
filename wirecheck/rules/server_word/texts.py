"""What was said of a request, held against the texts that rules know.

Servers, SDKs and proxies say the same thing with other indices, prefixes and quotes, and logs escape it. Where a text
of a rule has `…`, anything may stand that holds no quote: a name, a number, a path. Texts are searched piece by piece,
never with a pattern made of them. Which answer belongs to a finding is not known here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from wirecheck.rules.language.rule import Rule

LONGEST = 4000
HOLE = "…"
LIVE = "WC7"  # how the codes of rules about Live sessions begin
QUOTES = "\"'`"
_OPAQUE = ("", "request contains an invalid argument", "invalid input received")
# What differs between surfaces, requests and logs in the same message.
_VARIES = (
    (re.compile(r"\\{1,8}[nrt]"), " "),
    (re.compile(r"\\{1,8}(?:u0027|')|[‘’]"), "'"),
    (re.compile(r"\\{1,8}(?:u0022|\")|[“”]"), '"'),
    (re.compile(r"\[[^\[\]\s]{0,64}\]"), "[]"),  # an index, a key, the kind of a fault
    (re.compile(r"(?<![a-z])(?:generatecontentrequest|request)\."), ""),
    (re.compile(r"\s+"), " "),
)
_WORD = re.compile(r"[a-z0-9_-]+")
_FAINT = 0.5  # of a text's words: with no more it is another text
_RUN = 2  # words in a row that are no chance
_BEGUN = 15  # characters of a text that breaks off, at least
# Words that texts about anything share; what is not enabled or not found stands beside them.
_COMMON = frozenset(("enabled", "supported", "found", "field", "value", "model", "models")) | frozenset(
    (
        "a",
        "all",
        "an",
        "and",
        "be",
        "for",
        "has",
        "have",
        "in",
        "is",
        "it",
        "must",
        "not",
        "of",
        "or",
        "the",
        "this",
        "to",
    )
)

Rank = tuple[int, float, int]
NOT: Rank = (0, 0.0, 0)


def predicts(rule: Rule, text: str) -> bool:
    """Whether a text is one the rule says the server answers with."""
    heard = even(text)
    return any([_found(_prepared(each), heard) >= 0 for each in rule.server])


def opaque(text: str) -> bool:
    """Whether a text names nothing at all."""
    return even(text).rstrip(". ") in _OPAQUE


def bare(text: str) -> bool:
    """Whether a text says that something is wrong and not what."""
    return bool(text) and opaque(text)


def likely(rules: Iterable[Rule], text: str) -> list[Rule]:
    """The rules that a text speaks of, likeliest first: whole texts before parts, parts before what is merely alike.

    Where they are even, HTTP comes before Live, and those the server is known to say it of before other causes. Of a
    text that breaks off nobody knows how it goes on, so there HTTP comes first in any case.
    """
    heard = even(text)
    ranked = [(_rank(rule, heard), rule) for rule in rules]
    best = max((rank[0] for rank, _ in ranked), default=0)
    fit = [(rank, rule) for rank, rule in ranked if rank[0] == best > 0]
    whole = any(predicts(rule, heard) for _, rule in fit)
    return [rule for _, rule in sorted(fit, key=lambda each: _order(each[0], each[1], heard, whole=whole))]


class Prepared(Struct, frozen=True, gc=False):
    """A text of a rule, made even: cut at its holes, as a whole, and in words. `runs` are two words in a row of which
    one at least is not common."""

    first: str
    rest: tuple[str, ...]
    whole: str
    words: tuple[str, ...]
    runs: frozenset[tuple[str, str]]


@lru_cache(maxsize=4096)
def _prepared(text: str) -> Prepared:
    first, *rest = map(even, text.split(HOLE))
    whole = even(text)
    words = _words(whole)
    return Prepared(first, tuple(rest), whole, words, _runs(words))


@lru_cache(maxsize=64)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text)[:400])


@lru_cache(maxsize=64)
def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset([pair for pair in pairwise(words) if not _COMMON.issuperset(pair)])


def _order(rank: Rank, rule: Rule, heard: str, *, whole: bool) -> tuple[bool | float | str, ...]:
    live = rule.code.startswith(LIVE)
    told = [_likeness(_prepared(each), heard)[0] == rank[0] for each in rule.server]
    return (live and not whole, *(-one for one in rank), live, not any(told), -sum(told) * (not whole), rule.code)


def _rank(rule: Rule, heard: str) -> Rank:
    return max((_likeness(_prepared(each), heard) for each in (*rule.server, *rule.says)), default=NOT)


def _likeness(text: Prepared, heard: str) -> Rank:
    """3: the text is in what was heard, or begins where that breaks off; 2: that is a part of it; 1: they have words in
    common; how early, how much."""
    whole, at = text.whole, _found(text, heard)
    if at >= 0:
        return 3, -at, len(whole)
    cut = heard.rstrip(" .…")
    if begun := _begun(text.first, cut, more=bool(text.rest)):
        return 3, begun - len(cut), begun
    if " " in heard and heard in whole:
        return 2, -whole.find(heard), len(whole)
    said = _words(heard)
    share = 0.0 if text.runs.isdisjoint(_runs(said)) else _shared(text.words, said)
    return (1, share, len(whole)) if share > _FAINT else NOT


def _begun(text: str, heard: str, *, more: bool) -> int:
    """How much of a text stands at the end of what was heard, which is cut short there; too little is nothing."""
    places = _places(text[:_BEGUN], heard) if len(text) >= _BEGUN else ()
    size = next((len(heard) - at for at in places if _breaks_off(text, heard[at:], more=more)), 0)
    words = _WORD.findall(text[:size])
    known = words[:-1] if _WORD.match(text, size) else words  # the last word may be cut as well
    return 0 if _COMMON.issuperset(known) else size


def _breaks_off(text: str, heard: str, *, more: bool) -> bool:
    """Whether what was heard is the beginning of a text, after which `more` may stand that differs."""
    if text.startswith(heard):
        return True
    return more and heard.startswith(text) and not any(quote in heard[len(text) :] for quote in QUOTES)


def _shared(text: Sequence[str], heard: Sequence[str]) -> float:
    """How many words of the shorter one stand in the other, in the same order and not alone."""
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, text, heard, autojunk=False).get_matching_blocks()
    runs = [text[block.a : block.a + block.size] for block in blocks if block.size >= _RUN]
    if all(_COMMON.issuperset(run) for run in runs):
        return 0
    return sum(map(len, runs)) / max(min(len(text), len(heard)), 3 * _RUN)


def _found(text: Prepared, heard: str) -> int:
    """Where a text begins in what was heard; -1 where it does not stand there."""
    first, rest = text.first, text.rest
    if not first or first not in heard:
        return -1
    return next((at for at in _places(first, heard) if _go_on(rest, heard, at + len(first))), -1)


def _places(piece: str, heard: str) -> Iterator[int]:
    at = heard.find(piece)
    while at >= 0:
        yield at
        at = heard.find(piece, at + 1)


def _go_on(pieces: Iterable[str], heard: str, at: int) -> bool:
    """Whether the pieces follow, each as near as it can, with no quote in between."""
    for piece in pieces:
        found = heard.find(piece, at)
        if found < 0 or any(quote in heard[at:found] for quote in QUOTES):
            return False
        at = found + len(piece)
    return True


def even(text: str) -> str:
    """A text without what varies."""
    return _even(text[:LONGEST])


@lru_cache(maxsize=512)  # many rules ask about one text
def _even(text: str) -> str:
    text = text.lower()
    for varies, instead in _VARIES:
        text = varies.sub(instead, text)
    return text.strip()
