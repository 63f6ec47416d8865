"""Which headers and which query parameters may be logged, and which hold credentials.

Only values on an allowlist are kept; of everything else the name. Knows no bodies.
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from urllib.parse import unquote_plus, urlsplit

from wirecheck.secrets.redaction_marks import Mark, is_cut
from wirecheck.secrets.secret_forms import (
    COOKIE_KIND,
    FOR_LIVE,
    KEY_KIND,
    PASSWORD_KIND,
    PRIVATE_KIND,
    REDACTED,
    SECRET_KIND,
    SIGNATURE_KIND,
    TOKEN_KIND,
)

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
# Part of the names of credentials: headers, query parameters. An author, a page's token and a limit of tokens are none.
CREDENTIAL = re.compile(
    r"(?!access-control-|.*ratelimit|.*authenticate$|(?:next-?_?)?page-?_?token|max-?_?(?:output-?_?)?tokens|:)"
    r".*(?:auth(?!or(?!i[sz]))|cookie|token|secret|passw|passphrase|pwd|session|credential|signature|private"
    r"|(?:api|access|subscription|functions?|gateway|service|master|admin|account|shared|signing|encryption)[-_]?key"
    r"|^(?:key|sig|code)$)"
)
# What else a cookie that is set consists of.
ATTRIBUTES = frozenset(("path", "domain", "expires", "max-age", "samesite", "version", "comment", "priority"))
BASIC = re.compile(r"\s*basic\s+([A-Za-z0-9+/]+)=*\s*", re.I)
SCHEME = re.compile(r"(?:[a-z0-9+.-]+:)?//", re.I)
LOGIN = re.compile(r"((?:[a-z0-9+.-]{1,40}:)?//[^/@:]{0,200}:)([^/@]{1,400})(?=@)", re.I)
QUERY_WORD = re.compile(rf"([^&#=?]++)=({FOR_LIVE})([^?&#]++)")
# By a part of their names. The first that fits counts.
KINDS = (
    ("cookie", COOKIE_KIND),
    *((word, PASSWORD_KIND) for word in ("passw", "passphrase", "pwd")),
    *((word, PRIVATE_KIND) for word in ("private", "ssh")),
    ("sig", SIGNATURE_KIND),
    ("secret", SECRET_KIND),
    ("key", KEY_KIND),
    *((word, TOKEN_KIND) for word in ("token", "auth", "session", "code")),
)


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
    return "link" if LINKS.fullmatch(name) else "credential" if is_credential(name) else ""


@lru_cache(maxsize=1024)
def is_credential(name: str) -> bool:
    """Whether a header or a query parameter of this name (in lower case) is one."""
    return CREDENTIAL.match(name) is not None


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
            yield from _cookies(value) if "cookie" in name.lower() else _pieces(value)
            yield from _login(value)


def _pieces(value: str) -> Iterator[str]:
    return (piece.strip(' "') for piece in re.split(r"[\s;,]|(?<=\w)=(?=[^=])", value))


def _cookies(value: str) -> Iterator[str]:
    """The values of cookies. Their names, and for whom they are, may stand in any other place."""
    for piece in re.split(r"[;,]\s*", value):
        name, _, held = piece.partition("=")
        if name.strip().lower() not in ATTRIBUTES:
            yield held.strip(' "')


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
        if is_credential(unquote_plus(name).lower()):
            yield from (value, unquote_plus(value))


def url_cut(given: str, mark: Mark) -> str:
    """A URL without its password and without the values of credentials in its query; all else of it as it is."""
    address, sign, words = given[: _query(given)], given[_query(given) : _query(given) + 1], given[_query(given) + 1 :]
    found = LOGIN.match(address)
    if found and not is_cut(found[2]):
        address = found[1] + mark(PASSWORD_KIND, found[2]) + address[found.end() :]
    return address + sign + QUERY_WORD.sub(partial(_word_cut, mark), words)


def _word_cut(mark: Mark, found: re.Match[str]) -> str:
    name, value = unquote_plus(found[1]).lower(), found[3]
    if not is_credential(name) or is_cut(unquote_plus(value)):
        return found[0]
    return f"{found[1]}={found[2]}{mark(kind_of(name), value)}"


def kind_of(name: str) -> str:
    """What a secret is called that has this name, in lower case."""
    return next((kind for part, kind in KINDS if part in name), SECRET_KIND)


def _cut(given: str) -> tuple[str, str, str]:
    """Splits a URL before its query. A fragment counts as query, since OAuth puts tokens there."""
    start = _query(given)
    return given[:start], given[start : start + 1], given[start + 1 :].replace("#", "&")


def _query(given: str) -> int:
    """Where the query of a URL begins, or its fragment."""
    return min((at for at in (given.find("?"), given.find("#")) if at >= 0), default=len(given))


def _word(word: str) -> str:
    name, equals, _ = word.partition("=")
    if not word or PLAIN_WORDS.fullmatch(unquote_plus(name).lower()):
        return word
    return f"{name}={REDACTED}" if equals else REDACTED
