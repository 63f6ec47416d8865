"""Gemini's hosts and methods are recorded, what the user added to them, and nothing else."""

import pytest

from wirecheck.data.shipped import models
from wirecheck.recorder.capture.recorded_hosts import ObservedRequest, RecordedHosts

GEMINI = "https://generativelanguage.googleapis.com"
BODY = b'{"contents":[]}'


def wants(url: str, body: bytes = BODY, websocket: bool = False, **more: object) -> bool:
    return RecordedHosts(models(), **more).wants(ObservedRequest(url, websocket, body))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "url",
    [
        f"{GEMINI}/v1beta/models/gemini-3.6-flash:generateContent",
        f"{GEMINI}/v1/models/gemini-3.6-flash:streamGenerateContent?alt=sse",
        f"{GEMINI}:443/v1beta/models/gemini-3.6-flash:countTokens",
        f"{GEMINI}/v1beta/tunedModels/mine:generateContent",
        f"{GEMINI}/v1beta/openai/chat/completions",
        f"{GEMINI}/v1beta/interactions",
        f"{GEMINI}/v1beta/interactions/abc",
        "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
        "https://cloudcode-pa.googleapis.com/v1internal:streamGenerateContent?alt=sse",
        "https://firebasevertexai.googleapis.com/v1beta/projects/p/models/m:generateContent",
        "wss://generativelanguage.googleapis.com//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent",
        "wss://aiplatform.googleapis.com/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent",
    ],
)
def test_what_is_gemini_is_recorded(url: str) -> None:
    assert wants(url)


@pytest.mark.parametrize(
    "url",
    [
        f"{GEMINI}/v1beta/models",
        f"{GEMINI}/upload/v1beta/files",
        f"{GEMINI}/v1alpha/auth_tokens",
        f"{GEMINI}/v1beta/models/m:embedContent",
        "https://cloudcode-pa.googleapis.com/v1internal:loadCodeAssist",
        "https://play.googleapis.com/log",
        "https://oauth2.googleapis.com/token",
        "https://generativelanguage.googleapis.com.example.org/v1beta/models/m:generateContent",
        "https://example.org/v1beta/models/m:generateContent",
        "wss://example.org/ws/x.BidiGenerateContent",
        "https://api.openai.com/v1/chat/completions",
        "https://[/v1beta/models/m:generateContent",
        "",
    ],
)
def test_everything_else_is_not(url: str) -> None:
    assert not wants(url)


@pytest.mark.parametrize(
    ("url", "body", "wanted"),
    [
        ("https://example.org/v1beta/models/m:generateContent", BODY, True),
        ("https://example.org/ask", BODY, True),
        ("https://example.org/ask", b'{"request":{"contents":[]}}', True),
        ("https://example.org/ask", b'{"contents":', False),
        ("https://example.org/ask", b'{"messages":[]}', False),
        ("https://example.org/ask", b"[" * 9999, False),
        ("https://example.org/v1/chat/completions", b'{"model":"google/gemini-3.6-flash","messages":[]}', True),
        ("https://api.openai.com/v1/chat/completions", b'{"model":"gpt-5","messages":[]}', False),
        ("https://api.openai.com/v1/chat/completions", b'{"model":7}', False),
        ("https://example.org/v1beta/interactions", b'{"model":"gemini-3.8-flash","input":"hi"}', True),
        ("https://discord.com/api/interactions", b'{"type":1}', False),
        ("https://example.org/log", b"contents", False),
    ],
)
def test_on_all_hosts_only_what_speaks_the_dialect(url: str, body: bytes, wanted: bool) -> None:
    assert wants(url, body, all_hosts=True) is wanted
    assert not wants(url, body)


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("http://localhost:9000/v1beta/models/m:generateContent", True),
        ("ws://localhost:9000/ws/x.BidiGenerateContent", True),
        ("http://localhost:9000/health", False),
        ("http://localhost:9001/v1beta/models/m:generateContent", False),
        (f"{GEMINI}/v1beta/models/m:generateContent", True),
    ],
)
def test_an_upstream_stands_in_for_google(url: str, wanted: bool) -> None:
    assert wants(url, upstream="http://localhost:9000/base") is wanted


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (
            "http://localhost:9000/base/v1beta/models/m:generateContent?alt=sse",
            f"{GEMINI}/v1beta/models/m:generateContent?alt=sse",
        ),
        ("http://localhost:9000/v1beta/openai/chat/completions", f"{GEMINI}/v1beta/openai/chat/completions"),
        (
            "http://localhost:9000/base/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
            "https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
        ),
        (
            "http://localhost:9000/base/v1internal:generateContent",
            "https://cloudcode-pa.googleapis.com/v1internal:generateContent",
        ),
        ("ws://localhost:9000/base//ws/x.BidiGenerateContent", f"wss{GEMINI[5:]}//ws/x.BidiGenerateContent"),
        (
            "http://localhost:9001/base/v1beta/models/m:generateContent",
            "http://localhost:9001/base/v1beta/models/m:generateContent",
        ),
        ("http://[", "http://["),
    ],
)
def test_what_is_asked_of_an_upstream_is_meant_for_google(asked: str, meant: str) -> None:
    assert RecordedHosts(models(), upstream="http://localhost:9000/base").meant(asked) == meant
    assert RecordedHosts(models()).meant(asked) == asked


@pytest.mark.parametrize(
    ("url", "body", "websocket", "wanted"),
    [
        ("ws://app.example.org/chat", b"", True, True),
        ("wss://APP.example.org:8443/chat", b"", True, True),
        ("ws://localhost:8000/chat", b"", True, True),
        ("ws://localhost:8001/chat", b"", True, False),
        ("wss://other.example.org/chat", b"", True, False),
        ("https://app.example.org/chat", b'{"messages":[]}', False, True),
        ("https://app.example.org/chat", b'{"chat_messages":[]}', False, True),
        ("https://app.example.org/chat", BODY, False, True),
        ("https://app.example.org/login", b'{"user":"me","password":"you"}', False, False),
        ("https://app.example.org/log", b"messages", False, False),
    ],
)
def test_of_an_applications_server_websockets_and_conversations(
    url: str, body: bytes, websocket: bool, wanted: bool
) -> None:
    for hosts in (("app.example.org", "localhost:8000"), ("https://App.example.org/", "ws://localhost:8000")):
        assert wants(url, body, websocket, hosts=hosts) is wanted
