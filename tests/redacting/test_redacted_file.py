"""No secret is left in a file, whatever it is and wherever it stands; and nothing else of it is changed."""

import json
from base64 import b64encode
from pathlib import Path

import pytest

from tests.redacting.planting import (
    CORE,
    FORMS,
    HEADER_PLACES,
    HEADERS,
    HEX,
    NAMES,
    PLACES,
    STREAMS,
    chunk,
    exchange,
    left,
    shadows,
    written,
)


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_gone_from_any_place(tmp_path: Path, place: str) -> None:
    name, carrier = PLACES[place]
    still = {}
    # A database takes long to make, and its rows are read as other texts are.
    for kind, secret in list(FORMS.items())[:: 5 if name.endswith(".db") else 1]:
        data = carrier(secret)
        after = written(data, name, tmp_path)
        if found := left(after, secret):
            still[kind] = found
        assert written(after, name, tmp_path) == after
    assert not still


@pytest.mark.parametrize("place", HEADER_PLACES)
def test_a_header_is_gone_from_any_place(tmp_path: Path, place: str) -> None:
    name, carrier = HEADER_PLACES[place]
    for header in HEADERS:
        after = written(carrier(header, CORE), name, tmp_path)
        assert not left(after, CORE), header
        assert header.encode() in after
        assert written(after, name, tmp_path) == after


@pytest.mark.parametrize("place", HEADER_PLACES)
@pytest.mark.parametrize(
    ("header", "value"),
    [
        *[("accept", "application/json"), ("user-agent", "google-genai-sdk/3.3.0"), ("content-type", "text/plain")],
        *[("authority", "generativelanguage.googleapis.com"), ("x-ratelimit-remaining-tokens", "12345678")],
        *[("www-authenticate", 'Bearer realm="https://accounts.google.com/"'), ("x-author", "somebody")],
        *[("access-control-allow-credentials", "true"), ("x-goog-api-key", "[redacted]"), ("cookie", "FILTERED")],
        ("Set-Cookie", "[redacted:3fa9c1]"),
    ],
)
def test_other_headers_stay(tmp_path: Path, place: str, header: str, value: str) -> None:
    name, carrier = HEADER_PLACES[place]
    if ("YAML" in place and '"' in value) or "cookies" in place:
        return
    data = carrier(header, value)
    assert written(data, name, tmp_path) == data


@pytest.mark.parametrize("place", HEADER_PLACES)
@pytest.mark.parametrize(
    ("header", "value"),
    [
        *[("Authorization", "Bearer {}"), ("Authorization", "Basic {}"), ("x-goog-api-key", "{}"), ("X-Auth", "{}")],
        *[("Cookie", "theme=dark; sid={}"), ("Set-Cookie", "sid={}; Path=/; HttpOnly; Domain=example.org")],
    ],
)
def test_what_a_header_gave_away_is_gone_wherever_it_stands(
    tmp_path: Path, place: str, header: str, value: str
) -> None:
    """Also before it, for the file is read twice; and nothing else that the header says is taken for a secret."""
    known = "my-gateway.key+17xyz"
    value = value.format(b64encode(f"me:{known}".encode()).decode() if "Basic" in value else known)
    name, carrier = HEADER_PLACES[place]
    data = carrier(header, known if "cookies" in place else value)
    echo = f"no key: {known}, example.org HttpOnly /"
    if name == "a.jsonl":
        data = json.dumps({"error": echo}).encode() + b"\n" + data + b"\n" + json.dumps([echo]).encode()
    elif name == "a.yaml":
        data = b"echo: '" + echo.encode() + b"'\n" + data
    else:
        data = data.rstrip()[:-1] + b', "echo": "%b"}' % echo.encode() if data[:1] == b"{" else data
    after = written(data, name, tmp_path).decode()
    assert known not in after
    assert name == "a.json" or "no key: [redacted], example.org HttpOnly /" in after


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("file", "form"),
    [
        ("a.jsonl", '{"%s":"@"}'),
        ("a.jsonl", '{ "%s" :\t["@", "@"],"b":1}'),
        ("a.jsonl", '{"a":"{\\"%s\\":\\"@\\"}"}'),
        ("a.jsonl", '{"a":[{"key":"%s","value":"@"},{"value":"@","name":"%s"}]}'),
        (
            "a.jsonl",
            '{"spans":[{"attributes":[{"key":"x.%s","value":{"arrayValue":{"values":[{"stringValue":"@"}]}}}]}]}',
        ),
        ("a.jsonl", '{"key":"x.%s","value":{"stringValue":"@"}}'),
        ("a.json", '{\n  "%s":\n  "@"\n}\n'),
        ("a.yaml", "a:\n  %s: @\n"),
        ("a.yaml", "a:\n  - {%s: '@'}\n  - %s: |\n      @\n"),
        ("a.log", 'x {"%s": "@"} y'),
        ("a.log", 'data: {"%s": "@"}\n\n'),
        ("a.jsonl", '{"a":"data: {\\"%s\\": \\"@\\"}\\n\\n"}'),
    ],
)
def test_what_stands_under_the_name_of_a_secret_is_gone(tmp_path: Path, name: str, file: str, form: str) -> None:
    data = form.replace("%s", name).replace("@", CORE).encode()
    after = written(data, file, tmp_path)
    assert not left(after, CORE)
    assert name.encode() in after
    assert written(after, file, tmp_path) == after


