"""Texts that Google's documentation allows in place of a thought signature. SDKs send them in base64."""

from base64 import b64encode, urlsafe_b64encode

_ANYWHERE = b"skip_thought_signature_validator"
_GEMINI_API = b"context_engineering_is_the_way_to_go"
BYPASSES = frozenset((_ANYWHERE, _GEMINI_API))


def _written(text: bytes) -> frozenset[str]:
    """As it may be written: plain or in base64, with and without padding."""
    forms = (text, b64encode(text), urlsafe_b64encode(text))
    return frozenset([form.decode().rstrip("=") + padding for form in forms for padding in ("", "=", "==")])


# By surface, those that count as none there. https://github.com/pydantic/pydantic-ai/issues/3881
REFUSED = {"vertex": _written(_GEMINI_API)}
STAND_INS = _written(_ANYWHERE) | _written(_GEMINI_API)
