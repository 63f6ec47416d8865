"""No secret is left in a record, wherever it stood and however it was written; and nothing else is changed."""

import base64
import json
import string
from collections.abc import Callable, Mapping
from urllib.parse import quote

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.wire.test_log import records
from wirecheck.secrets.redaction import Redaction, Written
from wirecheck.secrets.secret_fields import NAMES
from wirecheck.wire import log, payload
from wirecheck.wire.records import Body, Closed, Frame, Opened, Origin, Replied, Site

HERE = Origin("", 0)
LETTERS = string.ascii_letters + string.digits
CORES = st.text(LETTERS, min_size=35, max_size=35)

# What gives itself away; `@` stands for what nobody may see.
LOOKS = {
    "a Google API key": "AIza@",
    "a newer key": "AQ.@",
    "an access token": "ya29.@",
    "a refresh token": "1//0@",
    "a client secret": "GOCSPX-@",
    "a token for Live": "auth_tokens/@",
    "a signed token": "eyJhbGciOiJIUzI1NiJ9.@.@",
    "a bearer": "Bearer @",
    "a private key": "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----\n",
    "a private key that breaks off": "-----BEGIN RSA PRIVATE KEY-----\n@",
    "a header in text": "curl -H 'x-goog-api-key: @' https://example.org",
    "basic authorization in text": "Authorization: Basic @==",
    "a key in a URL": "https://example.org/v1?a=b&key=@",
    "a token in a redirect": "https://example.org/#access_token=@&more=1",
    "an OpenAI key": "sk-proj-@",
    "a GitHub token": "ghp_@",
    "a fine GitHub token": "github_pat_@",
    "a GitLab token": "glpat-@",
    "a Slack token": "xoxb-@",
    "a Hugging Face token": "hf_@",
}
WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": json.dumps,
    "with every letter escaped": lambda text: '"' + "".join(f"\\u{ord(letter):04X}" for letter in text) + '"',
    "with slashes escaped": lambda text: json.dumps(text).replace("/", "\\/"),
    "as Java does": lambda text: json.dumps(text).replace("=", "\\u003d").replace("&", "\\u0026"),
    "for a URL": lambda text: json.dumps(quote(text, safe="")),
    "in JSON in a string": lambda text: json.dumps(json.dumps({"a": [text]})),
    "in JSON in JSON in a string": lambda text: json.dumps(json.dumps({"a": json.dumps([text])})),
    "between words": lambda text: json.dumps(f"use {text} for it"),
}
PLACES = {  # `@` stands for the string
    "text": '{"contents":[{"parts":[{"text":@}]}]}',
    "an id": '{"functionCall":{"id":@,"name":"f"}}',
    "an argument": '{"functionCall":{"name":"f","args":{"a":[[1,@]]}}}',
    "a signature": '{"thoughtSignature" : @}',
    "a key": "{@:1}",
    "an error": '{"error":{"code":400,"message":@}}',
}
NAMED = (
    "authorization",
    "x-goog-api-key",
    "apiKey",
    "api_key",
    "client_secret",
    "refreshToken",
    "password",
    "Set-Cookie",
)


def body(raw: bytes) -> Body:
    return payload.of_bytes(raw, Site(HERE))


def frame(raw: bytes) -> Frame:
    return Frame(channel="1", origin=HERE, sender="client", body=body(raw))


def asked(raw: bytes = b"{}", url: str = "https://example.org/", headers: Mapping[str, str] = {}) -> Opened:
    return Opened(channel="1", origin=HERE, method="POST", url=url, headers=headers, body=body(raw))


def line(*records: Written) -> str:
    """What one log holds of these records. That each line is JSON goes without saying."""
    secrets = Redaction()
    lines = [log.encode(secrets.scrubbed(record)) for record in records]
    assert [orjson.loads(each)["v"] for each in lines] == [1] * len(lines)
    return b"".join(lines).decode()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WRITTEN)
@pytest.mark.parametrize("kind", LOOKS)
def test_what_looks_like_a_secret_is_gone_from_json(kind: str, way: str, place: str) -> None:
    core = "Zq3" + LETTERS[:32]
    raw = PLACES[place].replace("@", WRITTEN[way](LOOKS[kind].replace("@", core))).encode()
    assert json.loads(raw)
    written = line(frame(raw), asked(raw))
    assert core[:12] not in written
    assert core[-12:] not in written


