"""Reads protocol, method, surface, version and model out of a URL. Knows no bodies."""

import re
from functools import lru_cache

from msgspec import Struct

from wirecheck.models import Models

# The protocol by the last word of a path.
VERBS = {
    "generateContent": "generate-content",
    "streamGenerateContent": "generate-content",
    "countTokens": "generate-content",
    "batchGenerateContent": "batch",
    "BidiGenerateContent": "live",
    "BidiGenerateContentConstrained": "live",
    "completions": "chat",
    "interactions": "interactions",
}
# Other methods of the API: recognised, and not judged.
OTHERS = frozenset(
    (
        "auth_tokens",
        "batches",
        "cachedContents",
        "corpora",
        "dynamic",
        "fileSearchStores",
        "files",
        "models",
        "operations",
        "tunedModels",
        "upload",
    )
)
# Hosts that speak protocols which Gemini's servers speak as well, and serve no Gemini model.
ELSEWHERE = (
    ".anthropic.com",
    ".cohere.com",
    ".deepseek.com",
    ".groq.com",
    ".mistral.ai",
    ".openai.azure.com",
    ".openai.com",
    ".x.ai",
)
LONGEST = 100  # characters of a host that are told
_COLON = re.compile("%3a", re.IGNORECASE)
_VERSION = re.compile(r"(?:^|[/.])(v\d+(?:alpha|beta)?\d*|v1internal)(?=[/.:]|$)")
_MODEL = re.compile(r"(?:^|/)(?:models/|(?=tunedModels/))((?:tunedModels/)?[^/:?]+)")


class Address(Struct, frozen=True):
    """What a URL says. `verb` is the method called, as in `generateContent`.

    `protocol` is "other" for what is not judged, and "unknown" where the URL does not tell: a gateway's own path.
    `broken` is the parameter in the query that has a question mark in its value, where the next one was to begin.
    """

    protocol: str
    verb: str
    surface: str
    version: str | None
    model: str | None
    broken: str | None = None
    elsewhere: bool = False  # at a host that serves no Gemini model


@lru_cache(maxsize=2048)
def address(url: str, models: Models) -> Address:
    host, path = _split(url)
    verb = re.split(r"[/:.]", path.rstrip("/"))[-1]
    elsewhere = f".{host}".endswith(ELSEWHERE)
    verb = "" if elsewhere else verb if verb in VERBS else _other(path)
    surface = _surface(host, path, models)
    version, model = _VERSION.search(path), _MODEL.search(path)
    unknown = surface == "unknown" and verb in ("", "interactions")  # a common word, also in other APIs
    return Address(
        protocol="unknown" if unknown and not elsewhere else VERBS.get(verb, "other"),
        verb=verb or (f"requests to {host[:LONGEST]}" if host else "other requests"),
        surface=surface,
        version=version.group(1) if version else None,
        model=_unquoted(model.group(1)) if model else None,  # for a tuned model with `tunedModels/`
        broken=_broken(url),
        elsewhere=elsewhere,
    )


def query_names(url: str) -> tuple[str, ...]:
    """The names in the query of a URL, without their values, which may be secrets."""
    query = url.partition("?")[2].partition("#")[0]
    return tuple(_unquoted(name) for pair in query.split("&") if (name := pair.partition("=")[0]))


def _broken(url: str) -> str | None:
    pairs = url.partition("#")[0].partition("?")[2].split("&")
    return next((_unquoted(name) for name, _, value in (pair.partition("=") for pair in pairs) if "?" in value), None)


def _unquoted(text: str) -> str:
    """Decodes escapes. urllib is imported late: few URLs have any, and it takes longer to load than `dialects`."""
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def _other(path: str) -> str:
    """What a call that is not judged is about: the method or the kind of resource, never the name of one."""
    called = re.search(r":([A-Za-z]{1,40})$", path)
    kinds = (word for word in path.split("/") if word in OTHERS or word == "interactions")
    return called.group(1) if called else next(kinds, "")


def _split(url: str) -> tuple[str, str]:
    _, found, rest = url.partition("://")
    host, _, path = (rest if found else url).partition("/")
    path = _COLON.sub(":", path.partition("?")[0].partition("#")[0])  # some clients escape the colon
    return host.rpartition("@")[2].partition(":")[0].lower(), path


def _surface(host: str, path: str, models: Models) -> str:
    """The surface by the host; behind a gateway, by a path that only one surface has."""
    surface = models.surface(host)
    if surface == "unknown" and ("/publishers/google/" in f"/{path}" or "LlmBidiService" in path):
        return "vertex"
    if surface in ("gemini-api", "vertex") and "/chat/completions" in path:
        return "openai-compat"
    return surface
