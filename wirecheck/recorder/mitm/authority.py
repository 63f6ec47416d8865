"""The certificate authority of our proxy, created once in a folder only its user can read, and a bundle for clients.

A variable such as SSL_CERT_FILE replaces everything a client trusts, and the proxy decrypts only Gemini's hosts. So the
bundle also contains what the client trusted before.
"""

import errno
from collections.abc import Mapping
from pathlib import Path

import certifi
from mitmproxy.certs import CertStore
from mitmproxy.options import CONF_BASENAME, KEY_SIZE

from wirecheck.data.atomic_write import write_bytes
from wirecheck.data.ownership import private_folder

TRUSTED_BEFORE = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")


def bundle(folder: Path, environ: Mapping[str, str]) -> Path:
    """The file of certificates for clients. Creates the authority if there is none yet."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not private_folder(str(folder)):  # its key signs for every server there is
        raise PermissionError(errno.EACCES, "others may write there, or another user owns it", str(folder))
    CertStore.from_store(folder, CONF_BASENAME, KEY_SIZE)
    ours, before = folder / "bundle.pem", trusted_by(environ)
    if before == ours:  # the variables already name our bundle
        return ours
    written = b"\n".join(file.read_bytes() for file in (before, folder / f"{CONF_BASENAME}-ca-cert.pem"))
    write_bytes(str(ours), [written])  # atomically: another recorder may be reading it
    return ours


def trusted_by(environ: Mapping[str, str]) -> Path:
    """The certificates a client in this environment trusts: those a variable names, else certifi's."""
    named = (Path(environ[name]) for name in TRUSTED_BEFORE if environ.get(name))
    return next((path for path in named if path.is_file()), Path(certifi.where()))
