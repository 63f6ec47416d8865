"""Secrets of many kinds, the places of files that they are planted in, and a search for what is left of them."""

import gzip
import json
import pickle
import re
import sqlite3
import tempfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from wirecheck.redacting.redacted_file import redacted
from wirecheck.secrets.counted_marks import SecretMarks

CORE = "Zq3xV7Kp2Lw9Rt5Ym8Nb4Hc6Jd1Fg0SaPuE"  # 35 letters and digits
HEX = "3fa9c17e5b2d80461a9c3e7f5d20b84c"
# What gives itself away by its form.
FORMS = {
    "Google API key": f"AIza{CORE}",
    "Google API key, newer": f"AQ.Ab8{CORE}",
    "OAuth token": f"ya29.a0{CORE}",
    "refresh token": f"1//0{CORE}",
    "authorization code": f"4/0A{CORE}",
    "OAuth client secret": f"GOCSPX-{CORE}",
    "Live token": f"auth_tokens/{CORE}",
    "signed token": f"eyJhbGciOiJIUzI1NiJ9.eyJ{CORE}.{CORE}",
    "OpenAI": f"sk-proj-{CORE}",
    "OpenAI, older": f"sk-{CORE}",
    "Anthropic": f"sk-ant-api03-{CORE}",
    "OpenRouter": f"sk-or-v1-{HEX}{HEX}",
    "Langfuse": f"sk-lf-{HEX}",
    "Hugging Face": f"hf_{CORE}",
    "Groq": f"gsk_{CORE}",
    "xAI": f"xai-{CORE}",
    "Perplexity": f"pplx-{CORE}",
    "Tavily": f"tvly-dev-{CORE}",
    "NVIDIA": f"nvapi-{CORE}",
    "Cerebras": f"csk-{HEX}",
    "Together": f"tgp_v1_{CORE}",
    "Pinecone": f"pcsk_2abcd_{CORE}",
    "Jina": f"jina_{CORE}",
    "Replicate": f"r8_{CORE}",
    "LangSmith": f"lsv2_pt_{HEX}_3fa9c17e5b",
    "GitHub": f"ghp_{CORE}",
    "GitHub, of an app": f"ghs_{CORE}",
    "GitHub, fine": f"github_pat_{CORE}",
    "GitLab": f"glpat-{CORE}",
    "npm": f"npm_{CORE}1",
    "PyPI": f"pypi-AgEIcHlwaS5vcmc{CORE}",
    "Docker": f"dckr_pat_{CORE}",
    "AWS": "AKIAZQ3XV7KP2LW9RT5Y",
    "AWS, temporary": "ASIAZQ3XV7KP2LW9RT5Y",
    "Azure storage": f"AccountKey={CORE}{CORE}==",
    "Databricks": f"dapi{HEX}",
    "Vault": f"hvs.{CORE}",
    "Supabase": f"sbp_{HEX}3fa9c17e",
    "Sentry": f"sntrys_{CORE}",
    "Linear": f"lin_api_{CORE}",
    "Notion": f"ntn_{CORE}",
    "DigitalOcean": f"dop_v1_{HEX}{HEX}",
    "Figma": f"figd_{CORE}",
    "Postman": f"PMAK-{HEX[:24]}-{HEX}",
    "Atlassian": f"ATATT3{CORE}",
    "Slack": f"xoxb-123456789012-{CORE}",
    "Slack, of an app": f"xapp-1-{CORE}",
    "Slack, a hook": f"https://hooks.slack.com/services/T0/B0/{CORE}",
    "Discord, a hook": f"https://discord.com/api/webhooks/123456789012345678/{CORE}",
    "SendGrid": f"SG.{CORE[:22]}.{CORE}",
    "Telegram": f"123456789:AA{CORE[:33]}",
    "Telegram, in a path": f"https://api.telegram.org/bot123456789:AA{CORE[:33]}/getMe",
    "Shopify": f"shpat_{HEX}",
    "a hook's secret": f"whsec_{CORE}",
    "Stripe": f"sk_live_{CORE}",
    "age": f"AGE-SECRET-KEY-1{CORE.upper()}",
    "a private key": f"-----BEGIN PRIVATE KEY-----\n{CORE}\n{CORE}\n-----END PRIVATE KEY-----\n",
    "a private key of PGP": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{CORE}\n-----END PGP PRIVATE KEY BLOCK-----\n",
    "a bearer": f"Bearer {CORE}",
    "a login": f"Basic {b64encode(f'me:{CORE}'.encode()).decode()}",
    "a password in a URL": f"postgres://me:{CORE}@db.example.org/x",
    "a key in a URL": f"https://example.org/v1?alt=sse&key={CORE}",
    "a token in a URL": f"https://example.org/#access_token={CORE}&x=1",
    "a URL signed by Google": f"https://storage.example.org/o?X-Goog-Date=1&X-Goog-Signature={HEX}{HEX}&x=1",
    "a URL signed by Amazon": f"https://s3.example.org/o?X-Amz-Signature={HEX}{HEX}",
    "a URL signed by Azure": f"https://b.example.org/o?sv=1&sig={CORE}%3D",
    "a password in a setting": f"password={CORE}",
    "a key in a setting": f"GEMINI_API_KEY={CORE}",
    "a key on a command line": f"agent --api-key {CORE}",
    "a login of curl": f"curl -s -u me:{CORE} https://example.org",
    "a login of a netrc": f"machine example.org login me password {CORE}",
}
# What is a secret by its name: a key of JSON, a header.
NAMES = (
    *("password", "passwd", "pwd", "secret", "client_secret", "clientSecret", "webhook_secret", "credentials"),
    *("api_key", "apiKey", "x-goog-api-key", "private_key", "access_token", "refreshToken", "session_token"),
    *("encryption_key", "signing_key", "ssh_key", "connection_string", "authorization", "Set-Cookie", "token"),
)
HEADERS = (
    *("Authorization", "authorization", "Proxy-Authorization", "X-Goog-Api-Key", "api-key", "Cookie", "Set-Cookie"),
    *("X-Auth", "X-Session-Id", "X-My-Token", "Ocp-Apim-Subscription-Key", "X-Hub-Signature"),
)
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
Carrier = Callable[[str], bytes]


