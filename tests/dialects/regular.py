"""Contents and replies, most of them regular, as JSON texts, and messages one by one: for whoever compares strict with
lenient reading."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from wirecheck.dialects import Dialects
from wirecheck.dialects.live.live_regular import LiveFrames, RegularFrame
from wirecheck.dialects.regular_content import AnyMessage
from wirecheck.dialects.strict_types import snake
from wirecheck.wire.records import Record

Json = dict[str, Any]
TEXTS = st.one_of(
    st.sampled_from(("", "Hello", "  ", "“naïve” 東京 🚆", "a" * 130, "1\u0000\u2028")), st.text(max_size=8)
)
NAMES = st.sampled_from(("find", "add", "f" * 70, "ä"))
IDS = st.sampled_from(("c1", "c2", "x"))
SIGNATURES = st.sampled_from(("c2lnbmVk", "skip_thought_signature_validator", "context_engineering_is_the_way_to_go"))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=5,
)
ARGS = st.dictionaries(st.sampled_from(("city", "n", "")), VALUES, max_size=2)
RESPONSES = st.dictionaries(
    st.sampled_from(("output", "error", "result", "willContinue", "scheduling", "will_continue")), VALUES, max_size=2
)


def messages(dialects: Dialects, record: Record) -> Iterator[AnyMessage]:
    """The messages of a record, also of frames that are read many at a time."""
    for message in dialects.read(record):
        if isinstance(message, LiveFrames):
            for each in [each for n in range(len(message.record)) for each in message.messages(n)]:
                assert not isinstance(each, LiveFrames)
                yield from each.read() if isinstance(each, RegularFrame) else (each,)
        else:
            yield message


def some(required: dict[str, Any], **optional: Any) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(required, optional=optional)


CALLS = some({"name": NAMES}, args=ARGS, id=IDS)
ANSWERS = some({"name": NAMES, "response": RESPONSES}, id=IDS)
MEDIA = some(
    {}, mimeType=st.just("image/png"), data=st.sampled_from(("aGk=", "", "Data:", "data:x")), displayName=TEXTS
)
FILES = some({}, mimeType=st.just("image/png"), fileUri=st.just("gs://a/b"), displayName=TEXTS)
DATA: dict[str, st.SearchStrategy[Any]] = {
    "text": TEXTS,
    "functionCall": CALLS,
    "functionResponse": ANSWERS,
    "inlineData": MEDIA,
    "fileData": FILES,
}
SIGNED = {"thought": st.booleans(), "thoughtSignature": SIGNATURES}
# One kind of data in a part; in any order of keys, also two or none.
PARTS = st.one_of(*[some({name: data}, **SIGNED) for name, data in DATA.items()])
ANY_PARTS = some({}, **DATA, **SIGNED)
# What makes a content irregular, put somewhere into it.
ODD: list[Any] = [None, "", {}, [], 0, True, "x", {"strange": 1}, [{"text": "x"}]]


def reordered(value: Any, order: int) -> Any:
    """Keys in another order, and so on inside."""
    if isinstance(value, list):
        return [reordered(each, order) for each in value]
    if not isinstance(value, dict):
        return value
    keys = sorted(value, key=lambda key: hash((len(key), order % 7)) if order % 2 else 0)
    return {key: reordered(value[key], order) for key in (reversed(keys) if order % 3 else keys)}


def in_snake(value: Any, depth: int = 0) -> Any:
    """The same in snake_case; arguments and responses are the user's own."""
    if isinstance(value, list):
        return [in_snake(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {snake(key): each if key in ("args", "response") else in_snake(each) for key, each in value.items()}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each place in a value: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += [(value, key), *places(each)]
    return found


@st.composite
def contents(draw: st.DrawFn, roles: tuple[Any, ...] = ("user", "model"), parts: Any = None) -> bytes:
    """A content as it may be written: regular, or odd in one place."""
    drawn = draw(st.lists(parts if parts is not None else st.one_of(PARTS, PARTS, ANY_PARTS), min_size=1, max_size=4))
    content: Json = {"role": draw(st.sampled_from(roles)), "parts": drawn}
    content = reordered(content, draw(st.integers(0, 11)))
    odd = draw(st.integers(0, 9))
    if odd == 0:
        holder, key = draw(st.sampled_from(places(content)))
        holder[key] = draw(st.sampled_from(ODD))
    elif odd == 1:
        holder = draw(st.sampled_from([content, *[each for each in drawn if isinstance(each, dict)]]))
        holder[draw(st.sampled_from(("strange", "videoMetadata", "function_call", "Text")))] = draw(
            st.sampled_from(ODD)
        )
    if draw(st.booleans()):
        content = in_snake(content)
    separators = draw(st.sampled_from(((",", ":"), (", ", ": "))))
    return json.dumps(content, ensure_ascii=draw(st.booleans()), separators=separators).encode()
