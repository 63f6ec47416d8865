"""How thought signatures are broken where a request alone shows it."""

from collections.abc import Iterator

from tests.breaks.table import Break, Json, Steps, anywhere, calling, halves, part_of, parts
from wirecheck.dialects.vocabulary.field_names import get, written

CALL, SIGNATURE = "functionCall", "thoughtSignature"


def signed(body: Json) -> Iterator[int]:
    """Contents whose first call is signed."""
    return (n for n in calling(body) if get(first(body, n), SIGNATURE) is not None)


def signed_lately(body: Json) -> Iterator[int]:
    """Those of the current turn."""
    words = (n for n in anywhere(body) if any(get(part, "text") for part in parts(body["contents"][n])))
    last = max((n for n in words if body["contents"][n].get("role") == "user"), default=-1)
    return (n for n in signed(body) if n > last)


def first(body: Json, n: int) -> Json:
    content = body["contents"][n]
    return parts(content)[int(part_of(content, CALL)[1])]


def dropped(body: Json, n: int) -> Steps:
    del first(body, n)[written(first(body, n), SIGNATURE)]
    return "contents", n, *part_of(body["contents"][n], CALL)


def into_the_call(body: Json, n: int) -> Steps:
    part, content = first(body, n), body["contents"][n]
    halves(content, CALL)[0][SIGNATURE] = part.pop(written(part, SIGNATURE))
    return "contents", n, *part_of(content, CALL), written(part, CALL), SIGNATURE


def stand_in(body: Json, n: int) -> Steps:
    part = first(body, n)
    part[written(part, SIGNATURE)] = "skip_thought_signature_validator"
    return "contents", n, *part_of(body["contents"][n], CALL)


def thought(body: Json, n: int) -> Steps:
    parts(body["contents"][n]).insert(0, {"text": "Hm.", "thought": True})
    return "contents", n, "parts", 0


BREAKS = (
    Break("no signature", "missing-thought-signature", signed_lately, dropped),
    Break("a signature in the call", "misplaced-thought-signature", signed, into_the_call),
    Break("a stand-in for a signature", "thought-signature-bypass", signed, stand_in),
    Break("a thought sent back", "thought-parts-replayed", calling, thought),
)