def everywhere(text: str) -> list[Written]:
    """A record for each place that text can get into."""
    return [
        frame(text.encode()),
        frame(b"\xff\xfe" + text.encode()),
        asked(json.dumps({"text": text}).encode()),
        asked(url="https://example.org/" + quote(text)),
        asked(url="https://example.org/?q=" + quote(text, safe="")),
        asked(headers={"user-agent": text}),
        asked(headers={text: "1"}),
        Opened(channel="1", origin=HERE, method=text),
        Replied(channel="1", origin=HERE, status=400, headers={"warning": text, "location": text}),
        Closed(channel="1", origin=HERE, code=1007, reason=text),
    ]


@given(CORES, st.sampled_from(list(LOOKS)), st.text(max_size=5), st.text(max_size=5))
def test_what_looks_like_a_secret_is_gone_from_anywhere(core: str, kind: str, before: str, after: str) -> None:
    for record in everywhere(f"{before} {LOOKS[kind].replace('@', core)} {after}"):
        assert core not in line(record)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("form", ['{"%s":"@"}', '{ "%s" :\n["@", "@"],"b":1}', '{"a":"{\\"%s\\":\\"@\\"}"}'])
def test_what_stands_under_the_name_of_a_secret_is_gone(name: str, form: str) -> None:
    assert "hunter2" not in line(frame((form % name).replace("@", "hunter2").encode()))


