"""The environment variables that lead a command's client through the proxy: a table by mode.

Tested with google-genai 3.3, @google/genai 2.32 and gemini-cli 0.61. Opens no file and starts no proxy.
"""

from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import urlsplit

Mode = Literal["forward", "reverse"]
Kind = Literal["proxy", "past", "certificates", "flag", "gemini", "vertex", "code-assist"]
GEMINI = "https://generativelanguage.googleapis.com"
VERTEX = "https://aiplatform.googleapis.com"
CODE_ASSIST = "https://cloudcode-pa.googleapis.com"


# The variables of each mode: the kind of their value, and the clients that read them.
VARIABLES: dict[Mode, dict[str, Kind]] = {
    "forward": {
        "HTTPS_PROXY": "proxy",  # Python, gemini-cli, curl, Go; websockets from version 15 on
        "https_proxy": "proxy",  # tools that read only small letters
        "HTTP_PROXY": "proxy",  # the same, for an upstream without TLS
        "http_proxy": "proxy",  # curl, which reads only small letters here
        "NO_PROXY": "past",  # all of them: nothing that is to be recorded goes past the proxy
        "no_proxy": "past",  # tools that read only small letters
        "NODE_USE_ENV_PROXY": "flag",  # Node.js from 22.21 and 24 on; older ones know no proxy
        "SSL_CERT_FILE": "certificates",  # Python, OpenSSL, Go
        "REQUESTS_CA_BUNDLE": "certificates",  # Python with requests
        "CURL_CA_BUNDLE": "certificates",  # curl
        "NODE_EXTRA_CA_CERTS": "certificates",  # Node.js, gemini-cli
    },
    "reverse": {
        "GOOGLE_GEMINI_BASE_URL": "gemini",  # google-genai, @google/genai, gemini-cli
        "GOOGLE_VERTEX_BASE_URL": "vertex",  # google-genai, @google/genai on Vertex AI
        "CODE_ASSIST_ENDPOINT": "code-assist",  # gemini-cli logged in with Google
        # google-genai speaks TLS over its websocket whatever the base URL says.
        "SSL_CERT_FILE": "certificates",  # Live with google-genai
        "NODE_EXTRA_CA_CERTS": "certificates",  # Node.js, where it is told https
    },
}


def upstreams(environ: Mapping[str, str], named: str = "") -> dict[Kind, str]:
    """The upstream server for each base URL in reverse mode: the named one, else Google's."""
    location = environ.get("GOOGLE_CLOUD_LOCATION", "global")
    prefix = "" if location == "global" else f"{location}-"
    google: dict[Kind, str] = {
        "gemini": GEMINI,
        "vertex": f"https://{prefix}aiplatform.googleapis.com",
        "code-assist": CODE_ASSIST,
    }
    return {kind: named or url for kind, url in google.items()}


def past(environ: Mapping[str, str], recorded: Iterable[str]) -> str:
    """The value of NO_PROXY: what it was before, without hosts that are to be recorded."""
    listed = environ.get("NO_PROXY") or environ.get("no_proxy") or ""
    hosts = [*map(_host, (GEMINI, CODE_ASSIST, VERTEX)), *map(_host, recorded)]
    entries = [entry.strip() for entry in listed.split(",") if entry.strip()]
    return ",".join(entry for entry in entries if not any(_covers(entry, host) for host in hosts))


def beyond(environ: Mapping[str, str]) -> str:
    """The proxy that this environment uses already, or ""."""
    url = environ.get("HTTPS_PROXY") or environ.get("https_proxy") or ""
    return url if url.startswith(("http://", "https://")) else ""


def _host(url: str) -> str:
    return urlsplit(url if "//" in url else f"//{url}").hostname or ""


def _covers(entry: str, host: str) -> bool:
    name = entry.partition(":")[0].lower().lstrip("*.")
    return entry == "*" or host == name or host.endswith(f".{name}")


def environment(mode: Mode, urls: Mapping[Kind, str], certificates: str, past: str = "") -> dict[str, str]:
    """The variables of a mode. `urls` says where the proxy listens: as "proxy", or for each kind of upstream."""
    values: dict[Kind, str] = {"certificates": certificates, "flag": "1", "past": past, **urls}
    return {name: values[kind] for name, kind in VARIABLES[mode].items()}
