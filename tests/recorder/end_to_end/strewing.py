"""Twenty kinds of secrets, every place a client or a server can put them, and a walk that puts each in each.

Some are known by their looks, some by the name they stand under, the rest because a header or a URL gave them away.
"""

import json
import random
import string
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from tests.standin.caller import LIVE, Call, ask, asking, path, user

# By their looks; `@` stands for what nobody may see.
LOOKS = {
    "api key": "AIza@",
    "express key": "AQ.@",
    "access token": "ya29.@",
    "refresh token": "1//0@",
    "client secret": "GOCSPX-@",
    "ephemeral token": "auth_tokens/@",
    "signed token": "eyJhbGciOiJIUzI1NiJ9.@.@",
    "bearer": "Bearer @",
    "private key": "-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----",
    "private key of a kind": "-----BEGIN RSA PRIVATE KEY-----\n@\n-----END RSA PRIVATE KEY-----",
    "basic": "Authorization: Basic @==",
    "header in text": "curl -H 'x-goog-api-key: @'",
    "key in a URL": "https://example.org/v1?a=b&key=@",
    "token in a URL": "https://example.org/#access_token=@&more=1",
}
NAMES = ("password", "apiKey", "client_secret", "refresh_token", "accessToken", "private_key")
HEADERS = (
    "authorization",
    "proxy_authorization",
    "x_goog_api_key",
    "x_api_key",
    "cookie",
    "x_goog_iam_authorization_token",
    "x_amz_security_token",
    "x_session",
)
WORDS = ("key", "access_token", "api_key", "token", "sig", "code")
Place = Callable[[str, str], Any]


def _ask(url: str, body: Any, target: str = "", **headers: str) -> None:
    ask(url, target or path(), body, **headers)


def _history(*parts: Any, **content: Any) -> Any:
    return {"contents": [user("hi"), {"role": "model", "parts": list(parts), **content}, user("well?")]}


def _call(**fields: Any) -> Any:
    return _history({"functionCall": {"name": "f", "args": {}, **fields}})


def _escaped(secret: str) -> bytes:
    letters = "".join(f"\\u{ord(letter):04x}" for letter in secret)
    return b'{"contents": [{"role": "user", "parts": [{"text": "%s"}]}]}' % letters.encode()


def _live(url: str, *said: Any, target: str = LIVE, reason: str = "", **more: Any) -> None:
    with suppress(AssertionError), Call(url, target, **more) as call:
        call.say({"setup": {"model": "models/gemini-3.8-live"}})
        call.until("setupComplete")
        for each in said:
            call.say(each)
        call.hang_up(1000, reason)


def _turn(text: str) -> Any:
    return {"clientContent": {"turns": [user(text)], "turnComplete": True}}


def _responding(**fields: Any) -> Any:
    return {"toolResponse": {"functionResponses": [{"id": "1", "name": "f", "response": {}, **fields}]}}


