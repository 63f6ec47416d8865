"""Texts that Google's documentation allows in place of a thought signature. SDKs send them in base64."""

from base64 import b64encode, urlsafe_b64encode

BYPASSES = frozenset((b"skip_thought_signature_validator", b"context_engineering_is_the_way_to_go"))
# In base64, with and without padding.
STAND_INS = frozenset(
    [
        text.decode().rstrip("=") + padding
        for bypass in BYPASSES
        for text in (bypass, b64encode(bypass), urlsafe_b64encode(bypass))
        for padding in ("", "=", "==")
    ]
)
