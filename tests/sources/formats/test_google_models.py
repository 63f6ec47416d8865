"""The URL of a method, by what a program says of its way and model."""

import pytest

from tests.sources.agents.judged import RULES
from wirecheck.dialects.address import address
from wirecheck.sources.formats.google_models import method_url


@pytest.mark.parametrize(
    ("way", "model", "told"),
    [
        ("gemini-api-key", "gemini-2.5-flash", ("gemini-api", "gemini-2.5-flash")),
        ("google.generative-ai", "models/gemini-2.5-flash", ("gemini-api", "gemini-2.5-flash")),
        ("google.vertex.chat", "gemini-2.5-pro", ("vertex", "gemini-2.5-pro")),
        ("vertex-ai", "gemini-2.5-pro", ("vertex", "gemini-2.5-pro")),
        ("somewhere", "gemini-2.5-pro", ("unknown", "gemini-2.5-pro")),
        ("oauth-personal", "gemini-2.5-pro", ("code-assist", "gemini-2.5-pro")),
    ],
)
def test_model_and_surface(way: str, model: str, told: tuple[str, str]) -> None:
    found = address(method_url(way, model), RULES.models)
    assert (found.surface, found.model, found.verb) == (*told, "generateContent")


@pytest.mark.parametrize("model", ["", "a/b?c", "x" * 200, "a b"])
def test_no_url(model: str) -> None:
    assert method_url("vertex-ai", model, streamed=True) == ""