# Where a secret goes that is known by its looks. Half of them make a finding that would quote it.
PLACES: dict[str, Place] = {
    "a header": lambda url, secret: _ask(url, asking("hi"), x_note=secret.replace("\n", " ")),
    "the name of a program": lambda url, secret: _ask(url, asking("hi"), user_agent=secret.replace("\n", " ")),
    "a word of the query": lambda url, secret: _ask(url, asking("hi"), path() + "?note=" + quote(secret, safe="")),
    "the model": lambda url, secret: _ask(url, asking("hi"), path(model=quote(secret, safe=""))),
    "a prompt": lambda url, secret: _ask(url, asking(secret)),
    "a prompt in escapes": lambda url, secret: _ask(url, _escaped(secret)),
    "JSON in a prompt": lambda url, secret: _ask(url, asking(json.dumps({"a": [{"b": secret}]}))),
    "the instruction": lambda url, secret: _ask(url, asking("hi", systemInstruction=user(secret))),
    "a role": lambda url, secret: _ask(url, _history({"text": "x"}, role=secret)),
    "the name of a call": lambda url, secret: _ask(url, _call(name=secret)),
    "the id of a call": lambda url, secret: _ask(url, _call(id=secret)),
    "an argument": lambda url, secret: _ask(url, _call(args={"a": {"b": [secret]}})),
    "the name of an argument": lambda url, secret: _ask(url, _call(args={secret: 1})),
    "arguments that are text": lambda url, secret: _ask(url, _call(args=json.dumps({"a": secret}))),
    "a key of the body": lambda url, secret: _ask(url, asking("hi", **{secret: 1})),
    "a body that is no JSON": lambda url, secret: _ask(url, f"{{{secret}".encode()),
    "a body that is no text": lambda url, secret: _ask(url, b"\xff\xfe" + secret.encode()),
    "a reply": lambda url, secret: _ask(url, asking(f"[[chunks=1; say={secret}]]")),
    "a stream": lambda url, secret: _ask(url, asking(f"[[chunks=1; say={secret}]]"), path("streamGenerateContent")),
    "an error": lambda url, secret: _ask(url, asking(f"[[status=400; message={secret}]]")),
    "a redirect": lambda url, secret: _ask(
        url, asking(f"[[status=307; location=https://example.org/?note={quote(secret, safe='')}]]")
    ),
    "a reply that is no JSON": lambda url, secret: _ask(url, asking(f"[[body=<p>{secret}]]")),
    "a Live prompt": lambda url, secret: _live(url, _turn(secret)),
    "a Live reply": lambda url, secret: _live(url, _turn(f"[[say={secret}]]")),
    "a Live response": lambda url, secret: _live(url, _responding(response={"a": secret})),
    "the id of a Live response": lambda url, secret: _live(url, _responding(id=secret)),
    "a Live frame that is no JSON": lambda url, secret: _live(url, secret),
    "a Live URL": lambda url, secret: _live(url, target=f"{LIVE}?note={quote(secret, safe='')}"),
    "why a client closed": lambda url, secret: _live(url, reason=secret[:120]),
    "why the server closed": lambda url, secret: _live(url, _turn(f"[[close=1008; reason={secret[:120]}]]")),
}
# Where JSON goes, and with it what is known by its name.
NAMED: dict[str, Callable[[str, Any], Any]] = {
    "arguments": lambda url, value: _ask(url, _call(args={"a": value})),
    "a list of arguments": lambda url, value: _ask(url, _call(args={"a": [[value]]})),
    "JSON in a prompt": lambda url, value: _ask(url, asking(json.dumps(value))),
    "JSON in JSON": lambda url, value: _ask(url, asking(json.dumps({"a": json.dumps(value)}))),
    "a Live response": lambda url, value: _live(url, _responding(response=value)),
    "the body": lambda url, value: _ask(url, asking("hi", **value)),
}


class Mint:
    """Secrets, and where each went: no two are alike."""

    def __init__(self) -> None:
        self._chance = random.Random(35)
        self.where: dict[str, str] = {}

    def __call__(self, where: str) -> str:
        core = "".join(self._chance.choices(string.ascii_letters + string.digits, k=35))
        self.where[core] = where
        return core

    def seen(self, text: str) -> list[str]:
        """Where the secrets went that are in a text, whole or in good part."""
        return [where for core, where in self.where.items() if core[:15] in text or core[-15:] in text]


def strew(url: str) -> Mint:
    """Everything goes everywhere."""
    mint = Mint()
    for kind, look in LOOKS.items():
        for where, put in PLACES.items():
            put(url, look.replace("@", mint(f"{kind} in {where}")))
    for name in NAMES:
        for where, place in NAMED.items():
            place(url, {name: mint(f"{name} in {where}")})
    for name in HEADERS:
        _ask(url, asking("hi"), **{name: f"Some {mint(f'the header {name}')}"})
        known = mint(f"the header {name} and the reply")
        _ask(url, asking(f"[[say=Not a good one: {known}]]"), **{name: known})
        _live(url, _turn("hi"), **{name: mint(f"the header {name} of a websocket")})
    for word in WORDS:
        known = mint(f"the word {word} of a URL and the reply")
        _ask(url, asking(f"[[say=Not a good one: {known}]]"), f"{path()}?alt=json&{word}={known}")
        _live(url, _turn("hi"), target=f"{LIVE}?{word}={mint(f'the word {word} of a Live URL')}")
    password = mint("the password of a login and the reply")
    login = b64encode(f"me:{password}".encode()).decode()
    _ask(url, asking(f"[[say=Not a good one: {password}]]"), authorization=f"Basic {login}")
    _live(url, subprotocol=mint("a subprotocol"))
    return mint
