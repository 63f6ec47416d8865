"""The URL that a program asks, where it tells only by which way, and for which model."""

import re

GEMINI_API = "https://generativelanguage.googleapis.com/v1beta/models/"
VERTEX = "https://aiplatform.googleapis.com/v1/projects/-/locations/global/publishers/google/models/"
# By the beginning of what a program calls the way.
WAYS = {
    "gemini-api-key": GEMINI_API,
    "google.generative-ai": GEMINI_API,
    "vertex-ai": VERTEX,
    "google.vertex": VERTEX,
    "compute-default-credentials": VERTEX,
    # Code Assist judges as the Gemini API does.
    "oauth": GEMINI_API,
}
MODEL = re.compile(r"[\w.@-]{1,100}")


def method_url(way: str, model: str, *, streamed: bool = False) -> str:
    """The URL; "" where the way is none of Google's, or the model has no name."""
    base = next((base for begins, base in WAYS.items() if way.startswith(begins)), "")
    name = model.removeprefix("models/")
    verb = "streamGenerateContent" if streamed else "generateContent"
    return f"{base}{name}:{verb}" if base and MODEL.fullmatch(name) else ""
