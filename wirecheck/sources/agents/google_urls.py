"""The URL that a program asks, where it tells only by which way, and for which model."""

import re

GEMINI_API = "https://generativelanguage.googleapis.com/v1beta/models/"
VERTEX = "https://aiplatform.googleapis.com/v1beta1/projects/-/locations/global/publishers/google/models/"
# The model stands in the body there; here it is only told.
CODE_ASSIST = "https://cloudcode-pa.googleapis.com/v1internal/models/"
# By the beginning of what a program calls the way.
WAYS = {
    "gemini-api-key": GEMINI_API,
    "google.generative-ai": GEMINI_API,
    "vertex-ai": VERTEX,
    "google.vertex": VERTEX,
    # As instrumentations and LiteLLM call them.
    "generativelanguage.": GEMINI_API,
    "gcp.gemini": GEMINI_API,
    "google-gla": GEMINI_API,
    "gemini": GEMINI_API,
    "gcp.vertex_ai": VERTEX,
    "google-vertex": VERTEX,
    "vertex_ai": VERTEX,
    "compute-default-credentials": CODE_ASSIST,
    "oauth": CODE_ASSIST,
}
MODEL = re.compile(r"[\w.@-]{1,100}")


def method_url(way: str, model: str, *, streamed: bool = False) -> str:
    """The URL; without a host where the way is none that is known, "" where the model has no name."""
    base = next((base for begins, base in WAYS.items() if way.startswith(begins)), "/v1beta/models/")
    name = model.removeprefix("models/")
    verb = "streamGenerateContent" if streamed else "generateContent"
    return f"{base}{name}:{verb}" if MODEL.fullmatch(name) else ""
