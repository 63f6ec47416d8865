"""What an answer is put down to: the mistakes found in its request, and what else is unusual in that.

A server that rejects a request with a text that no finding explains, or answers it with nothing, leaves people alone
with the question why. Here the likeliest causes are put in order. What is unusual is no mistake, only where to look.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import DecodeError, Struct, json

from wirecheck.dialects.names import get, keys_of
from wirecheck.finding import Finding, Place
from wirecheck.rules.rule import Rule
from wirecheck.rules.said import even, likely, opaque, predicts
from wirecheck.talk import Recital
from wirecheck.talk.facts import RejectionFact, ReplyFact
from wirecheck.wire.scrub import scrub

LONGEST = 1000
MOST = 5  # causes that are named
MANY = 128  # declarations; what Vertex AI's documentation allows
# Of the request around its contents: what is known to be refused by some models, and hard on servers.
UNUSUAL = (
    ("toolConfig.functionCallingConfig.allowedFunctionNames", "allowedFunctionNames"),
    ("toolConfig.functionCallingConfig.streamFunctionCallArguments", "streamFunctionCallArguments"),
    ("toolConfig.includeServerSideToolInvocations", "includeServerSideToolInvocations"),
    ("generationConfig.responseSchema", "a responseSchema"),
    ("generationConfig.responseJsonSchema", "a responseJsonSchema"),
    ("generationConfig.responseMimeType", "a responseMimeType"),
    ("generationConfig.responseModalities", "responseModalities"),
    ("generationConfig.thinkingConfig", "a thinkingConfig"),
    ("generationConfig.speechConfig", "a speechConfig"),
    ("generationConfig.candidateCount", "candidateCount"),
    ("generationConfig.frequencyPenalty", "frequencyPenalty"),
    ("generationConfig.presencePenalty", "presencePenalty"),
    ("generationConfig.responseLogprobs", "responseLogprobs"),
    ("cachedContent", "cachedContent"),
)
# What a rejection speaks of, by words in it; the first row that has one. What has none of them is about the request.
ABOUT = {
    "key": ("api key not valid", "api_key_invalid"),
    "length": ("input token count",),
    "signature": ("corrupted thought signature", "thought signature is not valid", "invalid thought signature"),
    "url": ("cannot fetch content from the provided url",),
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
CONSTRAINED = ("ANY", "VALIDATED")  # modes in which the schemas of all declarations become one constraint
_LIVE = ("connected", "frame", "setup", "input", "untimely", "resumed", "ended", "misplaced")
_CALL, _RESPONSE = re.compile(rb'"function_?[cC]all"'), re.compile(rb'"function_?[rR]esponse"')
_COUNTED = "number of function response parts"
_SIGNATURES = (b'"thoughtSignature"', b'"thought_signature"')


class Asked(Struct):
    """A request whose answer is still to come: what was found in it, and what it was."""

    recital: Recital
    around: Mapping[str, bytes]
    slices: tuple[bytes, ...]
    found: Sequence[Any]  # each holds a `finding`

    @property
    def findings(self) -> list[Finding]:
        return [known.finding for known in self.found]


def rejection(asked: Asked, status: int | None, text: str, rules: Mapping[str, Rule]) -> RejectionFact | None:
    """A rejected request whose findings do not say why; None where one does."""
    rules = {name: rule for name, rule in rules.items() if not _of_sessions(rule)}
    if _explained(asked.findings, text, rules):
        return None
    return RejectionFact(
        context=asked.recital.context,
        spot=asked.recital.spot,
        status=status,
        text=scrub(text[:LONGEST]),
        opaque=opaque(text),
        about=_about(text),
        causes=tuple(islice(dict.fromkeys(_causes(asked, text, rules)), MOST)),
    )


def _of_sessions(rule: Rule) -> bool:
    """A rule about Live sessions, whose servers word the same mistakes alike."""
    return rule.given in _LIVE or rule.where.get("protocol") == "live"


def _about(text: str) -> str:
    said = even(text)
    return next((about for about, words in ABOUT.items() if any(word in said for word in words)), "request")


def _explained(found: list[Finding], text: str, rules: Mapping[str, Rule]) -> bool:
    """An error in the request will do, unless the text speaks of another mistake."""
    if any(predicts(rules[each.rule], text) for each in found):
        return True
    known = not opaque(text) and any(predicts(rule, text) for rule in rules.values())
    return not known and any(each.severity == "error" for each in found)


def _causes(asked: Asked, text: str, rules: Mapping[str, Rule]) -> Iterator[str]:
    if _COUNTED in even(text):
        yield from (
            f"interleaved-call-and-response at contents/{n}" for n, raw in enumerate(asked.slices) if _both(raw)
        )
    if not opaque(text):
        yield from (rule.name for rule in likely(rules.values(), text)[:3] if rule.given != RejectionFact.kind)
    yield from (_where(each) for each in asked.findings if each.severity != "info")
    yield from unusual(asked)


def _both(raw: bytes) -> bool:
    """Whether a content calls and answers in turns: sound where the server executed the calls, else put together."""
    content = _value(raw) if _CALL.search(raw) and _RESPONSE.search(raw) else None
    parts = get(content, "parts") if type(content) is dict else None
    told = [keys_of(part) for part in parts if type(part) is dict] if type(parts) is list else []
    first = next((n for n, keys in enumerate(told) if "functionResponse" in keys), len(told))
    return any("functionCall" in keys for keys in told[first:])


def silence(asked: Asked | None, reply: ReplyFact, rules: Mapping[str, Rule]) -> tuple[str, ...]:
    """What in a request is known to make a reply come back empty on its model."""
    if asked is None:
        return ()
    band = reply.context.band
    causes = [_where(each) for each in asked.findings if band in rules[each.rule].empties]
    # Replaying its own signatures was enough for that model to say nothing; 3.6 is said to have mended it.
    if not causes and band == "gemini-3.5" and _signed(asked):
        causes = ["recited thought signatures (a bug of 3.5-flash)"]
    return tuple(causes[:MOST])


def _signed(asked: Asked) -> bool:
    return any(key in raw for raw in asked.slices for key in _SIGNATURES)


def unusual(asked: Asked) -> Iterator[str]:
    """What few requests have, besides what was found in it."""
    body = {key: _value(raw) for key, raw in asked.around.items()}
    tools = get(body, "tools")
    entries = [each for each in (tools if type(tools) is list else [tools]) if type(each) is dict]
    lists = [get(entry, "functionDeclarations") for entry in entries]
    declared = sum(len(each) for each in lists if type(each) is list)
    if declared > MANY:
        yield f"{declared} function declarations"
    if declared and any(set(keys_of(entry)) - {"functionDeclarations"} for entry in entries):
        yield "Google's own tools beside functions"
    mode = str(_at(body, "toolConfig.functionCallingConfig.mode")).upper()
    if mode in CONSTRAINED:
        yield f"mode {mode}: the schemas constrain the answer"
    yield from (what for path, what in UNUSUAL if _at(body, path) is not None)


def _where(finding: Finding) -> str:
    return f"{finding.rule}{_short(finding.place)}"


def _short(place: Place) -> str:
    """The place inside the contents; the way to them is that of the log."""
    _, found, steps = (place.inner.pointer if place.inner else place.pointer).partition("/contents/")
    return f" at contents/{steps}" if found else ""


def _at(body: Any, path: str) -> Any:
    for key in path.split("."):
        body = get(body, key) if type(body) is dict else None
    return body


def _value(raw: bytes) -> Any:
    try:
        return json.decode(raw)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        return None
