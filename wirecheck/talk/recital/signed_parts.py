"""The parts of a model's content that its recital must keep: calls, signed parts, and what the server did itself.

Of a thought signature only a digest and its beginning are kept, so that a reply that waits to be recited stays small.
Nothing here knows a conversation.
"""

import re
from binascii import b2a_base64

from msgspec import Struct

from wirecheck.dialects.messages import Call, Content, Part, Spot
from wirecheck.dialects.regular_content import RegularContent
from wirecheck.dialects.vocabulary.field_names import get
from wirecheck.dialects.vocabulary.stand_in_signatures import BYPASSES
from wirecheck.hashing import digest

# Signatures are bytes in JSON: base64 and base64url of the same bytes are the same signature.
_STANDARD = bytes.maketrans(b"-_", b"+/")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# The last character of base64 has bits that say nothing, where it is not one of four: they are left out.
_LAST = {
    len(kept): bytes.maketrans(_BASE64, b"".join([_BASE64[n : n + 1] * step for n in range(0, 64, step)]))
    for kept, step in ((b"12", 16), (b"123", 4))
}
# Characters that two signatures share only where one was made of the other; fewer, where a log cut it.
_HEAD = re.compile(rb"[A-Za-z0-9+/]{0,32}")
_WRITTEN = frozenset(
    plain.translate(_STANDARD).rstrip(b"=") for each in BYPASSES for plain in (each, b2a_base64(each, newline=False))
)
# What the server called and executed itself. It has no answer of the client's; only reciting keeps it.
SERVED = frozenset(("toolCall", "toolResponse", "executableCode", "codeExecutionResult"))


class Signature(Struct, frozen=True, gc=False):
    """A thought signature in short. `real`: neither a bypass nor a text that something else stands in for."""

    digest: int
    head: bytes
    bypass: bool
    real: bool

    def akin(self, other: "Signature") -> bool:
        """Whether both begin alike, as far as they go."""
        return self.head.startswith(other.head) or other.head.startswith(self.head)


class SignedPart(Struct, frozen=True, kw_only=True):
    """One part worth keeping.

    `what`: call, text, empty (a text without words, or nothing but the signature), thought, or the key of its data.
    """

    what: str
    signature: Signature | None = None
    call: Call | None = None
    spot: Spot

    @property
    def real(self) -> Signature | None:
        return self.signature if self.signature is not None and self.signature.real else None


def pieces(content: Content) -> list[SignedPart]:
    if isinstance(content, RegularContent):
        return _regular(content)
    return [_piece(part) for part in content.parts if _kept(part)]


def _regular(content: RegularContent) -> list[SignedPart]:
    analysis = content.analysis
    if not (analysis.calls or analysis.signed):
        return []
    calls = [
        (half.part, SignedPart(what="call", signature=_signature(half.signature), call=call, spot=call.spot))
        for half, call in zip(analysis.calls, content.calls, strict=True)
    ]
    if not analysis.signed:
        return [piece for _, piece in calls]
    others = [
        (
            each.part,
            SignedPart(what=each.what, signature=_signature(each.signature), spot=content.spot.to("parts", each.part)),
        )
        for each in analysis.signed
    ]
    return [piece for _, piece in sorted(calls + others, key=lambda each: each[0])]


def _signature(written: str | None) -> Signature | None:
    return read_signature(written) if written else None


def signature_of(part: Part) -> Signature | None:
    """The signature of a part; one that was written into the call is told of as misplaced, not as lost."""
    if "thoughtSignature" in part.keys:
        written = get(part.value, "thoughtSignature")
    elif part.call is not None and "thoughtSignature" in part.call.keys:
        written = get(part.call.value, "thoughtSignature")
    else:
        return None
    return read_signature(written) if type(written) is str and written else None


def read_signature(written: str) -> Signature:
    plain = written.encode(errors="replace").translate(_STANDARD).rstrip(b"=")
    bypass = plain in _WRITTEN
    real = not bypass and not plain.translate(None, _BASE64)  # a log that was cut or scrubbed has other characters
    head = _HEAD.match(plain)
    if real and (last := _LAST.get(len(plain) % 4)) is not None:
        plain = plain[:-1] + plain[-1:].translate(last)
    return Signature(digest(plain), head.group() if head is not None else b"", bypass, real)


def _kept(part: Part) -> bool:
    return part.call is not None or "thoughtSignature" in part.keys or not SERVED.isdisjoint(part.data)


def _piece(part: Part) -> SignedPart:
    return SignedPart(what=_what(part), signature=signature_of(part), call=part.call, spot=part.spot)


def _what(part: Part) -> str:
    if part.call is not None:
        return "call"
    if part.value.get("thought"):
        return "thought"
    data = next(iter(part.data), "text")
    return "empty" if data == "text" and not part.value.get("text") else data
