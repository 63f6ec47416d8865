"""The page of a text that says nothing: what it is known to come of, by surface and model, and where to look.

A bare `Request contains an invalid argument.` is said of twenty mistakes. The order of the rows is how often each was
reported; which of them a log holds only `wirecheck lint` can tell.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wirecheck.rules.language.rule import Rule
from wirecheck.rules.server_word.texts import even, predicts


class Cause(NamedTuple):
    """`where`: surfaces and models. `rules` find it in a log, if any do."""

    where: str
    what: str
    look: str
    rules: tuple[str, ...] = ()


class VagueText(NamedTuple):
    """A text, and its causes over HTTP and in Live sessions, likeliest first. `owners` tell of it in a log."""

    text: str
    owners: tuple[str, ...]
    http: tuple[Cause, ...] = ()
    live: tuple[Cause, ...] = ()


# What a Live session closes for without a word, by code.
WORDLESS: dict[int, tuple[Cause, ...]] = {
    1007: (
        Cause(
            "every model",
            "all that leads to `Request contains an invalid argument.`, where a gateway drops the reason",
            '`wirecheck explain "Request contains an invalid argument."`',
        ),
        Cause("Vertex AI", "a query that is not part of the URL", "`?model=` in the URL", ("live-stray-query-params",)),
    ),
    1008: (
        Cause(
            "2.5 native audio",
            "audio or marks of activity while a call waits for its response",
            "what is sent between `toolCall` and `toolResponse`",
            ("input-while-tool-pending",),
        ),
        Cause(
            "every model, before `setupComplete`",
            "a model that is not known, a handle that is no longer, or a token on the wrong method",
            "`setup.model`, `sessionResumption.handle` and the URL",
            ("live-model-not-live", "session-resume-handle-unknown", "live-ephemeral-token-endpoint"),
        ),
        Cause(
            "every model, after `goAway` or ten minutes",
            "the time of the connection is over",
            "`goAway`, and how long the connection was open",
            ("go-away-ignored",),
        ),
        Cause("every model", "an empty `realtimeInput`", "what keeps the line open", ("live-realtime-input-fields",)),
    ),
    1011: (
        Cause(
            "every model",
            "a fault of the server, or no room for the model",
            "whether the same session works a minute later",
            ("live-server-ended",),
        ),
        Cause("every model", "a quota that is used up, after `setupComplete`", "the quota", ("live-server-ended",)),
        Cause(
            "every model",
            "a connection that is resumed while the older one is open",
            "when the older socket was closed",
            ("session-resume-overlap",),
        ),
        Cause(
            "no server: libraries of clients",
            "no pong within twenty seconds",
            "who closed, and what blocks the client's event loop",
            ("live-client-keepalive-timeout",),
        ),
    ),
}
VAGUE = (
    VagueText(
        "Request contains an invalid argument",
        ("opaque-invalid-argument", "live-close-unexplained"),
        (
            Cause(
                "from Gemini 3 on",
                "schemas that are too complex: mode `ANY` or `VALIDATED` with many functions, a large response schema, "
                "or a sum of `maxItems` in one schema of about 960 and more",
                "`toolConfig`, `tools`, `responseSchema`; send half of the declarations",
                ("schema-too-complex",),
            ),
            Cause(
                "Vertex AI, from 3.6 on; Gemini API, 3-flash and 3.1-flash-lite",
                "a response whose name is not that of its call, or of no declared function",
                "`functionResponse.name`",
                ("function-response-name-mismatch",),
            ),
            Cause(
                "Gemini API, 3-flash and 3.1-flash-lite",
                "two calls with one id in one content",
                "`functionCall.id`",
                ("duplicate-function-call-id",),
            ),
            Cause(
                "3.1-pro, 3.5-flash-lite; 3.6-flash until 2026-09-16",
                "`thinkingBudget: 0`, which many clients send by default",
                "`generationConfig.thinkingConfig`",
            ),
            Cause(
                "the OpenAI-compatible endpoint",
                "a `tool` message without the name of its function",
                "`messages[].name`",
                ("oai-tool-name-missing",),
            ),
            Cause(
                "the Interactions API",
                "a `function_result` without the name of its function",
                "`input[].name`",
                ("ix-missing-result-name",),
            ),
        ),
        (
            Cause("3.8", "a turn without a role", "`clientContent.turns[].role`", ("live-client-content-role",)),
            Cause(
                "3.1 and 3.8",
                "a setting that the model does not have; the server may take the setup, and close with the first "
                "content",
                "`setup.generationConfig`, `setup.proactivity`",
                ("live-model-feature-gate",),
            ),
            Cause(
                "every model",
                "calls without a response; on Vertex AI, 2.5, responses without an id",
                "every `toolCall` and what answers it",
                ("tool-response-missing", "tool-response-partial", "tool-response-missing-id"),
            ),
            Cause(
                "every model",
                "a second `setup`, or none at first",
                "the frames of the client in order",
                (
                    "live-setup-repeated",
                    "live-setup-not-first",
                ),
            ),
            Cause(
                "2.5 native audio",
                "`clientContent` amid audio, `turnComplete` alone as well",
                "what is sent when the user stops speaking",
                ("live-mixed-input-channels",),
            ),
            Cause(
                "Gemini API",
                "calls or responses in `clientContent`",
                "`clientContent.turns[].parts`",
                ("live-function-part-in-client-content",),
            ),
            Cause(
                "3.1, until July 2026",
                "`clientContent` after the first turn of the model",
                "the date, and `historyConfig`",
                ("live-client-content-restricted",),
            ),
            Cause(
                "every model, after some turns",
                "a compression so small that it cuts between a call and its response",
                "`contextWindowCompression.triggerTokens`",
                ("tool-exchange-compressed-away",),
            ),
        ),
    ),
    VagueText(
        "Requested entity was not found",
        ("live-model-not-live", "session-resume-handle-unknown"),
        (
            Cause(
                "every surface (404)",
                "a model that this version or location does not have, or a name of the other surface",
                "the model in the URL, the version, the location",
                ("model-name-format",),
            ),
            Cause(
                "every surface (404)",
                "cached contents, a file or a tuned model that is gone or belongs to another project",
                "`cachedContent`, `fileData.fileUri`",
                ("cached-content-conflict",),
            ),
        ),
        (
            Cause(
                "before `setupComplete`, without a handle",
                "a model that does not exist or does no Live sessions",
                "`setup.model`",
                ("live-model-not-live",),
            ),
            Cause(
                "with a handle",
                "one that is too old, made up, or of another project or model",
                "`setup.sessionResumption.handle`",
                ("session-resume-handle-unknown", "session-resume-handle-stale"),
            ),
            Cause(
                "2.5 native audio, after `toolResponse`",
                "a response to a call that this connection did not make; seen with matching ids, too",
                "`functionResponses[].id`",
                ("tool-response-unknown-id",),
            ),
        ),
    ),
    VagueText(
        "Internal error",
        ("unexplained-rejection", "live-close-unexplained"),
        (
            Cause(
                "every surface (500)",
                "a fault of the server",
                "whether the same request is taken a minute later",
            ),
            Cause(
                "every surface (500)",
                "a request that is hard to serve: a very long input, large images, schemas that constrain the answer",
                "the request without tools, then without its oldest turns",
                ("schema-too-complex", "input-too-long"),
            ),
        ),
        (
            Cause(
                "every model",
                "a fault of the server; 2.5 native audio had days of it",
                "whether the same session works a minute later",
            ),
            Cause(
                "3.1, spring 2026",
                "TEXT of a model that speaks",
                "`generationConfig.responseModalities`",
                ("live-modality-unsupported",),
            ),
            Cause(
                "every model, resumed",
                "a handle of a session with another model, or while its connection is open",
                "`setup.model`, and when the older socket was closed",
                ("session-resume-model-changed", "session-resume-overlap"),
            ),
            Cause("3.1", "a second `setup`", "the frames of the client in order", ("live-setup-repeated",)),
            Cause("every model", "a very large or deeply nested response", "the size of `toolResponse`"),
        ),
    ),
)
_CODE = re.compile(r"(?<!\d)(?:1007|1008|1011)(?!\d)")
KNOWN = "It is known to come of this, likeliest first; which of it a log holds, `wirecheck lint LOG` tells"
INTRO, SILENT = f"The text names nothing. {KNOWN}", f"A close that gives no reason. {KNOWN}"


def vague_page(asked: str, rules: Sequence[Rule]) -> str | None:
    """The page in Markdown; None where the text says something."""
    heard = even(asked).strip("\"'`")
    if not heard:
        return "\n".join(_wordless(rules))
    row = next((row for row in VAGUE if even(row.text) in heard), None)
    if row is None:
        return None
    rest = heard.replace(even(row.text), " ")
    if any(predicts(rule, rest) for rule in rules):
        return None
    return "\n".join(_page(row, rules, live_first=_CODE.search(asked) is not None))


def wordless(code: int, rules: Sequence[Rule]) -> list[str]:
    """What a close with this code and no reason is known to come of."""
    return list(_listed(WORDLESS.get(code, ()), rules))


def _wordless(rules: Sequence[Rule]) -> Iterator[str]:
    yield from ("# No reason", "", f"{SILENT}{_owners(('live-close-unexplained',), rules)}.", "")
    for code in WORDLESS:
        yield from (f"**{code}**", "", *wordless(code, rules), "")


def _page(row: VagueText, rules: Sequence[Rule], *, live_first: bool) -> Iterator[str]:
    yield from (f"# {row.text}", "", f"{INTRO}{_owners(row.owners, rules)}.", "")
    sections = [("**Over HTTP**", row.http), ("**In a Live session**", row.live)]
    for title, causes in reversed(sections) if live_first else sections:
        yield from (title, "", *_listed(causes, rules), "")
    named = {name for cause in (*row.http, *row.live) for name in cause.rules} | set(row.owners)
    others = [rule for rule in rules if rule.name not in named and predicts(rule, row.text)]
    if others:
        yield from ("Also said of: " + ", ".join(map(_rule, sorted(others, key=lambda rule: rule.code))), "")


def _owners(names: Sequence[str], rules: Sequence[Rule]) -> str:
    told = [_rule(rule) for name in names for rule in rules if rule.name == name]
    return f" ({', '.join(told)})" if told else ""


def _listed(causes: Sequence[Cause], rules: Sequence[Rule]) -> Iterator[str]:
    known = {rule.name: rule for rule in rules}
    for cause in causes:
        told = ", ".join(_rule(known[name]) for name in cause.rules if name in known)
        yield f"- {cause.where}: {cause.what}. Look at {cause.look}.{f' {told}' if told else ''}"


def _rule(rule: Rule) -> str:
    return f"{rule.code} {rule.name}"