def text(written: str) -> str:
    return json.dumps(written)


def asked(written: str) -> str:
    return json.dumps({"contents": [{"role": "user", "parts": [{"text": f"use {written} now"}]}]})


def answer(written: str) -> str:
    part = {"functionCall": {"id": "c1", "name": "f", "args": {"a": [written]}}}
    return json.dumps({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]})


def events(written: str) -> str:
    return f"data: {answer('x')}\r\n\r\ndata: {answer(written)}\r\n\r\n"


def exchange(**given: Any) -> bytes:
    request: dict[str, Any] = {"method": "POST", "url": URL, "headers": {}, "body": json.loads(asked("x"))}
    response = {"status": 200, "headers": {}, "body": json.loads(answer("x"))}
    for name, value in given.items():
        (request if name in ("url", "sent") else response)[{"sent": "body", "got": "body"}.get(name, name)] = value
    return json.dumps({"request": request, "response": response}).encode() + b"\n"


def yaml(body: str, reply: str = "{}") -> bytes:
    return (
        f"interactions:\n- request:\n    body: {body}\n    headers:\n      accept:\n      - '*/*'\n    method: POST\n"
        f"    uri: {URL}\n  response:\n    body:\n      string: {reply}\n    headers: {{}}\n"
        "    status:\n      code: 200\n      message: OK\nversion: 1\n"
    ).encode()


def block(sign: str, body: str) -> str:
    return f"{sign}\n" + "\n".join(f"      {line}" for line in body.splitlines())


def folded(written: str) -> str:
    """A double-quoted scalar over several lines, as PyYAML writes a long one."""
    quoted = json.dumps(written)
    return "\\\n      \\".join(quoted[n : n + 20] for n in range(0, len(quoted), 20)) if "\\" not in quoted else quoted


def har(**given: Any) -> bytes:
    request: dict[str, Any] = {"method": "POST", "url": URL, "headers": [], "cookies": [], "queryString": []}
    request["postData"] = {"mimeType": "application/json", "text": given.pop("sent", asked("x"))}
    content = given.pop("content", {"mimeType": "application/json", "text": answer("x")})
    response = {"status": 200, "headers": [], "content": content}
    request.update(given)
    entry = {"startedDateTime": "2026-11-20T02:00:00Z", "request": request, "response": response}
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [entry]}}, indent=2).encode()


def nock(**given: Any) -> bytes:
    item = {"scope": "https://generativelanguage.googleapis.com:443", "method": "POST", "path": URL[41:], "status": 200}
    return json.dumps([{**item, "body": {"contents": []}, "response": {}, **given}], indent=1).encode()


COLUMNS = "id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, timestamp INT, content TEXT, x BLOB"


