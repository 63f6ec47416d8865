"""No secret and nothing invisible gets into any output."""

import json
import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirecheck.secrets.scrub import plain, scrub
from wirecheck.secrets.secret_forms import REDACTED

KEY = "AIza" + "Sy0_-" * 7
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl_-"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----"

SECRETS = {
    "a Google API key": (f"key {KEY}, please", "key [redacted], please"),
    "the same within a word": (f"x{KEY}", "x[redacted]"),
    "a newer key": ("AQ." + "Ab8RN6" * 6, "[redacted]"),
    "an OAuth token": ("ya29.a0AfH6SMBx-_.y2", "[redacted]"),
    "a refresh token": ("1//0" + "gAbc_-" * 6, "[redacted]"),
    "a client secret": ("GOCSPX-" + "aB3_-" * 5, "[redacted]"),
    "a token for Live": ("auth_tokens/abcd1234", "auth_tokens/[redacted]"),
    "a JWT": (f'"{JWT}"', '"[redacted]"'),
    "a private key": (f"a {PEM} b", "a [redacted] b"),
    "a private key in JSON": (PEM.replace("\n", "\\n"), "[redacted]"),
    "a private key that breaks off": (PEM[:40], "[redacted]"),
    "a key of OpenAI": ("use sk-proj-" + "aB3_-" * 8, "use [redacted]"),
    "a key of Anthropic": ("sk-ant-api03-" + "aB3_-" * 8, "[redacted]"),
    "a token of GitHub": ("ghp_" + "aB3" * 12, "[redacted]"),
    "a finer token of GitHub": ("github_pat_" + "aB3_" * 12, "[redacted]"),
    "a token of GitLab": ("glpat-" + "aB3-_" * 4, "[redacted]"),
    "a token of Slack": ("xoxb-1234567890-abcdef", "[redacted]"),
    "a token of Hugging Face": ("hf_" + "aB3" * 11, "[redacted]"),
    "a key of AWS": ("AKIA" + "AB34" * 4, "[redacted]"),
    "a key in a URL": ("https://h/x?alt=sse&key=abc#top", "https://h/x?alt=sse&key=[redacted]#top"),
    "a token in a URL": ("wss://h/x?access_token=auth_tokens%2Fa", "wss://h/x?access_token=auth_tokens%2F[redacted]"),
    "a key in a URL in JSON": (r"x?a=1\u0026key=abc", r"x?a=1\u0026key=[redacted]"),
    "a header": ("Authorization: Bearer abc.def", "Authorization: [redacted]"),
    "a header in JSON": ('{"authorization":"Token abc","a":1}', '{"authorization":"[redacted]","a":1}'),
    "a header in JSON in JSON": (r"{\"x-goog-api-key\": \"abc\"}", r"{\"x-goog-api-key\": \"[redacted]\"}"),
    "a header of Basic": ("curl -u, or Basic dXNlcjpwYXNz==", "curl -u, or Basic [redacted]"),
    "a password in a URL": ("postgres://bob:s3cr@t@db:5432/x", "postgres://bob:[redacted]@db:5432/x"),
    "cookies": ("Set-Cookie: sid=abc; Path=/\nHost: h", "Set-Cookie: [redacted]\nHost: h"),
    "a header of somebody's own": ("X-Functions-Key: abc", "X-Functions-Key: [redacted]"),
    "a bearer": ("with Bearer abcdefgh==", "with Bearer [redacted]"),
}
LONG = "aB3dE6gH9jK2mN5pQ8"
TOKENS = [
    *(
        f"{form}{LONG}{LONG}"
        for form in ("sk-", "sk-proj-", "sk-ant-api03-", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_")
    ),
    *(f"{form}{LONG}" for form in ("hf_", "sk_live_", "sk_test_", "rk_live_", "glpat-")),
    *(f"xox{kind}-123456789012-{LONG}" for kind in "abprs"),
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
]
NAMES = re.findall(
    r"\S+",
    """password passwd pwd secret client_secret api_key apiKey apikey access_token refresh_token id_token auth_token
    token private_key session_token cookie set-cookie authorization credential credentials x-my-key
    DB_PASSWORD userPassword clientSecret OPENAI_API_KEY accessToken aws_secret_access_key""",
)
VALUES = ["s3cr3t", "my s3cr3t, you 'know'", 'a"s3cr3t', "s3cr3t\\", '\\"s3cr3t\n']
WRITTEN = {
    "in JSON": lambda name, value: json.dumps({name: value, "user": "bob"}),
    "in a list": lambda name, value: json.dumps({name: [value, value], "user": "bob"}),
    "in JSON in a string": lambda name, value: json.dumps(json.dumps({name: value, "user": "bob"})),
    "in a string in that": lambda name, value: json.dumps(json.dumps(json.dumps({name: value, "user": "bob"}))),
    "as Python": lambda name, value: repr({name: value, "user": "bob"}),
    "as an argument": lambda name, value: f"f({name}={json.dumps(value)}, user='bob')",
    "as bytes": lambda name, value: f"f({name}={value.encode()!r}, user='bob')",
}
HARMLESS = [
    *["", "monkey=1", "the key is under the mat", "AIza is a prefix", "eyJ", "bearer of news", "token=5", "1//0"],
    *[
        "the token count is 5",
        '"token": 5',
        "token: 5.",
        '"promptTokenCount": 5',
        '"totalTokens": 7',
        "maxOutputTokens=9",
    ],
    *['"pageToken": "abc1"', "next_page_token=abc1", "?pageToken=abc1", '"token_type": "x"', "if token == 5:"],
    *['"password": null', '"password": {"type": "string"}', '"required": ["password"]', "The password: ask me"],
    *["the secret: tell nobody", "cookie: a biscuit", "basic understanding", "Basic information", "credentials=true"],
    *[
        "task-forces-are-very-long-things",
        "high_road",
        "Asia",
        "http://h:80/x@y",
        "mailto://a@b",
        "hf_space",
        "sk-cube",
    ],
    "a task-force-of-twenty-and-more-people",
    "xoxo-xoxo-xoxo-xoxo",
    "ghosts_and_other_things_that_are_long_names",
]


@pytest.mark.parametrize(("text", "expected"), SECRETS.values(), ids=SECRETS)
def test_secrets(text: str, expected: str) -> None:
    assert scrub(text) == expected
    assert scrub(expected) == expected


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("around", ["{}", "a {}, b", '{{"a":"{}"}}', "x={}\\n", "\\n{}", "https://{}@h/x"])
def test_tokens(token: str, around: str) -> None:
    assert scrub(around.format(token)) == around.format(REDACTED)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("value", VALUES)
def test_values_go_by_their_names_and_nothing_else_goes(
    name: str, write: Callable[[str, str], str], value: str
) -> None:
    scrubbed = scrub(write(name, value))
    assert "s3cr3t" not in scrubbed
    assert name in scrubbed
    assert "bob" in scrubbed
    assert scrub(scrubbed) == scrubbed


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["{}=s3cr3t", "a {} = s3cr3t", "{}: s3cr3t", "f({}=s3cr3t, a=5)"])
def test_words_go_by_their_names_too(name: str, text: str) -> None:
    assert "s3cr3t" not in scrub(text.format(name))


