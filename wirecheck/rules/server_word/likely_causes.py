"""What an answer is put down to: the mistakes found in its request, and what else is unusual in that.

A server that rejects a request with a text that no finding explains, or answers it with nothing, leaves people alone
with the question why. Here the likeliest causes are put in order. What is unusual is no mistake, only where to look.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
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
from wirecheck.secrets.scrub import scrub
from wirecheck.talk.facts import RejectionFact, ReplyFact

LONGEST, SAID = 1000, 4000  # characters of a text that are shown, and that are read
READINGS = 256  # error texts whose readings are cached
MOST = 5  # causes that are named
# What a rejection speaks of, by words in it; the first row that has one. What has none of them is about the request.
ABOUT: dict[str, tuple[str, ...]] = {
    "no-properties": ("should be non-empty for object type",),
    "empty-value": ("has an empty value. all values must have a type",),
    "key": ("api key not valid", "api key not found", "api_key_invalid"),
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
UNREAD = (
    "invalid json payload",
    'unknown name "',
    "invalid value at",
)  # how a text begins that says what could not be read
HOLDERS = {"chat": "messages", "interactions": "input"}  # what a request keeps its history in, if not in contents
_LIVE = ("connected", "frame", "setup", "input", "untimely", "resumed", "ended", "misplaced")
_NAME = re.compile(r"`[^`]*`")
_SIGNATURES = (b'"thoughtSignature"', b'"thought_signature"')


class Reading:
    """What an error text says, whatever was asked. `rules` may be what it speaks of, `unasked` were not selected."""

    def __init__(self, text: str, rules: Mapping[str, Rule], unasked: Iterable[Rule]) -> None:
        self._text, self._rules, self._unasked = text, rules, unasked
        self.even, self.opaque = even(text), opaque(text)

    @cached_property
    def known(self) -> bool:
        """Whether it is a text of any rule."""
        return not self.opaque and any([predicts(rule, self._text) for rule in self._rules.values()])

    @cached_property
    def shown(self) -> str:
        return scrub(self._text[:LONGEST])

    @cached_property
    def path(self) -> list[SpokenStep]:
        return path(self._text[:LONGEST])

    @cached_property
    def empty(self) -> str | None:
        return empty(self._text[:LONGEST])

    @cached_property
    def spoken(self) -> list[list[SpokenStep]]:
        return spoken(self._text[:LONGEST])

    @cached_property
    def about(self) -> str:
        said = _NAME.sub("", self.even)
        unread = self.path or any(words in said for words in UNREAD)
        for about, words in (ABOUT if unread else ABOUT | BESIDE).items():
            if any(word in said for word in words):
                return about
        if not self.opaque and any(predicts(rule, self._text) for rule in self._unasked):
            return "unasked"
        return "feature" if any(words in said for words in LACKING) else "request"

    @cached_property
    def alike(self) -> tuple[str, ...]:
        """Rules whose texts fit. Where the text itself names what it is about, likeness leads astray."""
        if self.about != "request" or self.opaque:
            return ()
        named, likeliest = bool(self.path or self.spoken), likely(self._rules.values(), self._text)[:3]
        fit = [rule for rule in likeliest if rule.given != RejectionFact.kind]
        return tuple([rule.name for rule in fit if not named or predicts(rule, self._text)])


class Blame:
    """Puts rejections down to something. Error texts come again: what each says is worked out once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._rules: dict[str, tuple[dict[str, Rule], list[Rule]]] = {}  # those asked of a protocol, and unasked ones
        self._reading = lru_cache(maxsize=READINGS)(self._read)

    def rejection(
        self, asked: AnsweredRequest, status: int | None, text: str, server: ServerWord
    ) -> RejectionFact | None:
        """A rejected request of whose findings none has such a text; None where an error in it will do, unless the
        text speaks of another mistake."""
        said = self._reading(text[:SAID], asked.request.context.protocol)
        errors = (each for each in asked.findings if each.severity == "error" and each.server == server)
        if next(errors, None) is not None and not said.known:
            return None
        suspects = list(suspected(asked.slices, said.even))
        turn, spot = _pointed(asked, said, suspects)
        return RejectionFact(
            context=asked.request.context,
            spot=spot,
            turn=turn,
            status=status,
            text=said.shown,
            opaque=said.opaque,
            about=said.about,
            causes=tuple(islice(dict.fromkeys(_causes(asked, said.alike, suspects)), MOST)),
        )

    def _read(self, text: str, protocol: str) -> Reading:
        if protocol not in self._rules:
            rules = {name: rule for name, rule in self._ruleset.named.items() if _fits(rule, protocol)}
            self._rules[protocol] = rules, [rule for rule in self._ruleset.unasked if _fits(rule, protocol)]
        return Reading(text, *self._rules[protocol])


def _pointed(asked: AnsweredRequest, said: Reading, suspects: list[Suspect]) -> tuple[int | None, Spot]:
    """Where the text points, and the turn where that is in a content. Else at the first suspect, or the request."""
    steps = theirs(said.path, asked.request.context.protocol)
    for n, inside in _inside(asked, steps, said.empty):
        return asked.request.first + n, asked.at(n).to(*inside)
    if suspects and not steps:
        return asked.request.first + suspects[0].n, asked.at(suspects[0].n)
    ways = [(way, _around(asked.around, way)) for way in ([steps] if steps else said.spoken)]
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


def _causes(asked: AnsweredRequest, alike: Iterable[str], suspects: list[Suspect]) -> Iterator[str]:
    held = HOLDERS.get(asked.request.context.protocol, "contents")
    yield from (f"{suspect.what} at {held}/{suspect.n}" for suspect in suspects)
    yield from (name for name in alike if name not in {suspect.what for suspect in suspects})
    yield from (_where(each) for each in asked.findings if each.severity != "info")
    yield from unusual(asked.around)


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
