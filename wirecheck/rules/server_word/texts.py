"""What was said of a request, held against the texts that rules know.

Servers, SDKs and proxies say the same thing with other indices, prefixes and quotes, and logs escape it. Where a text
of a rule has `…`, anything may stand that holds no quote: a name, a number, a path. Texts are searched piece by piece,
never with a pattern made of them. Which answer belongs to a finding is not known here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

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
    (re.compile(r"(?<![a-z])(?:generatecontentrequest|request)\.(?=[a-z])"), ""),
    (re.compile(r"invalid json payload received\. (?=unknown name [\"'])"), ""),
    (re.compile(r"\s+"), " "),
)
_WORD = re.compile(r"[a-z0-9_-]+")
_FAINT = 0.5  # of a text's words: with no more it is another text
_RUN = 2  # words in a row that are no chance
_BEGUN = 12  # characters of a text that breaks off, at least
_STEM = 8  # letters of a word that breaks off, from which it tells as much as a whole one
_STRANGE = 4  # of what stands in place of a hole, so much counts as different: a path is one name as well
_OPEN = re.compile(r"\[[^\[\]\s]{0,64}$")  # an index that breaks off
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


class Likeness(Struct, frozen=True, gc=False):
    """How a text of a rule stands in what was heard.

    `level`: 3 the text is in it, or begins where it breaks off; 2 it is a part of the text; 1 they have words in
    common; 0 nothing of the kind. Then where, from `at` to `end`, and `size`: how much they share, less what differs.
    """

    level: int
    at: int = 0
    end: int = 0
    size: float = 0


NOT = Likeness(0)


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
    """The rules that a text speaks of, likeliest first."""
    return [rule for several in likeliest(rules, text) for rule in several]


def likeliest(rules: Iterable[Rule], text: str) -> list[list[Rule]]:
    """The same, those together of which none is likelier.

    Whole texts come before parts, parts before what is merely alike. Of texts that overlap, the one that says most of
    what was heard comes first, and among those the one that the server is known to say (`server`), in full: rules
    that have only a part of it are other causes of the same words. Where they are even, HTTP comes before Live. Of a
    text that breaks off nobody knows how it goes on, so there HTTP comes first in any case.
    """
    heard = even(text)
    alike = [
        (rule, known, _likeness(_prepared(known), heard)) for rule in rules for known in (*rule.server, *rule.says)
    ]
    best = max((found.level for _, _, found in alike), default=0)
    fit = [each for each in alike if each[2].level == best > 0]
    whole = any(predicts(rule, heard) for rule, _, _ in fit)
    sentence = _sentences([found for _, _, found in fit])
    ranks: dict[str, tuple[tuple[float, ...], Rule]] = {}
    for rule, known, found in fit:
        live, told = rule.code.startswith(LIVE), known in rule.server
        full = (-_begins(known), len(known)) if best > 1 else (-len(known), 0)
        rank = (live and not whole, sentence[found], -found.size, found.at, live, not told, *full)
        ranks[rule.code] = min(ranks.get(rule.code, (rank, rule)), (rank, rule), key=lambda one: one[0])
    ordered = sorted(ranks.values(), key=lambda one: (one[0], one[1].code))
    return [[rule for _, rule in several] for _, several in groupby(ordered, key=lambda one: one[0])]


def _begins(text: str) -> int:
    """How far a text is the same each time."""
    return len(_prepared(text).first)


def _sentences(found: Iterable[Likeness]) -> dict[Likeness, int]:
    """Of each place how far back it stands; places that overlap are one, for the texts there speak of the same."""
    numbers: dict[Likeness, int] = {}
    number, end = 0, 1  # those without a place are one as well
    for one in sorted(found, key=lambda one: (one.at, one.end)):
        number, end = (number, max(end, one.end)) if one.at < end else (number + 1, one.end)
        numbers[one] = number
    return numbers


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


def _likeness(text: Prepared, heard: str) -> Likeness:
    whole, at = text.whole, _found(text, heard)
    if at >= 0:
        return _standing(text, heard, at)
    cut = _OPEN.sub("[", heard.rstrip(" .…"))
    if (begun := _begun(text, cut)) is not None:
        return begun
    if " " in heard and heard in whole:
        return Likeness(2, size=-whole.find(heard))
    said = _words(heard)
    share = 0.0 if text.runs.isdisjoint(_runs(said)) else _shared(text.words, said)
    return Likeness(1, size=share) if share > _FAINT else NOT


def _standing(text: Prepared, heard: str, start: int) -> Likeness:
    """Of a text that stands there as a whole."""
    at, size = start + len(text.first), len(text.first)
    for piece in text.rest:
        found = heard.find(piece, at)
        size += len(piece) - min(found - at, _STRANGE)
        at = found + len(piece)
    return Likeness(3, start, at, size)


def _begun(text: Prepared, heard: str) -> Likeness | None:
    """A text that stands at the end of what was heard, which is cut short there; too little is nothing."""
    for start in _places(text.first[:_BEGUN], heard) if len(text.whole) >= _BEGUN else ():
        amid = start and _WORD.match(heard, start - 1) and _WORD.match(heard, start)  # a word
        if not amid and (found := _breaking_off((text.first, *text.rest), heard, start)) is not None:
            return found
    return None


def _breaking_off(pieces: Sequence[str], heard: str, start: int) -> Likeness | None:
    """Pieces that stand there, as many as there are, and the one after them in which what was heard ends, or before
    which: then a name may stand there, and nothing else."""
    at, size, same = start, 0, 0
    for piece in pieces:
        found = heard.find(piece, at) if same else start if heard.startswith(piece, start) else -1
        if found >= 0 and not (same and _quoted(heard, at, found)):
            size += len(piece) - min(found - at, _STRANGE)
            at, same = found + len(piece), same + len(piece)
            continue
        kept = next((n for n in range(min(len(piece), len(heard) - at), 0, -1) if heard.endswith(piece[:n])), 0)
        gap = heard[at : len(heard) - kept]
        if gap and (not same or " " in gap.strip() or _quoted(gap, 0, len(gap))):
            return None  # it goes on otherwise
        words = _WORD.findall(heard[start:])
        within = kept > 0 and _WORD.match(piece, kept - 1) and _WORD.match(piece, kept)
        broken = len(words[-1]) if within else 0
        if same + kept < _BEGUN or _COMMON.issuperset(words[:-1] if 0 < broken < _STEM else words):
            return None
        if kept and same:  # after a hole a word that breaks off may be any
            size -= broken + min(len(gap), _STRANGE)
        return Likeness(3, start, len(heard), size + kept - 1)
    return None


def _shared(text: Sequence[str], heard: Sequence[str]) -> float:
    """How many words of the shorter one stand in the other, in the same order and not alone."""
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, text, heard, autojunk=False).get_matching_blocks()  # the last is empty, at the end
    if any([_differ(text[a.a + a.size : b.a], heard[a.b + a.size : b.b]) for a, b in pairwise(blocks)]):
        return 0
    runs = [text[block.a : block.a + block.size] for block in blocks if block.size >= _RUN]
    if all(_COMMON.issuperset(run) for run in runs):
        return 0
    return sum(map(len, runs)) / max(min(len(text), len(heard)), 3 * _RUN)


def _differ(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether in place of a word that tells something there is another one: then it is said of another thing."""
    return any([word.isalpha() and word not in _COMMON for word in words]) and any(map(str.isalpha, others))


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
        if found < 0 or _quoted(heard, at, found):
            return False
        at = found + len(piece)
    return True


def _quoted(heard: str, at: int, end: int) -> bool:
    return any(quote in heard[at:end] for quote in QUOTES)


def even(text: str) -> str:
    """A text without what varies."""
    return _even(text[:LONGEST])


@lru_cache(maxsize=512)  # many rules ask about one text
def _even(text: str) -> str:
    text = text.lower()
    for varies, instead in _VARIES:
        text = varies.sub(instead, text)
    return text.strip()
