"""Texts that stand in for a thought signature, by Google's documentation. SDKs send the base64 of them."""

from base64 import b64encode, urlsafe_b64encode

BYPASSES = frozenset((b"skip_thought_signature_validator", b"context_engineering_is_the_way_to_go"))
# As they are written, with and without what base64 is padded with.
STAND_INS = frozenset(
    [
        text.decode().rstrip("=") + padding
        for bypass in BYPASSES
        for text in (bypass, b64encode(bypass), urlsafe_b64encode(bypass))
        for padding in ("", "=", "==")
    ]
)
