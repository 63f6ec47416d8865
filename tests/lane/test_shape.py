"""What read.c reads: JSON that is as a table says, and nothing else; its shape and its values say what it says."""

import base64
import json
import re
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.logs import lines
from wirecheck.lane import shapes, usual
from wirecheck.lane.native import Reader

Read = Callable[[bytes], tuple[bytes, tuple[Any, ...], Sequence[bytes], int] | None]
Checks = dict[str, Callable[[Any, Any, Any, tuple[Any, ...]], bool]]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ODD = b'{}[]",:\\u0d8 n\x00\x1f\x7f\x80\xc3\xa9\xed\xa0\xf4\xff1e9.-tfx'
UNREAD = re.compile(
    rb'"(?:v":1,"kind":"opened|v":1,"kind":"replied|v":1,"kind":"closed|setup|setupComplete|tool[A-Z]\w+)"'
)
SPACE = st.sampled_from(("", " ", "\n", "\r\n\t "))


def said(read: Any, place: Any) -> Any:
    return read[place] if isinstance(place, int) else place


def is_text(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    return bool(original == said(values, shape)) and (original == "") == (shape == "")


def is_several(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    return len(shape) == len(original) and all(
        tells(row[1], one, other, values) for one, other in zip(shape, original, strict=True)
    )


def is_thing(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    counts = [row[1][key][1] * original[key] for key in original if row[1][key][0] == "count"]
    adds_up = {"=": sum(counts) == 0} if counts else {}
    rest = {key: value for key, value in shape.items() if key != "="}
    return (
        [*rest] == [*original]
        and {"=": shape.get("=")} == (adds_up or {"=": None})
        and all(tells(row[1][key], shape[key], original[key], values) for key in original)
    )


def is_open(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    return bool(shape == ({"": 1} | {key: 1 for key in row[1] if key in original} if original else {}))


def is_either(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    return tells(row[2] if isinstance(original, str) else row[1], shape, original, values)


def is_quiet(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    got = Reader(row[1]).read(json.dumps(original).encode())
    return got is not None and bool(json.loads(got[0]) == shape)


def are_events(row: Any, shape: Any, original: str, values: tuple[Any, ...]) -> bool:
    forms, stream = values[shape[0]], shape[1]
    texts = re.split("\r\n\r\n|\n\n", original)[:-1] if stream else [original]
    return len(forms) == len(texts) and all(
        tells(row[1], json.loads(form), json.loads(text.removeprefix("data: ")), own)
        for (form, own), text in zip(forms, texts, strict=True)
    )


CHECKS: Checks = {
    "word": lambda row, shape, original, values: shape == original,
    "flag": lambda row, shape, original, values: shape is original,
    "number": lambda row, shape, original, values: shape == original,
    "figure": lambda row, shape, original, values: shape == 1 and isinstance(original, int | float),
    "count": lambda row, shape, original, values: shape == 1,
    "any": lambda row, shape, original, values: shape == 1,
    "text": is_text,
    "id": is_text,
    "spelt": lambda row, shape, original, values: shape == original,
    "there": lambda row, shape, original, values: shape == (original and 1),
    "some": lambda row, shape, original, values: shape == (original and (2 if original.encode()[4:5] == b":" else 1)),
    "zero": lambda row, shape, original, values: shape == bool(original) and type(original) is int,
    "digits": lambda row, shape, original, values: json.loads(values[shape]) == original,
    "bytes": lambda row, shape, original, values: said(values, shape) == (original.encode() or ""),
    "data": lambda row, shape, original, values: shape == (original and 1),
    "base64": lambda row, shape, original, values: said(values, shape) == (original.encode() or ""),
    "fixed": lambda row, shape, original, values: shape == 1,
    "stamp": lambda row, shape, original, values: isinstance(values[shape], int),
    "members": lambda row, shape, original, values: (
        json.loads(values[shape]) == original if original else shape == original
    ),
    "list": is_several,
    "object": is_thing,
    "open": is_open,
    "either": is_either,
    "quiet": is_quiet,
    "events": are_events,
    "form": lambda row, shape, original, values: tells(
        row[1], json.loads(values[shape[0]][0]), original, values[shape[0]][1]
    ),
}


def tells(row: Any, shape: Any, original: Any, values: tuple[Any, ...]) -> bool:
    """Whether a shape and values say what was written, as far as its table tells it apart."""
    if original is None:
        return shape is None
    return CHECKS[row[0]](row, shape, original, values)


def written(value: Any, space: str = "", *, ascii: bool = False) -> bytes:
    return json.dumps(value, ensure_ascii=ascii, separators=(f",{space}", f":{space}")).encode()


def agrees(row: Any, read: Read, line: bytes) -> bool:
    """Whether it is read at all; what is read must be right."""
    if (got := read(line)) is None:
        return False
    original = json.loads(line)
    assert orjson.loads(line) == original
    assert tells(row, json.loads(got[0]), original, got[1])
    return True


@pytest.mark.parametrize("name", ["small", "long", "strings", "media"])
def test_shape_and_values_say_what_a_line_says(name: str) -> None:
    assert all(agrees(shapes.EXCHANGE, shapes.exchange.read, line) for line in islice(lines(name, 0.0002), 40))


@pytest.mark.parametrize("name", ["live", "live.records"])
def test_shape_and_values_say_what_a_frame_says(name: str) -> None:
    frames = [line for line in lines(name, 0.0006) if not UNREAD.search(line)]
    assert len(frames) > 250
    assert all(agrees(shapes.FRAME, shapes.frame, line) for line in frames)


def mutilated(line: bytes, rng: Random, most: int) -> bytes:
    """What becomes of a line, changed within so many of its first bytes, or of its last."""
    changed = bytearray(line)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.choice((1, -1)) * rng.randrange(min(len(changed), most)) % len(changed)
        piece = bytes(rng.choices(ODD, k=rng.randint(0, 3)))
        changed[at : at + rng.randint(0, 3)] = piece
    return bytes(changed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("names", "row", "read", "most"),
    [
        (("small", "strings"), shapes.EXCHANGE, shapes.exchange.read, 1 << 20),
        (("live", "live.records"), shapes.FRAME, shapes.frame, 1 << 20),
        (("live", "live.records"), shapes.FRAME, shapes.frame, 160),
    ],
)
def test_whatever_becomes_of_a_line_it_is_read_rightly_or_not_at_all(
    names: Sequence[str], row: Any, read: Read, most: int, seed: int
) -> None:
    rng = Random(seed)
    scale = 0.0001 if "small" in names else 0.0006
    logs = [line for name in names for line in islice(lines(name, scale, seed), 20 if "small" in names else None)]
    for _ in range(1500):
        try:
            agrees(row, read, mutilated(rng.choice(logs), rng, most))
        except UnicodeDecodeError as error:
            pytest.fail(f"read, and no UTF-8: {error}")


ONE: dict[str, Any] = {"text": shapes.TEXT, "id": shapes.ID, "fixed": shapes.FIXED, "open": shapes.members("text")}
TREE = shapes.thing({**ONE, "items": shapes.several(shapes.thing(ONE)), "form": shapes.form(shapes.thing(ONE))})
SAYS = {"text": TEXT, "id": TEXT, "fixed": VALUE, "open": st.dictionaries(st.sampled_from(("text", "x")), VALUE)}
OBJECTS = st.fixed_dictionaries({}, optional=SAYS)
TREES = st.fixed_dictionaries({}, optional={**SAYS, "items": st.lists(OBJECTS, max_size=3), "form": OBJECTS})


@given(TREES, SPACE, st.booleans())
def test_however_it_is_written(tree: dict[str, Any], space: str, ascii: bool) -> None:
    line = written(tree, space, ascii=ascii)
    plain = all(len(one.get("id", "")) <= 128 for one in (tree, tree.get("form", {}), *tree.get("items", ())))
    assert agrees(TREE, Reader(TREE).read, space.encode() + line + space.encode()) is plain


READ = shapes.thing(
    {
        "word": shapes.WORD,
        "text": shapes.TEXT,
        "base64": shapes.BASE64,
        "flag": shapes.FLAG,
        "number": shapes.NUMBER,
        "figure": shapes.FIGURE,
        "any": shapes.ANY,
        "strings": shapes.members("a", strings=True),
        "plus": shapes.PLUS,
        "minus": shapes.MINUS,
        "spelt": shapes.SPELT,
        "some": shapes.SOME,
        "there": shapes.THERE,
        "zero": shapes.ZERO,
        "digits": shapes.DIGITS,
    }
)


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ('{"word":"user"}', '{"word":"user"}'),
        ('{"word":null}', '{"word":null}'),
        ('{"text":""}', '{"text":""}'),
        (r'{"text":"\ud83d\ude80\u0000\/"}', '{"text":0}'),
        ('{"base64":"YWI="}', '{"base64":0}'),
        ('{"flag":true,"number":0}', '{"flag":true,"number":0}'),
        ('{"figure":-1.5e-7}', '{"figure":1}'),
        ('{"any":[{"a":[]}]}', '{"any":1}'),
        ('{"strings":{"b":"x","a":"y"}}', '{"strings":{"":1,"a":1}}'),
        ('{"plus":3,"minus":3}', '{"plus":1,"minus":1,"=":true}'),
        ('{"plus":3,"minus":2}', '{"plus":1,"minus":1,"=":false}'),
        (r'{"spelt":"audio\/pcm"}', r'{"spelt":"audio\/pcm"}'),
        ('{"spelt":""}', '{"spelt":""}'),
        ('{"some":"a"}', '{"some":1}'),
        ('{"some":""}', '{"some":""}'),
        ('{"some":"data:"}', '{"some":2}'),
        (r'{"some":"d\u0061ta:image\/png"}', '{"some":2}'),
        ('{"some":"data"}', '{"some":1}'),
        ('{"there":"data:"}', '{"there":1}'),
        ('{"there":""}', '{"there":""}'),
        ('{"some":"AA-_AA"}', '{"some":1}'),
        ('{"zero":0}', '{"zero":0}'),
        ('{"zero":10}', '{"zero":1}'),
        ('{"digits":-1.5e-7}', '{"digits":0}'),
        # What somebody slower has to read.
        ('{"other":1}', None),
        ('{"word":"a","word":"b"}', None),
        (r'{"w\u006frd":"a"}', None),
        (r'{"word":"\u0061"}', None),
        (f'{{"word":"{"x" * 129}"}}', None),
        (r'{"text":"\ud83d"}', None),
        (r'{"text":"\ude80\ud83d"}', None),
        (r'{"text":"\x"}', None),
        (r'{"text":"\u12"}', None),
        ('{"text":"a\nb"}', None),
        ('{"text":"a', None),
        ('{"text":5}', None),
        ('{"base64":"YWI"}', None),
        ('{"base64":"YW-_"}', None),
        ('{"base64":"===="}', None),
        ('{"flag":1}', None),
        ('{"flag":truer}', None),
        ('{"number":1.0}', None),
        ('{"number":01}', None),
        ('{"number":-1}', None),
        ('{"number":9999999999999999}', None),
        (r'{"spelt":"\ud83d"}', None),
        (f'{{"spelt":"{"x" * 129}"}}', None),
        ('{"some":1}', None),
        (r'{"some":"\ud83d"}', None),
        (r'{"there":"\ud83d"}', None),
        ('{"some":"a\nb"}', None),
        ('{"zero":-1}', None),
        ('{"zero":0.5}', None),
        ('{"zero":"1"}', None),
        ('{"digits":"1"}', None),
        ('{"digits":1e999}', None),
        ('{"digits":true}', None),
        ('{"figure":1e999}', None),
        ('{"figure":.5}', None),
        ('{"figure":NaN}', None),
        ('{"strings":{"a":1}}', None),
        (f'{{"any":{"[" * 200}{"]" * 200}}}', None),
        ('{"any":[1,]}', None),
        ('{"any":{"a":1,}}', None),
        ('{"any":1} x', None),
        ('{"any":1}{}', None),
        ("[]", None),
        ("", None),
    ],
)
def test_one_by_one(line: str, shape: str | None) -> None:
    got = Reader(READ).read(line.encode())
    assert (got and got[0].decode()) == shape


@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"])
@pytest.mark.parametrize("row", ["text", "any", "word", "some", "spelt"])
def test_what_is_no_utf8_is_not_read(row: str, broken: bytes) -> None:
    assert Reader(READ).read(b'{"%b":"some text before it %b and after"}' % (row.encode(), broken)) is None


STREAM = shapes.events(shapes.thing({"a": shapes.TEXT, "id": shapes.ID}))


@pytest.mark.parametrize(
    ("text", "stream", "events"),
    [
        ('{"a":"x"}', False, 1),
        ('{"a":"x\\n\\u00e9"} ', False, 1),
        ('data: {"a":"x"}\n\n', True, 1),
        ('data: {"a":"x"}\r\n\r\ndata: {"a":"é","id":"x"}\r\n\r\ndata: {}\r\n\r\n', True, 3),
        ('data: {"a":"x"}', True, 0),
        ('data: {"a":"x"}\n', True, 0),
        ('data: {"a":"x"}\n\n\n', True, 0),
        ('data: {"a":"x"}\n\ndata: {"a":"y"}\r\n\r\n', True, 0),
        ('data: {"a":\n"x"}\n\n', True, 0),
        ('data: {"a":\r"x"}\n\n', True, 0),
        ('data: {"a":"x"}\r\r', True, 0),
        ('data: {"b":"x"}\n\n', True, 0),
        ('data:{"a":"x"}\n\n', True, 0),
        ('{"a":"x"}\n\n{}', False, 0),
        ("\n\n", True, 0),
        ("", True, 0),
    ],
)
def test_events_are_read_in_their_text(text: str, stream: bool, events: int) -> None:
    got = Reader(STREAM).read(written(text))
    assert (got is not None) is (events > 0)
    if got is not None:
        assert json.loads(got[0]) == [0, stream]
        assert len(got[1][0]) == events
        assert are_events(STREAM, [0, stream], text, got[1])


def agree(one: Any, other: Any, numbers: dict[bytes, int]) -> None:
    """The same is said, in forms of which each has its number."""
    if isinstance(one, list):
        for mine, theirs in zip(one, other, strict=True):
            agree(mine, theirs, numbers)
    elif isinstance(one, tuple):
        assert numbers.setdefault(one[0], other[0]) == other[0]
        agree([*one[1]], [*other[1]], numbers)
    else:
        assert one == other


def test_a_key_tells_what_shape_and_fixed_bytes_tell() -> None:
    rng, keys, stamps, numbers = Random(3), dict[Any, int](), dict[bytes, int](), dict[bytes, int]()
    logs = list(islice(lines("small", 0.001), 150))
    for line in (*logs, *(mutilated(rng.choice(logs), rng, 1 << 20) for _ in range(4000))):
        got, keyed = shapes.exchange.read(line), shapes.exchange.recognise(line)
        assert (got is None) is (keyed is None)
        if got is not None and keyed is not None:
            assert got[2:] == keyed[2:]
            assert len(got[1]) == len(keyed[1])
            for one, other in zip(got[1], keyed[1], strict=True):
                agree(one, other, numbers)
            asked = usual.exchange(line).request
            tools, *fixed = usual.fixed(asked.body).written() if bytes(asked.body).startswith(b"{") else (b"",)
            told = got[0], asked.url, tuple(fixed)
            assert keys.setdefault(told, keyed[0]) == keyed[0]
            if tools:
                stamp = got[1][json.loads(got[0])["request"]["body"]["tools"]]
                assert stamps.setdefault(tools, stamp) == stamp
    assert len(set(keys.values())) == len(keys) > 60
    assert len(set(numbers.values())) == len(numbers) > 60
    assert len(set(stamps.values())) == len(stamps) > 30


def test_what_is_long_and_fixed_is_known_again_and_nothing_else_is() -> None:
    rng, reader, keys = Random(0), Reader(shapes.thing({"a": shapes.FIXED, "b": shapes.TEXT})), dict[bytes, int]()
    long = [{"name": f"find {n}", "text": "x" * rng.randrange(300)} for n in range(12)]
    fixed = [written(rng.sample(long, rng.randint(1, 5)), " " * rng.randint(0, 1)) for _ in range(400)]
    fixed += [one[:-1] + b',"' + b"y" * 400_000 + b'"]' for one in fixed[:9]]
    for one in rng.choices(fixed, k=4000):
        at = rng.randrange(len(one))
        for text in (one, one[:at] + b"z" + one[at + 1 :]):
            for rest in (b"", b',"b":"%b"' % (b"w" * 600)):
                got = reader.recognise(b'{"a":%b%b}' % (text, rest))
                assert (got is None) is (Reader(shapes.FIXED).read(text) is None)
                if got is not None:
                    assert keys.setdefault(text + rest, got[0]) == got[0]
    assert len(set(keys.values())) == len(keys) > 3000


def test_what_is_quiet_has_no_values() -> None:
    row = shapes.thing({"a": shapes.quiet(shapes.several(shapes.ID)), "b": shapes.ID})
    assert Reader(row).read(b'{"a":["x","y","x"],"b":"x"}') == (b'{"a":[0,1,0],"b":0}', ("x",), [], 0)


def test_ids_that_are_the_same_have_one_place() -> None:
    several = shapes.several(shapes.ID)
    assert Reader(several).read(rb'["a","b","\u0061","","b"]') == (b'[0,1,0,"",1]', ("a", "b"), [], 0)
    forms = shapes.several(shapes.form(several))
    assert Reader(forms).read(b'[["a","a"],["a"]]') == (b"[[0],[1]]", ((b"[0,0]", ("a",)), (b"[0]", ("a",))), [], 0)


def test_what_was_heard_is_left_out() -> None:
    read = Reader(shapes.thing({"n": shapes.NUMBER, "contents": shapes.form(shapes.CONTENTS)})).read
    kept = [b'{"parts":[]}', b'{"role":"user" , "parts":[]}']
    line = b'{"n":1,"contents": [ %b, %b ] }' % (*kept,)
    whole = read(line)
    assert whole is not None
    assert whole[2:] == (kept, line.index(b" ] }"))
    start = line.index(kept[0])
    rest = read(line, 0, start, len(kept[0]))
    assert rest is not None
    assert rest[2:] == (kept[1:], whole[3])
    assert read(line, 0, start, whole[3] - start)[2:] == ([], 0)  # type: ignore[index]
    assert read(line, 0, start - 1, len(kept[0])) is None  # they stand elsewhere
    assert read(line, 0, start, len(kept[0]) - 1) is None  # nor do they end there


@pytest.mark.parametrize("arguments", [("text",), (b"", -1), (b"", 1), (b"ab", 0, 1, 2), (b"", "x"), ()])
def test_who_asks_wrongly_is_told(arguments: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Reader(shapes.TEXT).read(*arguments)


def test_a_string_ends_where_it_ends() -> None:
    for length in range(70):
        for odd, shape in {b"": b'{"some":1}', b'\\"': b'{"some":1}', b"\x1f": None, b"\xff": None, b'"': None}.items():
            line = b'{"some":"x%b%b%b"}' % (b"y" * length, odd, b"z" * (69 - length))
            got = Reader(READ).read(line)
            assert (got and got[0]) == shape


def test_lines_are_read_as_each_is_alone() -> None:
    rng = Random(0)
    logs = [line for name in ("live", "live.records") for line in lines(name, 0.0006) if not UNREAD.search(line)]
    for _ in range(300):
        some = [line for line in rng.choices(logs, k=9) for _ in range(rng.choice((1, 1, 3)))]
        if rng.random() < 0.8:
            at = rng.randrange(len(some))
            some[at] = mutilated(some[at], rng, 160)
        begin, prefix = rng.randrange(len(some)), rng.choice((b"{", some[0][:8]))
        expected: list[shapes.Group] = []
        for at, line in enumerate(some[begin:], begin):
            if not line.startswith(prefix) or (got := shapes.frame(line)) is None:
                break
            if expected and expected[-1][0] == got[0]:
                expected.pop()
            expected.append((got[0], got[1], at + 1))
        assert shapes.frames(some, begin, prefix) == shapes.frames(tuple(some), begin, prefix) == expected


def test_lines_with_more_than_there_is_room_for_at_first() -> None:
    row = shapes.several(shapes.TEXT)
    some = [written(["x"] * n) for n in (1, 40, 40, 2000, 3, 2000, 2000, 0)]
    groups = Reader(row).read_lines(some, 0, b"[")
    assert [(len(values), end) for _, values, end in groups] == [(1, 1), (40, 3), (2000, 4), (3, 5), (2000, 7), (0, 8)]
    assert all(values == ("x",) * len(values) for _, values, _ in groups)


@pytest.mark.parametrize("begin", [0, 1, 2, 9])
@pytest.mark.parametrize("some", [[], [b""], [None, b"{}"], [b"[]", b"{}"]])
def test_where_there_is_no_line_nothing_is_read(begin: int, some: list[Any]) -> None:
    one = some[begin : begin + 1] == [b"{}"]
    assert Reader(READ).read_lines(some, begin, b"{") == ([(b"{}", (), begin + 1)] if one else [])


@pytest.mark.parametrize("arguments", [(), ([], 0), ([], -1, b""), ([], 0, "{"), (None, 0, b""), ([], "x", b"")])
def test_who_asks_wrongly_for_lines_is_told(arguments: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Reader(READ).read_lines(*arguments)


@pytest.mark.parametrize("row", [("nothing",), ("object", {str(n): shapes.TEXT for n in range(33)}, False), "text", ()])
def test_a_table_that_makes_no_sense_is_told(row: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Reader(row)


def test_a_signature_is_as_it_was_written() -> None:
    signature = base64.b64encode(bytes(range(256)))
    got = shapes.content.read(b'{"parts":[{"text":"a","thoughtSignature":"%b"}]}' % signature)
    assert got is not None
    assert got[1] == ("a", signature)