BROKEN = {
    "cut off before the end": '{"password":"%s","a',
    "cut off within it": '{"password":"%s',
    "half a character beside it": '{"a":"\\ud800","password":"%s"}',
    "half a character in it": '{"password":"%s \\ud800"}',
    "nested too deep": "[" * 2000 + '{"password":"%s"}' + "]" * 2000,
    "no JSON after all": 'data: {"password":"%s"} {',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("way", ["hunter2", "\\u0041Iza" + "x" * 35, "1\\/\\/0" + "x" * 35])
def test_secrets_are_gone_from_json_that_is_broken(text: str, way: str) -> None:
    written = line(frame((text % way).encode()))
    assert "hunter2" not in written
    assert "xxxx" not in written


def test_what_was_seen_last_is_known_however_much_was_seen() -> None:
    secrets = Redaction()
    for n in range(200):
        headers = {"x-goog-api-key": "key-of-a-gateway", "cookie": f"sid={n:0>40}"}
        secrets.scrubbed(asked(headers=headers))
    for known in ("key-of-a-gateway", f"{199:0>40}"):
        assert known not in log.encode(secrets.scrubbed(frame(f'{{"a":"{known}"}}'.encode()))).decode()


CREDENTIALS = {
    "authorization": "Bearer {}",
    "proxy-authorization": "Basic {}",
    "x-goog-api-key": "{}",
    "api-key": "{}",
    "cookie": "theme=dark; sid={}; lang=en",
    "x-session-id": "{}",
}
ECHOES: dict[str, Callable[[str], Written]] = {
    "a body": lambda known: frame(json.dumps({"error": {"message": f"not valid: {known}."}}).encode()),
    "a text": lambda known: frame(f"<p>{known}</p>".encode()),
    "a URL": lambda known: asked(url=f"https://example.org/{quote(known)}/x"),
    "a reason": lambda known: Closed(channel="1", origin=HERE, code=1008, reason=f"{known} is no key"),
    "a header": lambda known: Replied(channel="1", origin=HERE, status=307, headers={"location": f"/x/{known}"}),
}


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("name", CREDENTIALS)
def test_what_a_header_gave_away_is_known_wherever_it_comes_back(name: str, echo: str) -> None:
    known = "my-gateway/key+17"
    assert known not in line(asked(headers={name: CREDENTIALS[name].format(known)}), ECHOES[echo](known))


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("name", ["authorization", "Proxy-Authorization"])
@pytest.mark.parametrize("login", ["me:{}", ":{}", "{}"])
def test_the_password_of_a_login_is_known_wherever_it_comes_back(login: str, name: str, echo: str) -> None:
    known = "my-gateway/key+17"
    packed = base64.b64encode(login.format(known).encode()).decode()
    assert "my-gateway" not in line(asked(headers={name: f"Basic {packed}"}), ECHOES[echo](known))
    assert "my-gateway" not in line(asked(headers={name: f"basic {packed.rstrip('=')}"}), ECHOES[echo](known))


@pytest.mark.parametrize("value", ["Basic", "Basic %%%", "Basic a", "Basic \xe9\xe9\xe9\xe9", "Basic " + "a" * 5])
def test_a_login_that_is_none_harms_nothing(value: str) -> None:
    kept = asked(headers={"authorization": "[redacted]"})
    assert Redaction().scrubbed(asked(headers={"authorization": value})) == kept


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("word", ["key", "access_token", "sig", "code", "X-Goog-Signature"])
def test_what_a_url_gave_away_is_known_wherever_it_comes_back(word: str, echo: str) -> None:
    known = "my-gateway/key+17"
    url = f"wss://example.org/live?alt=sse&{word}={quote(known, safe='')}"
    assert known not in line(asked(url=url), ECHOES[echo](known))


HEADERS = {
    "content-type": ("application/json", "application/json"),
    "user-agent": ("google-genai-sdk/3.3.0", "google-genai-sdk/3.3.0"),
    "x-goog-api-key": ("abc", "[redacted]"),
    "x-unheard-of": ("abc", "[redacted]"),
    "set-cookie": ("a=b", "[redacted]"),
    "sec-websocket-protocol": ("bearer, abc", "[redacted]"),
    "location": ("https://me:you@h/x?alt=sse&key=abc#t=1", "https://h/x?alt=sse&key=[redacted]&t=[redacted]"),
}
URLS = {
    "https://h/v1beta/models/m:generateContent": "https://h/v1beta/models/m:generateContent",
    "https://h/x?alt=sse&key=abc": "https://h/x?alt=sse&key=[redacted]",
    "https://h/x?key=abc&%24alt=sse": "https://h/x?key=[redacted]&%24alt=sse",
    "https://h/x?abc": "https://h/x?[redacted]",
    "https://h/x?": "https://h/x?",
    "https://me:you@h:1/x": "https://h:1/x",
    "wss://h//ws/a.v1.B/C": "wss://h//ws/a.v1.B/C",
    "/x?a=b": "/x?a=[redacted]",
    "https://h/a%20b": "https://h/a%20b",
    "https://[::1]:8/x?a": "https://[::1]:8/x?[redacted]",
    "https://[/?key=abc": "https://[/?key=[redacted]",
}


@pytest.mark.parametrize(("name", "given", "kept"), [(name, *row) for name, row in HEADERS.items()])
def test_headers_are_kept_where_they_are_known_to_be_harmless(name: str, given: str, kept: str) -> None:
    assert Redaction().scrubbed(asked(headers={name: given})) == asked(headers={name: kept})


@pytest.mark.parametrize(("given", "kept"), URLS.items())
def test_of_a_url_only_the_path_and_a_few_words_are_kept(given: str, kept: str) -> None:
    assert Redaction().scrubbed(asked(url=given)) == asked(url=kept)


@given(records().filter(lambda record: not isinstance(record, Opened | Replied)))
def test_what_holds_no_secret_stays_byte_for_byte(record: Written) -> None:
    assume(not any(name.encode() in log.encode(record).lower() for name in NAMES))
    assert Redaction().scrubbed(record) == record


SIGNATURE = base64.b64encode(b"AIza" * 40 + bytes(range(256))).decode()
HARMLESS = [
    '{"thoughtSignature" : "%s"}' % (SIGNATURE[:60] + "AIza" + "x" * 40 + SIGNATURE),
    '{"functionCall":{"id":"call_1//0","name":"get_token"}}',
    '{"promptTokenCount":3,"text":"the cookie has no password, 100%25 sure"}',
    '{"parameters":{"properties":{"password":{"type":"STRING"},"apiKey":{"type":"STRING"}}}}',
    '{"password":"","token":null,"api_key":7}',
    '{"text":"caf\\u00e9 \\/ \\u003cb\\u003e task-force-one-two-three-four"}',
]


@pytest.mark.parametrize("raw", HARMLESS)
def test_signatures_ids_and_talk_about_secrets_stay(raw: str) -> None:
    assert Redaction().scrubbed(frame(raw.encode())) == frame(raw.encode())


def test_only_the_string_that_holds_a_secret_is_written_anew() -> None:
    raw = b'{ "a" : 1.0, "b":"\\u00e9",\r\n "c":"AIza%s",  "d":[1e5]}' % (b"x" * 35)
    assert Redaction().scrubbed(frame(raw)) == frame(raw.replace(b"AIza" + b"x" * 35, b"[redacted]"))
