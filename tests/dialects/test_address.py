"""What URLs say."""

import pytest

from wirecheck.data.shipped import models
from wirecheck.dialects.address import address

HOST = "https://generativelanguage.googleapis.com"
VERTEX = "https://us-central1-aiplatform.googleapis.com/v1beta1/projects/p/locations/l"
URLS = {
    f"{HOST}/v1beta/models/gemini-2.5-pro:generateContent?key=k": (
        "generate-content",
        "generateContent",
        "gemini-api",
        "v1beta",
        "gemini-2.5-pro",
    ),
    f"{HOST}/v1/models/gemini-3.6-flash:streamGenerateContent?alt=sse": (
        "generate-content",
        "streamGenerateContent",
        "gemini-api",
        "v1",
        "gemini-3.6-flash",
    ),
    f"{HOST}/v1beta/models/gemini-3.6-flash%3AstreamGenerateContent?alt=sse": (
        "generate-content",
        "streamGenerateContent",
        "gemini-api",
        "v1beta",
        "gemini-3.6-flash",
    ),
    f"{HOST}/v1beta/tunedModels/mine-1:generateContent": (
        "generate-content",
        "generateContent",
        "gemini-api",
        "v1beta",
        "tunedModels/mine-1",
    ),
    f"{VERTEX}/publishers/google/models/gemini-2.0-flash-001:countTokens": (
        "generate-content",
        "countTokens",
        "vertex",
        "v1beta1",
        "gemini-2.0-flash-001",
    ),
    "https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:generateContent": (
        "generate-content",
        "generateContent",
        "vertex",
        "v1",
        "gemini-2.5-flash",
    ),
    "https://cloudcode-pa.googleapis.com/v1internal:streamGenerateContent?alt=sse": (
        "generate-content",
        "streamGenerateContent",
        "code-assist",
        "v1internal",
        None,
    ),
    "https://firebasevertexai.googleapis.com/v1beta/projects/p/models/gemini-2.5-flash:generateContent": (
        "generate-content",
        "generateContent",
        "firebase",
        "v1beta",
        "gemini-2.5-flash",
    ),
    "http://localhost:8053/v1/models/gemini-2.5-flash/generateContent": (
        "generate-content",
        "generateContent",
        "unknown",
        "v1",
        "gemini-2.5-flash",
    ),
    "http://gateway:8080/google-vertex/v1beta1/publishers/google/models/m:generateContent": (
        "generate-content",
        "generateContent",
        "vertex",
        "v1beta1",
        "m",
    ),
    f"{HOST}/v1beta/openai/chat/completions": ("chat", "completions", "openai-compat", "v1beta", None),
    f"{HOST}/v1beta/interactions": ("interactions", "interactions", "gemini-api", "v1beta", None),
    f"{HOST}/v1beta/interactions/v1_abc": ("interactions", "interactions", "gemini-api", "v1beta", None),
    "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/interactions": (
        "interactions",
        "interactions",
        "vertex",
        "v1beta1",
        None,
    ),
    "https://discord.com/api/interactions": ("unknown", "interactions", "unknown", None, None),
    "wss://generativelanguage.googleapis.com//ws/google.ai.generativelanguage.v1alpha.GenerativeService"
    ".BidiGenerateContentConstrained?access_token=auth_tokens/x": (
        "live",
        "BidiGenerateContentConstrained",
        "gemini-api",
        "v1alpha",
        None,
    ),
    "wss://l-aiplatform.googleapis.com/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent": (
        "live",
        "BidiGenerateContent",
        "vertex",
        "v1beta1",
        None,
    ),
    f"{HOST}/v1beta/models/text-embedding-004:embedContent": (
        "other",
        "embedContent",
        "gemini-api",
        "v1beta",
        "text-embedding-004",
    ),
    f"{HOST}/v1beta/fileSearchStores/my-secret-store/documents": (
        "other",
        "fileSearchStores",
        "gemini-api",
        "v1beta",
        None,
    ),
    "https://api.openai.com/v1/chat/completions": ("other", "requests to api.openai.com", "unknown", "v1", None),
    "https://x.ai/v1/interactions": ("other", "requests to x.ai", "unknown", "v1", None),
    "https://matrix.ai/v1/chat/completions": ("chat", "completions", "unknown", "v1", None),
    "http://localhost:8080/chat": ("unknown", "requests to localhost", "unknown", None, None),
    f"{HOST}/v1beta/cachedContents": ("other", "cachedContents", "gemini-api", "v1beta", None),
    "http://localhost:8080/v1beta/cachedContents": ("other", "cachedContents", "unknown", "v1beta", None),
    "": ("unknown", "other requests", "unknown", None, None),
}


@pytest.mark.parametrize(("url", "expected"), URLS.items())
def test_what_a_url_says(url: str, expected: tuple[str, str, str, str | None, str | None]) -> None:
    said = address(url, models())
    assert (said.protocol, said.verb, said.surface, said.version, said.model) == expected
