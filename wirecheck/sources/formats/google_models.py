"""What logs of many programs tell of Google's models: whether a model is one, and by its name what URL was asked."""

import re

NAMES = re.compile(r"gemini|gemma|learnlm|tunedmodels/|publishers/google/|/endpoints/", re.IGNORECASE)
ELSEWHERE = "a call of another model than Google's"
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


def is_google(model: str) -> bool:
    """Whether a model of this name is one; where it has no name, nothing speaks against it."""
    return not model or NAMES.search(model) is not None


def method_url(way: str, model: str, *, streamed: bool = False) -> str:
    """The URL; without a host where the way is none that is known, "" where the model has no name."""
    base = next((base for begins, base in WAYS.items() if way.startswith(begins)), "/v1beta/models/")
    name = model.removeprefix("models/")
    verb = "streamGenerateContent" if streamed else "generateContent"
    return f"{base}{name}:{verb}" if MODEL.fullmatch(name) else ""
