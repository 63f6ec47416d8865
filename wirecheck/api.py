"""wirecheck in a program: judge a history before it is sent, or logs in a test.

Findings are the same objects as everywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from os import PathLike, fspath
from typing import Any

import msgspec

from wirecheck.faults import Fault, grouped
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset, load
from wirecheck.sources import Reader
from wirecheck.wire.records import Body, Opened, Origin, Site

# The host that stands for a surface; the model goes into the path, as on the wire.
HOSTS = {
    "gemini-api": "https://generativelanguage.googleapis.com/v1beta",
    "vertex": "https://aiplatform.googleapis.com/v1/publishers/google",
    "code-assist": "https://cloudcode-pa.googleapis.com/v1internal",
    "firebase": "https://firebasevertexai.googleapis.com/v1beta",
}
NOWHERE = "http://localhost/anything"
INTERACTIONS = {
    "gemini-api": "https://generativelanguage.googleapis.com/v1beta/interactions",
    "vertex": "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/interactions",
}
WRAPPERS = ("request", "generateContentRequest", "generate_content_request")  # keys of bodies that wrap the request
ASKS = ("contents", "input")  # what makes a body a request
Shallow = dict[str, msgspec.Raw] | list[msgspec.Raw]
SHALLOW: msgspec.json.Decoder[Shallow] = msgspec.json.Decoder(Shallow)
TAKES = "check takes a list of contents, or the body of a request with `contents` or `input`"


class CannotCheck(Exception):
    """Something could not be read, held no traffic, or could not be judged for a fault in wirecheck. `findings` has
    what was found nevertheless."""

    def __init__(self, problems: Sequence[str], findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)
        self.findings = list(findings)


def check(
    contents_or_body: Any,
    *,
    model: str | None = None,
    surface: str | None = None,
    rules: Ruleset | None = None,
) -> list[Finding]:
    """Judges a request that is about to be sent.

    Takes a list of contents or the body of a request: dicts and lists, google-genai's own objects, or JSON text. A list
    is judged as a piece of a history: rules about a request as a whole are not asked, as that it ends with the user's
    turn. A body with `contents` is judged as the request it is, one with `input` as that of an interaction. Without a
    model and a surface every finding has the mildest severity that any of them gives it.

    Raises TypeError or ValueError for what is neither, or not UTF-8, and for an empty history, so that nothing looks
    sound unjudged.

    >>> from wirecheck import check
    >>> history = [
    ...     {"role": "user", "parts": [{"text": "Weather in Rome?"}]},
    ...     {"role": "model", "parts": [{"functionCall": {"name": "get_weather", "args": {"city": "Rome"}}}]},
    ...     {"role": "user", "parts": [{"text": "Never mind."}]},
    ... ]
    >>> [finding.rule for finding in check(history, model="gemini-3.6-flash", surface="gemini-api")]
    ['unanswered-function-call']
    """
    origin = Origin("<contents>", 1)
    raw = _encoded(contents_or_body)
    body = _asks(raw)
    interaction = "input" in body and "contents" not in body
    verb = "generateContent" if body else "countTokens"  # countTokens accepts any piece of a history
    url = _url(model, surface, "interactions" if interaction else verb)
    if interaction and model and "model" not in body:
        raw = msgspec.json.encode({**body, "model": model})
    opened = Opened(channel="1", origin=origin, method="POST", url=url, body=Body(raw, Site(origin)))
    faults: list[Fault] = []
    inspector = Inspector(rules or _builtin(), predict=True, faults=faults)
    findings = repeated(inspector, inspector.feed(opened))
    if faults:
        raise CannotCheck(grouped(faults), findings)
    return findings


def lint(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    rules: Ruleset | None = None,
    predict: bool = False,
    input_format: str | None = None,
) -> list[Finding]:
    """Judges logs: files, or directories that are searched for them.

    Raises CannotCheck where there is no file, one cannot be read, nothing was traffic that is judged, or a line could
    not be judged for a fault in wirecheck, so that no test is silently green.

    >>> from wirecheck import lint
    >>> lint("fixtures/weather-sound/log.jsonl")
    []
    >>> (finding,) = lint("fixtures/recited-twenty-times/log.jsonl")
    >>> finding.rule, finding.place.line, finding.repeated
    ('unanswered-function-call', 1, 19)
    """
    listed = [fspath(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]
    if not listed:
        raise CannotCheck(["no paths: there is nothing to lint"], [])
    faults: list[Fault] = []
    inspector = Inspector(rules or _builtin(), predict=predict, faults=faults)
    reader = Reader(listed, input_format=input_format, brief=inspector.brief)
    findings = repeated(inspector, [finding for record in reader for finding in inspector.feed(record)])
    problems = [*grouped(faults), *map(str, reader.problems)]
    if not problems and not inspector.checked.judged:
        others = ", ".join(f"{kind} ({times} ×)" for kind, times in inspector.checked.unjudged.items())
        verdict = f"could be judged: {others}" if others else "was traffic"
        problems = [f"nothing in {', '.join(listed)} {verdict}"]
    if problems:
        raise CannotCheck(problems, findings)
    return findings


def repeated(inspector: Inspector, findings: list[Finding]) -> list[Finding]:
    """Closes an inspector that was fed everything, and returns all findings, each with how often it was recited
    again."""
    return recited(inspector, findings + inspector.close())


def recited(inspector: Inspector, findings: list[Finding]) -> list[Finding]:
    """The findings, each with how often it was recited again so far."""
    # By identity: two equal findings may have different counts.
    times = {id(each.finding): each.times for each in inspector.repeats}
    return [
        msgspec.structs.replace(finding, repeated=times[id(finding)]) if id(finding) in times else finding
        for finding in findings
    ]


@lru_cache(maxsize=1)
def _builtin() -> Ruleset:
    return load()


def _url(model: str | None, surface: str | None, verb: str) -> str:
    if surface is not None and surface not in (*HOSTS, "unknown"):
        raise ValueError(f"unknown surface {surface!r}: one of {', '.join(HOSTS)}, or None")
    if verb == "interactions":
        return INTERACTIONS.get(surface or "", f"{NOWHERE}/interactions")
    host = HOSTS.get(surface or "", NOWHERE)
    return f"{host}/models/{model}:{verb}" if model else f"{host}:{verb}"


def _encoded(value: Any) -> bytes:
    if isinstance(value, bytes):
        value.decode()  # raises a ValueError
        return value
    if isinstance(value, str):
        return value.encode()
    if value is None or isinstance(value, int | float):
        raise TypeError(f"{TAKES}, not {value!r}")
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except RecursionError:
        raise ValueError("cannot be sent as JSON: it contains itself, or is nested too deeply") from None


def _asks(raw: bytes) -> Mapping[str, msgspec.Raw]:
    """The members of a body; empty for a list. Raises ValueError where there is nothing to judge."""
    body = _opened(raw)
    if isinstance(body, dict) and body.keys().isdisjoint(ASKS):
        inside = _opened(next((body[key] for key in WRAPPERS if key in body), raw))
        body = {"contents": inside["contents"]} if isinstance(inside, dict) and "contents" in inside else {}
    asked = next((body[key] for key in ASKS if key in body), None) if isinstance(body, dict) else raw
    if asked is None:
        raise ValueError(f"a body without `contents`: {TAKES}")
    if bytes(asked).strip(b'[]" \t\r\n') in (b"", b"null"):
        raise ValueError("an empty history: there is nothing to check")
    return body if isinstance(body, dict) else {}


def _opened(raw: bytes | msgspec.Raw) -> Shallow:
    try:
        return SHALLOW.decode(raw)
    except msgspec.ValidationError:
        raise ValueError(TAKES) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}; {TAKES}") from None


def _plain(value: Any) -> Any:
    """Objects of an SDK as they would be sent: pydantic models are dumped."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot be sent as JSON: {type(value).__name__}")
