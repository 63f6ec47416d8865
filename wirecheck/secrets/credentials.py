"""Which headers and which query parameters may be logged, and which hold credentials.

Only values on an allowlist are kept; of everything else the name. Knows no bodies.
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from urllib.parse import unquote_plus, urlsplit

from wirecheck.secrets.secret_forms import REDACTED

# Allowed headers: how something was sent, not by whom.
ALLOWED = re.compile(
    r"accept(-encoding|-language|-ranges)?|age|allow|alt-svc|cache-control|(proxy-)?connection|date|expect|expires|host"
    r"|content-(disposition|encoding|language|length|range|type)|keep-alive|last-modified|pragma|retry-after"
    r"|sec-fetch-mode|sec-websocket-(extensions|version)|server|server-timing|te|trailer|transfer-encoding|upgrade"
    r"|user-agent|vary|via|warning|x-accel-buffering|x-content-type-options|x-gemini-service-tier|x-goog-api-client"
    r"|x-goog-request-params|x-server-timeout|x-vertex-ai-llm-request-type|x-wirecheck"
)
LINKS = re.compile(r"location|content-location|referer|origin|x-goog-upload-url")  # headers that hold a URL
# Query parameters whose value may be kept.
PLAIN_WORDS = re.compile(r"\$?(alt|prettyprint|fields)|model|stream|api-version|pagesize|uploadtype")
# Part of the names of credentials: headers, query parameters, keys of JSON.
CREDENTIAL = re.compile(
    r"auth|cookie|token|secret|passw|session|api[-_]?key|access[-_]?key|credential|signature|^(key|sig|code)$"
)
BASIC = re.compile(r"\s*basic\s+([A-Za-z0-9+/]+)=*\s*", re.I)
SCHEME = re.compile(r"(?:[a-z0-9+.-]+:)?//", re.I)


def headers(given: Mapping[str, str]) -> dict[str, str]:
    """The headers with values that must not be kept replaced."""
    return {name: header(name.lower(), value) for name, value in given.items()}


def header(name: str, value: str) -> str:
    kind = _kind(name)
    return value if kind == "plain" else url(value) if kind == "link" else REDACTED


@lru_cache(maxsize=1024)
def _kind(name: str) -> str:
    """What a header of this name (in lower case) holds: something plain, a link, a credential, or unknown."""
    if ALLOWED.fullmatch(name):
        return "plain"
    return "link" if LINKS.fullmatch(name) else "credential" if CREDENTIAL.search(name) else ""


def url(given: str) -> str:
    """A URL without a user's name and password, and without the values of its query that are not on the allowlist."""
    address, mark, words = _cut(given)
    scheme = SCHEME.match(address)
    start = scheme.end() if scheme else 0
    host, slash, path = address[start:].partition("/")
    kept = address[:start] + host.rpartition("@")[2] + slash + path
    return kept + mark + "&".join(map(_word, words.split("&"))) if mark else kept


def of_headers(given: Mapping[str, str]) -> Iterator[str]:
    """The credentials in headers."""
    for name, value in given.items():
        kind = _kind(name.lower())
        if kind == "link":
            yield from of_url(value)
        elif kind == "credential":
            yield value
            yield from (piece.strip(' "') for piece in re.split(r"[\s;,]|(?<=\w)=(?=[^=])", value))
            yield from _login(value)


def _login(value: str) -> Iterator[str]:
    """The password of basic authorization, and name and password together."""
    found = BASIC.fullmatch(value)
    if found and len(found[1]) % 4 != 1:  # else it is not base64
        login = b64decode(found[1] + "=" * (-len(found[1]) % 4)).decode("utf-8", "replace")
        yield from (login, login.partition(":")[2])


def of_url(given: str) -> Iterator[str]:
    address, _, words = _cut(given)
    with suppress(ValueError):  # no URL
        yield urlsplit(address).password or ""
    for word in words.split("&"):
        name, _, value = word.partition("=")
        if CREDENTIAL.search(name.lower()):
            yield from (value, unquote_plus(value))


def _cut(given: str) -> tuple[str, str, str]:
    """Splits a URL before its query. A fragment counts as query, since OAuth puts tokens there."""
    start = min((at for at in (given.find("?"), given.find("#")) if at >= 0), default=len(given))
    return given[:start], given[start : start + 1], given[start + 1 :].replace("#", "&")


def _word(word: str) -> str:
    name, equals, _ = word.partition("=")
    if not word or PLAIN_WORDS.fullmatch(unquote_plus(name).lower()):
        return word
    return f"{name}={REDACTED}" if equals else REDACTED
