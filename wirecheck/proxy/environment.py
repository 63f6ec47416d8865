"""What a command needs in its environment so that its client goes through the proxy: a table by client and mode.

What each client obeys was tried with google-genai 3.3, @google/genai 2.32 and gemini-cli 0.61. Opens no file and
starts no proxy.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Mode = Literal["forward", "reverse"]
Kind = Literal["proxy", "certificates", "flag", "empty", "gemini", "vertex", "code-assist"]
GEMINI = "https://generativelanguage.googleapis.com"
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
        Variable("NO_PROXY", "empty", "all of them: nothing goes past the proxy"),
        Variable("no_proxy", "empty", "tools that read only small letters"),
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


def environment(mode: Mode, urls: Mapping[Kind, str], certificates: str) -> dict[str, str]:
    """The variables of a mode. `urls`: where the proxy listens, as "proxy" or for each kind of upstream."""
    values: dict[Kind, str] = {"certificates": certificates, "flag": "1", "empty": "", **urls}
    return {variable.name: values[variable.kind] for variable in VARIABLES[mode]}
