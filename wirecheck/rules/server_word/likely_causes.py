"""What an answer is put down to: the mistakes found in its request, and what else is unusual in that.

A server that rejects a request with a text that no finding explains, or answers it with nothing, leaves people alone
with the question why. Here the likeliest causes are put in order. What is unusual is no mistake, only where to look.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from wirecheck.dialects.messages import Spot, Step
from wirecheck.dialects.vocabulary.field_names import camel
from wirecheck.finding import Finding, Place, ServerWord
from wirecheck.rules.engine.ruleset import Ruleset
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.answered_request import AnsweredRequest
from wirecheck.rules.server_word.text_pointers import SpokenStep, empty, path, seek, spoken, theirs, turns, walk
from wirecheck.rules.server_word.texts import even, likely, opaque, predicts
from wirecheck.rules.server_word.unusual import Suspect, suspected, unusual, value_of
from wirecheck.talk.facts import RejectionFact, ReplyFact
from wirecheck.wire.scrub import scrub

LONGEST = 1000
MOST = 5  # causes that are named
# What a rejection speaks of, by words in it; the first row that has one. What has none of them is about the request.
ABOUT: dict[str, tuple[str, ...]] = {
    "no-properties": ("should be non-empty for object type",),
    "empty-value": ("has an empty value. all values must have a type",),
    "key": ("api key not valid", "api_key_invalid"),
    "length": ("input token count",),
    "signature": ("corrupted thought signature", "thought signature is not valid", "invalid thought signature"),
    "url": ("cannot fetch content from the provided url",),
    "complexity": ("exceeds the maximum allowed nesting depth", "too many states for serving"),
}
# Likewise, and none of it is how the request is written: a text that says what could not be read has them by chance.
BESIDE: dict[str, tuple[str, ...]] = {
    "access": (
        "api key",
        "credential",
        "authenti",
        "oauth",
        "access token",
        "permission",
        "forbidden",
        "not authorized",
    ),
    "quota": ("quota", "rate limit", "exhausted", "billing", "credits"),
    "model": ("not found", "unexpected model name", "no longer available", "deprecated"),
    "place": ("location is not supported", "has not been used in project", "precondition"),
    "blocked": ("safety", "blocked", "prohibited", "policy"),
    "down": ("overloaded", "unavailable", "try again later"),
}
# Of a text that no rule has: that the model cannot do what it is asked for.
LACKING = (
    "is not enabled for models/",
    "is not enabled for this model",
    "is not supported by the model",
    "is not supported for this model",
    "does not support",
)
UNREAD = ("invalid json payload", "invalid value at")  # how a text begins that says what could not be read
HOLDERS = {"chat": "messages", "interactions": "input"}  # what a request keeps its history in, if not in contents
_LIVE = ("connected", "frame", "setup", "input", "untimely", "resumed", "ended", "misplaced")
_NAME = re.compile(r"`[^`]*`")
_SIGNATURES = (b'"thoughtSignature"', b'"thought_signature"')


def rejection(
    asked: AnsweredRequest, status: int | None, text: str, server: ServerWord, ruleset: Ruleset
) -> RejectionFact | None:
    """A rejected request of whose findings none has such a text; None where an error in it will do."""
    protocol = asked.request.context.protocol
    rules = {name: rule for name, rule in ruleset.named.items() if _fits(rule, protocol)}
    if _explained(asked.findings, text, server, rules):
        return None
    suspects = list(suspected(asked.slices, even(text)))
    turn, spot = _pointed(asked, text, suspects)
    about = _about(text, [rule for rule in ruleset.unasked if _fits(rule, protocol)])
    alike = _alike(text, rules) if about == "request" and not opaque(text) else ()
    return RejectionFact(
        context=asked.request.context,
        spot=spot,
        turn=turn,
        status=status,
        text=scrub(text[:LONGEST]),
        opaque=opaque(text),
        about=about,
        causes=tuple(islice(dict.fromkeys(_causes(asked, alike, suspects)), MOST)),
    )


def _pointed(asked: AnsweredRequest, text: str, suspects: list[Suspect]) -> tuple[int | None, Spot]:
    """Where the text points, and the turn where that is in a content. Else at the first suspect, or the request."""
    steps = theirs(path(text[:LONGEST]), asked.request.context.protocol)
    for n, inside in _inside(asked, steps, empty(text[:LONGEST])):
        return asked.request.first + n, asked.at(n).to(*inside)
    if suspects and not steps:
        return asked.request.first + suspects[0].n, asked.at(suspects[0].n)
    ways = [(way, _around(asked.around, way)) for way in ([steps] if steps else spoken(text[:LONGEST]))]
    _, led = max(ways, key=lambda one: len(one[0]) == len(one[1]), default=([], ()))
    return None, asked.request.spot.to(*led)


def _around(around: Mapping[str, bytes], steps: list[SpokenStep]) -> tuple[Step, ...]:
    """As many of the steps as there are beside the contents."""
    key = next((key for key in around if camel(key) == camel(steps[0].word)), None)
    return () if key is None else (key, *walk(value_of(around[key]), steps[1:]))


def _inside(
    asked: AnsweredRequest, steps: list[SpokenStep], field: str | None
) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """The content that is meant, and the steps in it; of a field without a path the last that is empty."""
    if len(steps) > 1 and steps[0].word == "contents" and steps[1].kind == "index":
        said, chat = int(steps[1].word), asked.request.context.protocol == "chat"
        which = turns(map(value_of, asked.slices)) if chat else range(len(asked.slices))
        for n in which[said : said + 1]:
            yield n, () if chat else tuple(walk(value_of(asked.slices[n]), steps[2:]))
    if field is not None:
        named = [n for n, raw in enumerate(asked.slices) if field.encode() in raw]
        led = ((n, seek(value_of(asked.slices[n]), field)) for n in reversed(named))
        yield from ((n, found) for n, found in led if found is not None)


def _fits(rule: Rule, protocol: str) -> bool:
    """Whether a rule is asked of such requests. Servers word the same mistake alike wherever it is made."""
    of = rule.where.get("protocol", protocol)
    return rule.given not in _LIVE and protocol in (of if isinstance(of, list) else [of])


def _about(text: str, unasked: list[Rule]) -> str:
    said = _NAME.sub("", even(text))
    unread = path(text[:LONGEST]) or any(words in said for words in UNREAD)
    for about, words in (ABOUT if unread else ABOUT | BESIDE).items():
        if any(word in said for word in words):
            return about
    if not opaque(text) and any(predicts(rule, text) for rule in unasked):
        return "unasked"
    return "feature" if any(words in said for words in LACKING) else "request"


def _explained(found: list[Finding], text: str, server: ServerWord, rules: Mapping[str, Rule]) -> bool:
    """An error will do that was found with such an answer, unless the text speaks of another mistake."""
    known = not opaque(text) and any(predicts(rule, text) for rule in rules.values())
    return not known and any(each.severity == "error" and each.server == server for each in found)


def _causes(asked: AnsweredRequest, alike: Iterable[str], suspects: list[Suspect]) -> Iterator[str]:
    held = HOLDERS.get(asked.request.context.protocol, "contents")
    yield from (f"{suspect.what} at {held}/{suspect.n}" for suspect in suspects)
    yield from (name for name in alike if name not in {suspect.what for suspect in suspects})
    yield from (_where(each) for each in asked.findings if each.severity != "info")
    yield from unusual(asked.around)


def _alike(text: str, rules: Mapping[str, Rule]) -> Iterator[str]:
    """Rules whose texts fit. Where the text itself names what it is about, likeness leads astray."""
    named = bool(path(text[:LONGEST]) or spoken(text[:LONGEST]))
    for rule in likely(rules.values(), text)[:3]:
        if rule.given != RejectionFact.kind and (not named or predicts(rule, text)):
            yield rule.name


def silence(asked: AnsweredRequest | None, reply: ReplyFact, rules: Mapping[str, Rule]) -> tuple[str, ...]:
    """What in a request is known to make a reply come back empty on its model."""
    if asked is None or reply.finish != "STOP":
        return ()
    band = reply.context.band
    causes = [_where(each) for each in asked.findings if band in rules[each.rule].empties]
    # Replaying its own signatures was enough for that model to say nothing; 3.6 is said to have mended it.
    if not causes and band == "gemini-3.5" and _signed(asked):
        causes = ["recited thought signatures (a bug of 3.5-flash)"]
    return tuple(causes[:MOST])


def _signed(asked: AnsweredRequest) -> bool:
    return any(key in raw for raw in asked.slices for key in _SIGNATURES)


def _where(finding: Finding) -> str:
    return f"{finding.rule}{_short(finding.place)}"


def _short(place: Place) -> str:
    """The place inside the contents; the way to them is that of the log."""
    pointer = place.inner.pointer if place.inner else place.pointer
    held = next((held for held in ("contents", *HOLDERS.values()) if f"/{held}/" in pointer), None)
    return f" at {held}/{pointer.partition(f'/{held}/')[2]}" if held else ""