@pytest.mark.parametrize("name", [name for name in NAMES if not re.search("(?i)token$|^authorization", name)])
def test_numbers_go_by_their_names_where_they_are_no_counts(name: str) -> None:
    assert scrub(f'{{"{name}": 123456, "a": 5}}') == f'{{"{name}": {REDACTED}, "a": 5}}'


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert scrub(text) == text


@given(st.text(), st.sampled_from([KEY, JWT, PEM]), st.text())
def test_a_secret_is_found_wherever_it_stands_between_words(before: str, secret: str, after: str) -> None:
    assert secret not in scrub(f"{before} {secret} {after}")


HOSTILE = [
    *["eyJ", "eyJa.", "eyJaaaaaaaa", "AIza", "AQ.", "ya29.", "1//0", "GOCSPX-", "auth_tokens/", "?key=", "token="],
    *["authorization", "authorization:", "bearer ", "x-api-key", "PRIVATE KEY", "-----BEGIN PRIVATE KEY-----", "-"],
    *[
        "sk-",
        "sk-a",
        "ghp_",
        "xoxb-",
        "://",
        "://a:",
        "://:a",
        "basic ",
        "Basic a",
        "x-",
        "x-key",
        "x-a-key:",
        "cookie: ",
    ],
    *["password", "password=", 'password="', "password='\\", 'password=\\"', "password=[", "password: a", "token=5"],
    *["token", "id_token", "access_", "secret_access_key", "api_key", "pwd:", "credential=\\\\\\\\"],
    *["github_pat_", "AKIA", "hf_", "glpat-"],
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_long(piece: str) -> None:
    def took(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        scrub(text)
        return time.process_time() - start

    assert min(took(300_000) for _ in range(2)) < 1  # a quadratic pattern takes minutes


PLAIN = {
    "words": ("Grüße, 世界 🌍", None, "Grüße, 世界 🌍"),
    "line ends and tabs": ("a\r\n\tb", None, r"a\r\n\tb"),
    "an escape sequence": ("\x1b[31mred\x1b]0;title\x07", None, r"\x1b[31mred\x1b]0;title\x07"),
    "C1": ("\x9b31m\x85", None, r"\x9b31m\x85"),
    "bidi": ("abc\u202eexe.\u2066", None, r"abc\u202eexe.\u2066"),
    "zero width": ("a\u200bb\ufeff\u00ad", None, r"a\u200bb\ufeff\xad"),
    "line separators": ("a\u2028b", None, r"a\u2028b"),
    "tags": ("a\U000e0041", None, r"a\U000e0041"),
    "half a character": ("a\ud800", None, r"a\ud800"),
    "fillers": ("a\u3164", None, r"a\u3164"),
    "cut": ("abcdef", 4, "abc…"),
    "just fits": ("abcd", 4, "abcd"),
    "wide characters take two columns": ("世界世界", 6, "世界…"),
    "wide characters that fit": ("世界", 4, "世界"),
    "cut after escaping": ("\x1b\x1b", 6, r"\x1b\…"),
    "no room": ("abc", 0, ""),
}


@pytest.mark.parametrize(("text", "width", "expected"), PLAIN.values(), ids=PLAIN)
def test_plain(text: str, width: int | None, expected: str) -> None:
    assert plain(text, width) == expected


@given(st.text(), st.none() | st.integers(0, 20))
def test_plain_text_can_be_printed_and_is_not_escaped_twice(text: str, width: int | None) -> None:
    shown = plain(text, width)
    assert shown.isprintable()
    assert plain(shown, width) == shown
    assert width is None or len(shown.encode("utf-32-le")) // 4 <= 4 * width + 1
    shown.encode()
