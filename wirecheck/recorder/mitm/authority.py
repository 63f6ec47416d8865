"""The certificate authority of our proxy, created once in a folder only its user can read, and a bundle for clients.

A variable such as SSL_CERT_FILE replaces everything a client trusts, and the proxy decrypts only Gemini's hosts. So the
bundle also contains what the client trusted before.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import certifi
from mitmproxy.certs import CertStore
from mitmproxy.options import CONF_BASENAME, KEY_SIZE

TRUSTED_BEFORE = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")


def bundle(folder: Path, environ: Mapping[str, str]) -> Path:
    """The file of certificates for clients. Creates the authority if there is none yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    CertStore.from_store(folder, CONF_BASENAME, KEY_SIZE)
    ours, before = folder / "bundle.pem", trusted_by(environ)
    if before == ours:  # the variables already name our bundle
        return ours
    written = b"\n".join(file.read_bytes() for file in (before, folder / f"{CONF_BASENAME}-ca-cert.pem"))
    aside = folder / f"bundle.{os.getpid()}.tmp"  # replaced atomically: another recorder may be reading it
    aside.write_bytes(written)
    os.replace(aside, ours)
    return ours


def trusted_by(environ: Mapping[str, str]) -> Path:
    """The certificates a client in this environment trusts: those a variable names, else certifi's."""
    named = (Path(environ[name]) for name in TRUSTED_BEFORE if environ.get(name))
    return next((path for path in named if path.is_file()), Path(certifi.where()))