SPLIT = [kind for kind, secret in FORMS.items() if "\n" not in secret and "=" not in secret and " " not in secret]


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("many", [2, 3, 9])
def test_a_secret_that_comes_in_pieces_is_gone(tmp_path: Path, stream: str, many: int) -> None:
    name, carrier = STREAMS[stream]
    for kind in SPLIT:
        if kind == "a password in a URL":
            continue  # which is one only as a whole
        secret = FORMS[kind]
        size = -(-len(secret) // many)
        pieces = [secret[n : n + size] for n in range(0, len(secret), size)]
        after = written(carrier(["It is ", *pieces, " there."]), name, tmp_path)
        shown = "".join(shadows(after))
        bare = [piece[n : n + 6] for piece in pieces for n in range(len(piece) - 5)]
        assert not [each for each in bare if each in CORE + HEX + "ZQ3XV7KP2LW9RT5Y" and each in shown], kind
        assert written(after, name, tmp_path) == after
        assert b"It is " in after
        assert b" there." in after


@pytest.mark.parametrize("stream", STREAMS)
def test_pieces_that_are_none_of_a_secret_stay(tmp_path: Path, stream: str) -> None:
    name, carrier = STREAMS[stream]
    for pieces in (["I use ", "AIza", " as a word"], ["sk-", "ate"], ["a ", "b", "c" * 40], ["[redacted", "]"]):
        assert written(carrier(pieces), name, tmp_path) == carrier(pieces)


def test_texts_of_a_request_do_not_follow_one_another(tmp_path: Path) -> None:
    parts = [{"text": "ends with AIza"}, {"text": CORE}]
    data = exchange(sent={"contents": [{"parts": parts}]}, got=[chunk("AIza"), chunk("x")])
    assert written(data, "a.jsonl", tmp_path) == data


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"password":123456,"a":123456}', '{"password":"[redacted]","a":123456}'),
        ('{"password": 1e3456 }', '{"password": "[redacted]" }'),
        ('{"password":1,"token":123456,"passwords":{"type":123456}}',) * 2,
    ],
)
def test_a_password_may_be_a_number(tmp_path: Path, before: str, after: str) -> None:
    assert written(before.encode(), "a.jsonl", tmp_path) == after.encode()


URLS = {
    "https://h.example/x?alt=sse&key=@&prettyPrint=true": "https://h.example/x?alt=sse&key=[redacted]&prettyPrint=true",
    "https://h.example/x?alt=sse?key=@": "https://h.example/x?alt=sse?key=[redacted]",
    "wss://h.example/x?access_token=auth_tokens/@": "wss://h.example/x?access_token=auth_tokens/[redacted]",
    "https://me:@@h.example/x": "https://me:[redacted]@h.example/x",
    "/v1beta/x?code=@&session_state=@": "/v1beta/x?code=[redacted]&session_state=[redacted]",
    "https://s.example/o%20p?X-Goog-Algorithm=GOOG4&X-Goog-Expires=9&X-Goog-Signature=@#a": (
        "https://s.example/o%20p?X-Goog-Algorithm=GOOG4&X-Goog-Expires=9&X-Goog-Signature=[redacted]#a"
    ),
    "https://s.example/o?sv=1&sr=b&sig=@&se=2": "https://s.example/o?sv=1&sr=b&sig=[redacted]&se=2",
    "https://s.example/o?X-Amz-Security-Token=@&X-Amz-Signature=@": (
        "https://s.example/o?X-Amz-Security-Token=[redacted]&X-Amz-Signature=[redacted]"
    ),
}


@pytest.mark.parametrize(("url", "kept"), URLS.items())
@pytest.mark.parametrize("form", ['{"url":"%s"}', '{"a":"see %s there"}', '{"a":"{\\"uri\\":\\"%s\\"}"}', '["%s"]'])
def test_of_a_url_only_the_secret_is_cut(tmp_path: Path, url: str, kept: str, form: str) -> None:
    if url.startswith("/") and "see" in form:
        return  # nothing says there that it is a URL
    data = (form % url.replace("@", CORE).replace(f"{CORE}{CORE}", f"{CORE}@")).encode()
    assert written(data, "a.jsonl", tmp_path) == (form % kept).encode()
