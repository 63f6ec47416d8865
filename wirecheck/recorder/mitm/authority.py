"""The certificate authority of our own proxy: made once in a folder of its user alone, and a bundle clients can trust.

A variable like SSL_CERT_FILE replaces what a client trusts, and only Gemini's hosts are opened by the proxy: the bundle
therefore holds what the client trusted before as well.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import certifi
from mitmproxy.certs import CertStore
from mitmproxy.options import CONF_BASENAME, KEY_SIZE

TRUSTED_BEFORE = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")


def bundle(folder: Path, environ: Mapping[str, str]) -> Path:
    """The file of certificates for clients; the authority is made where there is none yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    CertStore.from_store(folder, CONF_BASENAME, KEY_SIZE)
    ours, before = folder / "bundle.pem", trusted_by(environ)
    if before == ours:  # the variables are set already
        return ours
    written = b"\n".join(file.read_bytes() for file in (before, folder / f"{CONF_BASENAME}-ca-cert.pem"))
    aside = folder / f"bundle.{os.getpid()}.tmp"  # whole at any time: another recorder may be reading it
    aside.write_bytes(written)
    os.replace(aside, ours)
    return ours


def trusted_by(environ: Mapping[str, str]) -> Path:
    """What a client of this environment trusts: a bundle it names, else the common one."""
    named = (Path(environ[name]) for name in TRUSTED_BEFORE if environ.get(name))
    return next((path for path in named if path.is_file()), Path(certifi.where()))