def database(row: str, *, deleted: str = "") -> bytes:
    """Two rows, and the pages of one that was deleted."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sessions.db"
        with closing(sqlite3.connect(path)) as base:
            base.execute("PRAGMA secure_delete = OFF")
            base.execute(f"CREATE TABLE events ({COLUMNS})")
            base.execute("INSERT INTO events VALUES ('0', 'a', 'u', 's', 0, ?, NULL)", (asked(deleted or "x") * 300,))
            for n in (1, 2):
                held = json.dumps({"role": "user", "parts": [{"text": row}]}), pickle.dumps({"a": row})
                base.execute("INSERT INTO events VALUES (?, 'a', 'u', 's', ?, ?, ?)", (str(n), n, *held))
            base.execute("DELETE FROM events WHERE id = '0'")
            base.commit()
        return path.read_bytes()


def zipped(written: str) -> bytes:
    return gzip.compress(written.encode())


def packed(data: bytes) -> str:
    return b64encode(data).decode()


PLACES: dict[str, tuple[str, Carrier]] = {
    "a text of a request": ("a.jsonl", lambda s: exchange(sent=json.loads(asked(s)))),
    "an argument of a call": ("a.jsonl", lambda s: exchange(got=json.loads(answer(s)))),
    "a body as a string of JSON": ("a.jsonl", lambda s: exchange(sent=asked(s))),
    "JSON in a string in that": ("a.jsonl", lambda s: exchange(sent=asked(asked(s)))),
    "escaped letters": (
        "a.jsonl",
        lambda s: b'{"contents":[{"parts":[{"text":"%b"}]}]}\n' % "".join(f"\\u{ord(c):04x}" for c in s).encode(),
    ),
    "escaped for a URL": ("a.jsonl", lambda s: exchange(sent=asked(quote(s, safe="")))),
    "events of a stream": ("a.jsonl", lambda s: exchange(got=events(s))),
    "a list of chunks": ("a.jsonl", lambda s: exchange(got=[json.loads(answer("x")), json.loads(answer(s))])),
    "a body in base64": ("a.jsonl", lambda s: exchange(got=packed(answer(s).encode()))),
    "a body in base64 of URLs": (
        "a.jsonl",
        lambda s: exchange(got=packed(answer(s).encode()).replace("+", "-").replace("/", "_").rstrip("=")),
    ),
    "a body packed": ("a.jsonl", lambda s: exchange(got=packed(zipped(answer(s))))),
    "a file in a part": (
        "a.jsonl",
        lambda s: exchange(sent={"contents": [{"parts": [{"inlineData": {"data": packed(f"{s}\n{s}\n".encode())}}]}]}),
    ),
    "a pretty document": ("a.json", lambda s: json.dumps(json.loads(exchange(sent=asked(s))), indent=2).encode()),
    "a record of ours": (
        "a.jsonl",
        lambda s: b'{"v":1,"kind":"frame","channel":"1","from":"server","data":%b}\n' % answer(s).encode(),
    ),
    "bytes in a record": (
        "a.jsonl",
        lambda s: (
            b'{"v":1,"kind":"frame","channel":"1","from":"server","bytes":"%b"}\n' % b64encode(answer(s).encode())
        ),
    ),
    "a frame": ("a.jsonl", lambda s: json.dumps({"from": "client", "data": {"text": s}}).encode()),
    "an attribute": (
        "a.jsonl",
        lambda s: json.dumps({"attributes": [{"key": "input", "value": {"stringValue": asked(s)}}]}).encode(),
    ),
    "a line of a log": ("a.log", lambda s: f"2026-11-20 INFO sent {asked(s)}\nend\n".encode()),
    "text": ("a.log", lambda s: f"here: {s}\nend\n".encode()),
    "text with other bytes": ("a.log", lambda s: b"caf\xe9: " + s.encode() + b"\nend\n"),
    "text with a byte order mark": ("a.log", lambda s: b"\xef\xbb\xbf" + f"here: {s}\nend\n".encode()),
    "lines, packed": ("a.jsonl.gz", lambda s: gzip.compress(exchange(sent=json.loads(asked(s))))),
    "a line of YAML": ("a.yaml", lambda s: yaml(json.dumps(asked(s)))),
    "YAML in single quotes": ("a.yaml", lambda s: yaml("'" + asked(s).replace("'", "''") + "'")),
    "a literal block": ("a.yaml", lambda s: yaml(block("|-", json.dumps(json.loads(asked(s)), indent=1)))),
    "a folded block": ("a.yaml", lambda s: yaml(block(">-", json.dumps(json.loads(asked(s)), indent=1)))),
    "YAML with folds": ("a.yaml", lambda s: yaml(folded(asked(s).replace("\\n", " ")))),
    "YAML with values": (
        "a.yaml",
        lambda s: yaml("\n      contents:\n      - parts:\n        - text: " + json.dumps(f"use {s} now")),
    ),
    "plain YAML": ("a.yaml", lambda s: yaml("a " + " ".join(s.split()).replace(": ", " ").replace(" #", " "))),
    "binary YAML": ("a.yaml", lambda s: yaml("x", block("!!binary |", "  " + packed(answer(s).encode())))),
    "binary YAML, packed": ("a.yaml", lambda s: yaml("x", block("!!binary |", "  " + packed(zipped(answer(s)))))),
    "base64 in YAML": (
        "a.yaml",
        lambda s: yaml("x").replace(b"string: {}", f"base64_string: {packed(answer(s).encode())}".encode()),
    ),
    "a HAR file": ("a.har", lambda s: har(sent=asked(s))),
    "base64 in a HAR file": (
        "a.har",
        lambda s: har(content={"text": packed(answer(s).encode()), "encoding": "base64", "mimeType": "x"}),
    ),
    "events in a HAR file": ("a.har", lambda s: har(content={"text": events(s), "mimeType": "text/event-stream"})),
    "nock": ("a.json", lambda s: nock(body=json.loads(asked(s)))),
    "hex of nock": ("a.json", lambda s: nock(response=zipped(answer(s)).hex(), responseIsBinary=True)),
    "pieces of nock": (
        "a.json",
        lambda s: nock(
            response=[zipped(answer(s)).hex()[:60], zipped(answer(s)).hex()[60:]],
            rawHeaders=["Content-Encoding", "gzip"],
        ),
    ),
    "WireMock": (
        "a.json",
        lambda s: json.dumps(
            {
                "request": {"url": "/x", "method": "POST", "bodyPatterns": [{"equalToJson": asked(s)}]},
                "response": {"status": 200, "base64Body": packed(answer(s).encode())},
            }
        ).encode(),
    ),
    "a session of test-server": (
        "a.websocket.log",
        lambda s: b"".join(
            b">%d %b" % (len(each), each) for each in [(asked(x) + "\n").encode() for x in ("x", s, "x")]
        ),
    ),
    "a database": ("sessions.db", lambda s: database(s)),
    "what was deleted of a database": ("sessions.db", lambda s: database("x", deleted=s)),
}


def written(data: bytes, name: str, folder: Path, marks: SecretMarks | None = None) -> bytes:
    """What is written of a file."""
    path = folder / name
    path.write_bytes(data)
    with open(path, "rb") as stream:
        return b"".join(redacted(stream, str(path), marks or SecretMarks()))


def shadows(data: bytes, depth: int = 3) -> Iterator[str]:
    """The text of a file, in all ways of reading it: unescaped, unquoted, unpacked."""
    if data[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError, zlib.error):
            yield from shadows(gzip.decompress(data), depth)
            return
    plain = data.decode("latin-1")
    yield plain
    joined = re.sub(r"\\?\n *\\?", "", plain)  # the folds of YAML
    yield joined
    yield unquote(joined)
    yield re.sub(r"\\u00(..)", lambda found: chr(int(found[1], 16)), joined)
    if depth:
        for found in re.finditer(r"[A-Za-z0-9+/_-]{16,}", joined):
            run = found[0].replace("-", "+").replace("_", "/")
            if len(run) % 4 != 1:
                yield from shadows(b64decode(run + "=" * (-len(run) % 4)), depth - 1)
        for found in re.finditer(r"(?:[0-9a-f]{2}){16,}", re.sub(r'",\s*"', "", joined)):
            yield from shadows(bytes.fromhex(found[0]), depth - 1)


def left(data: bytes, secret: str) -> str:
    """What is left of a secret in a file: any ten characters of what is secret in it."""
    cores = [core for core in (CORE, CORE.upper(), HEX, "ZQ3XV7KP2LW9RT5Y") if core[:10] in secret or core in secret]
    pieces = {core[n : n + 10] for core in cores for n in range(len(core) - 9)}
    for shadow in shadows(data):
        for piece in pieces:
            if piece in shadow:
                return shadow[max(shadow.find(piece) - 60, 0) : shadow.find(piece) + 60]
    return ""


def pairs(name: str, value: str) -> list[dict[str, str]]:
    return [{"name": "accept", "value": "*/*"}, {"name": name, "value": value}]


def of_yaml(headers: str) -> bytes:
    return yaml("x").replace(b"      accept:\n      - '*/*'\n", headers.encode())


# Where headers stand, each under a name of its own.
HEADER_PLACES: dict[str, tuple[str, Callable[[str, str], bytes]]] = {
    "headers": ("a.jsonl", lambda n, v: exchange(headers={"accept": "*/*", n: v})),
    "headers of several values": ("a.jsonl", lambda n, v: exchange(headers={n: [v, v]})),
    "a list of pairs": ("a.jsonl", lambda n, v: exchange(headers=[["accept", "*/*"], [n, v]])),
    "names and values in turn": ("a.json", lambda n, v: nock(rawHeaders=["Accept", "*/*", n, v])),
    "headers of a request in nock": ("a.json", lambda n, v: nock(reqheaders={n: [v]})),
    "objects": ("a.har", lambda n, v: har(headers=pairs(n, v))),
    "objects, the value first": (
        "a.har",
        lambda n, v: har(headers=[{"value": "*/*", "name": "accept"}, {"value": v, "name": n}]),
    ),
    "what WireMock compares": (
        "a.json",
        lambda n, v: json.dumps(
            {"request": {"method": "GET", "bodyPatterns": [], "headers": {n: {"equalTo": v}}}}
        ).encode(),
    ),
    "attributes of a span": (
        "a.jsonl",
        lambda n, v: json.dumps({"attributes": {"http.request.headers": {n: [v]}}}).encode(),
    ),
    "headers of YAML": ("a.yaml", lambda n, v: of_yaml(f"      {n}:\n      - {json.dumps(v)}\n")),
    "headers of YAML without lists": ("a.yaml", lambda n, v: of_yaml(f"      {n}: {json.dumps(v)}\n")),
    "pairs of YAML": ("a.yaml", lambda n, v: of_yaml(f"      - name: {n}\n        value: '{v}'\n")),
    "cookies of a HAR file": (
        "a.har",
        lambda n, v: har(cookies=[{"name": n, "value": v, "path": "/", "secure": True}]),
    ),
    "cookies": ("a.jsonl", lambda n, v: exchange(cookies={n: v})),
    "the query of a HAR file": (
        "a.har",
        lambda n, v: har(queryString=[{"name": "alt", "value": "sse"}, {"name": n, "value": v}]),
    ),
    "headers in a string": ("a.jsonl", lambda n, v: json.dumps({"x": json.dumps({"headers": {n: v}})}).encode()),
}


def chunk(written: str) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": written}], "role": "model"}}]}


def framed(n: int, written: str) -> str:
    return json.dumps({"v": 1, "kind": "frame", "channel": str(n), "from": "server", "data": chunk(written)})


def spoken(written: str) -> str:
    return json.dumps({"serverContent": {"modelTurn": {"parts": [{"text": written}]}}})


# Files in which a text comes in pieces.
STREAMS: dict[str, tuple[str, Callable[[list[str]], bytes]]] = {
    "events": ("a.jsonl", lambda ps: exchange(got="".join(f"data: {json.dumps(chunk(p))}\r\n\r\n" for p in ps))),
    "events of a file": ("a.txt", lambda ps: "".join(f"data: {json.dumps(chunk(p))}\n\n" for p in ps).encode()),
    "events of the API for OpenAI": (
        "a.txt",
        lambda ps: "".join(f'data: {{"choices":[{{"delta":{{"content":{text(p)}}}}}]}}\n\n' for p in ps).encode(),
    ),
    "a list": ("a.jsonl", lambda ps: exchange(got=[chunk(p) for p in ps])),
    "a list as text": ("a.jsonl", lambda ps: exchange(got=json.dumps([chunk(p) for p in ps], indent=1))),
    "lines": ("a.jsonl", lambda ps: "\n".join(json.dumps(chunk(p)) for p in ps).encode()),
    "records of ours": (
        "a.jsonl",
        lambda ps: "\n".join(line for p in ps for line in (framed(1, p), framed(2, "x y z"))).encode(),
    ),
    "frames": (
        "a.jsonl",
        lambda ps: "\n".join(json.dumps({"from": "server", "data": json.loads(spoken(p))}) for p in ps).encode(),
    ),
    "a session of test-server": (
        "a.websocket.log",
        lambda ps: b"".join(b"<%d %b" % (len(each), each) for each in [(spoken(p) + "\n").encode() for p in ps]),
    ),
    "a block of YAML": (
        "a.yaml",
        lambda ps: yaml(
            "x", block("|-", "\n\n".join(f"data: {json.dumps(chunk(p))}" for p in ps)).replace("\n      ", "\n        ")
        ),
    ),
    "a HAR file": (
        "a.har",
        lambda ps: har(content={"text": "".join(f"data: {json.dumps(chunk(p))}\n\n" for p in ps), "mimeType": "x"}),
    ),
}
