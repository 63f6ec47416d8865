"""What a command finds in its environment, by mode; and what it trusts."""

import ssl
import stat
from pathlib import Path

import certifi
import pytest

from wirecheck.recorder.mitm.authority import bundle
from wirecheck.recorder.mitm.client_environment import VARIABLES, Kind, Mode, beyond, environment, past, upstreams
from wirecheck.recorder.mitm.listening import listening

URLS: dict[Kind, str] = {"proxy": "P", "gemini": "G", "vertex": "V", "code-assist": "C"}


@pytest.mark.parametrize(
    ("mode", "there"),
    [
        ("forward", {"HTTPS_PROXY": "P", "https_proxy": "P", "NODE_USE_ENV_PROXY": "1", "NODE_EXTRA_CA_CERTS": "/ca"}),
        ("forward", {"SSL_CERT_FILE": "/ca", "REQUESTS_CA_BUNDLE": "/ca", "NO_PROXY": "db"}),
        ("reverse", {"GOOGLE_GEMINI_BASE_URL": "G", "GOOGLE_VERTEX_BASE_URL": "V", "CODE_ASSIST_ENDPOINT": "C"}),
        ("reverse", {"SSL_CERT_FILE": "/ca", "NODE_EXTRA_CA_CERTS": "/ca"}),
    ],
)
def test_each_mode_has_its_variables(mode: Mode, there: dict[str, str]) -> None:
    variables = environment(mode, URLS, "/ca", "db")
    assert there.items() <= variables.items()
    assert list(variables) == list(VARIABLES[mode])


@pytest.mark.parametrize(
    ("listed", "recorded", "left"),
    [
        ("", [], ""),
        ("db, .corp.example", [], "db,.corp.example"),
        ("*", [], ""),
        ("googleapis.com,db", [], "db"),
        (".googleapis.com,*.googleapis.com", [], ""),
        ("localhost,127.0.0.1", ["http://127.0.0.1:8080"], "localhost"),
        ("app.example.org:443,db", ["app.example.org"], "db"),
        ("notgoogleapis.com,apis.com", [], "notgoogleapis.com,apis.com"),
    ],
)
def test_what_is_recorded_does_not_go_past_the_proxy(listed: str, recorded: list[str], left: str) -> None:
    assert past({"NO_PROXY": listed}, recorded) == left
    assert past({"no_proxy": listed}, recorded) == left


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, ""),
        ({"HTTPS_PROXY": "http://corp:3128"}, "http://corp:3128"),
        ({"https_proxy": "http://corp:3128"}, "http://corp:3128"),
        ({"HTTPS_PROXY": "socks5://corp"}, ""),
    ],
)
def test_a_proxy_that_was_there_is_gone_through(environ: dict[str, str], url: str) -> None:
    assert beyond(environ) == url


@pytest.mark.parametrize(
    ("environ", "modes", "login"),
    [
        ({}, ["regular@127.0.0.1:9"], None),
        ({"HTTPS_PROXY": "http://corp:3128"}, ["upstream:http://corp:3128@127.0.0.1:9"], None),
        ({"HTTPS_PROXY": "http://me:p%40ss@corp:3128"}, ["upstream:http://corp:3128@127.0.0.1:9"], "me:p@ss"),
    ],
)
def test_where_a_forward_proxy_listens(environ: dict[str, str], modes: list[str], login: str | None) -> None:
    where = listening("forward", 9, "", environ)
    assert (where.modes, where.urls, where.login) == (modes, {"proxy": "http://127.0.0.1:9"}, login)


@pytest.mark.parametrize(
    ("upstream", "environ", "ports", "urls"),
    [
        ("", {}, 3, ["http://127.0.0.1:9", "http://127.0.0.1:10", "http://127.0.0.1:11"]),
        ("http://gateway/google/", {}, 1, ["http://127.0.0.1:9/google"] * 3),
    ],
)
def test_where_a_reverse_proxy_listens(upstream: str, environ: dict[str, str], ports: int, urls: list[str]) -> None:
    where = listening("reverse", 9, upstream, environ)
    assert len(where.modes) == ports
    assert list(where.urls.values()) == urls


def test_free_ports_are_different() -> None:
    assert len(set(listening("reverse", 0, "", {}).modes)) == 3


@pytest.mark.parametrize(
    ("environ", "host"),
    [
        ({}, "https://aiplatform.googleapis.com"),
        ({"GOOGLE_CLOUD_LOCATION": "global"}, "https://aiplatform.googleapis.com"),
        ({"GOOGLE_CLOUD_LOCATION": "europe-west4"}, "https://europe-west4-aiplatform.googleapis.com"),
    ],
)
def test_vertex_is_where_the_environment_says(environ: dict[str, str], host: str) -> None:
    assert upstreams(environ)["vertex"] == host


def test_clients_trust_us_and_whom_they_trusted_before(tmp_path: Path) -> None:
    folder = tmp_path / "ca"
    ours = bundle(folder, {})
    context = ssl.create_default_context(cafile=ours)
    before = ssl.create_default_context(cafile=certifi.where())
    assert context.cert_store_stats()["x509_ca"] == before.cert_store_stats()["x509_ca"] + 1
    corporate = tmp_path / "corporate.pem"
    corporate.write_bytes((folder / "mitmproxy-ca-cert.pem").read_bytes())
    again = bundle(folder, {"SSL_CERT_FILE": str(corporate)}).read_bytes()
    assert again.startswith(corporate.read_bytes())
    assert bundle(folder, {"SSL_CERT_FILE": str(ours)}).read_bytes() == again  # the variables are set already


def test_nobody_else_can_read_our_key(tmp_path: Path) -> None:
    bundle(tmp_path / "ca", {})
    assert stat.S_IMODE((tmp_path / "ca").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "ca" / "mitmproxy-ca.pem").stat().st_mode) == 0o600
