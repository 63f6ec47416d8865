"""What a command needs in its environment so that its client goes through the proxy: a table by client and mode.

What each client obeys was tried with google-genai 3.3, @google/genai 2.32 and gemini-cli 0.61. Opens no file and
starts no proxy.
"""

from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

Mode = Literal["forward", "reverse"]
Kind = Literal["proxy", "past", "certificates", "flag", "gemini", "vertex", "code-assist"]
GEMINI = "https://generativelanguage.googleapis.com"
VERTEX = "https://aiplatform.googleapis.com"
CODE_ASSIST = "https://cloudcode-pa.googleapis.com"


class Variable(Struct, frozen=True):
    """One variable: who obeys it, and what its value is made of."""

    name: str
    kind: Kind
    clients: str


VARIABLES: dict[Mode, tuple[Variable, ...]] = {
    "forward": (
        Variable("HTTPS_PROXY", "proxy", "Python, gemini-cli, curl, Go; websockets from version 15 on"),
        Variable("https_proxy", "proxy", "tools that read only small letters"),
        Variable("HTTP_PROXY", "proxy", "the same, for an upstream without TLS"),
        Variable("http_proxy", "proxy", "curl, which reads only small letters here"),
        Variable("NO_PROXY", "past", "all of them: nothing that is to be recorded goes past the proxy"),
        Variable("no_proxy", "past", "tools that read only small letters"),
        Variable("NODE_USE_ENV_PROXY", "flag", "Node.js from 22.21 and 24 on; older ones know no proxy"),
        Variable("SSL_CERT_FILE", "certificates", "Python, OpenSSL, Go"),
        Variable("REQUESTS_CA_BUNDLE", "certificates", "Python with requests"),
        Variable("CURL_CA_BUNDLE", "certificates", "curl"),
        Variable("NODE_EXTRA_CA_CERTS", "certificates", "Node.js, gemini-cli"),
    ),
    "reverse": (
        Variable("GOOGLE_GEMINI_BASE_URL", "gemini", "google-genai, @google/genai, gemini-cli"),
        Variable("GOOGLE_VERTEX_BASE_URL", "vertex", "google-genai, @google/genai on Vertex AI"),
        Variable("CODE_ASSIST_ENDPOINT", "code-assist", "gemini-cli logged in with Google"),
        # google-genai speaks TLS over its websocket whatever the base URL says.
        Variable("SSL_CERT_FILE", "certificates", "Live with google-genai"),
        Variable("NODE_EXTRA_CA_CERTS", "certificates", "Node.js, where it is told https"),
    ),
}


def upstreams(environ: Mapping[str, str], named: str = "") -> dict[Kind, str]:
    """Which server stands behind each base URL of reverse mode: the one that was named, else Google's own."""
    location = environ.get("GOOGLE_CLOUD_LOCATION", "global")
    prefix = "" if location == "global" else f"{location}-"
    google: dict[Kind, str] = {
        "gemini": GEMINI,
        "vertex": f"https://{prefix}aiplatform.googleapis.com",
        "code-assist": CODE_ASSIST,
    }
    return {kind: named or url for kind, url in google.items()}


def past(environ: Mapping[str, str], recorded: Iterable[str]) -> str:
    """What goes past a proxy already, without what is to be recorded: hosts that are names or end in one."""
    listed = environ.get("NO_PROXY") or environ.get("no_proxy") or ""
    hosts = [*map(_host, (GEMINI, CODE_ASSIST, VERTEX)), *map(_host, recorded)]
    entries = [entry.strip() for entry in listed.split(",") if entry.strip()]
    return ",".join(entry for entry in entries if not any(_covers(entry, host) for host in hosts))


def beyond(environ: Mapping[str, str]) -> str:
    """The proxy through which this environment reaches the world, where there is one."""
    url = environ.get("HTTPS_PROXY") or environ.get("https_proxy") or ""
    return url if url.startswith(("http://", "https://")) else ""


def _host(url: str) -> str:
    return urlsplit(url if "//" in url else f"//{url}").hostname or ""


def _covers(entry: str, host: str) -> bool:
    name = entry.partition(":")[0].lower().lstrip("*.")
    return entry == "*" or host == name or host.endswith(f".{name}")


def environment(mode: Mode, urls: Mapping[Kind, str], certificates: str, past: str = "") -> dict[str, str]:
    """The variables of a mode. `urls`: where the proxy listens, as "proxy" or for each kind of upstream."""
    values: dict[Kind, str] = {"certificates": certificates, "flag": "1", "past": past, **urls}
    return {variable.name: values[variable.kind] for variable in VARIABLES[mode]}
