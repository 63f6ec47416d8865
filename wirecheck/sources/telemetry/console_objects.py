"""Objects as console.dir of Node prints them, made into JSON. Read token by token: nothing is evaluated.

A text is broken at ends of lines and joined with `+`. Of one of more than 10,000 characters the rest is missing, and
what lies deep is left out: `cut` is what that leaves in its place.
"""

import re
from collections.abc import Iterator

import msgspec

CUT = "[cut by console.dir]"
TOKEN = re.compile(
    r"""
    (?P<class>(?:\[[A-Z]\w{0,99}:\ null\ prototype\]|[A-Za-z_$][\w$]{0,99}(?:\([0-9]{1,9}\))?)\ (?=[{\[]))
    |(?P<text>'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|`(?:[^`\\]|\\.)*+`)
    |(?P<rest>\.\.\.\ [0-9]{1,12}\ more\ (?:characters?|items?))
    |(?P<left>\[(?:Object|Array|Getter|Function|Circular|Symbol|class)[^\]\n]{0,200}\])
    |(?P<sign>[{}\[\]:,+])
    |(?P<word>[^\s'"`{}\[\]:,+]{1,400})
    """,
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
WORDS = {"true": "true", "false": "false"}
NUMBER = re.compile(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:e[+-]?[0-9]{1,3})?")


def json_of(printed: bytes) -> bytes:
    """The JSON of a printed object. What is none comes out as no JSON."""
    return "".join(_pieces(printed.decode(errors="surrogateescape"))).encode(errors="replace")


def _pieces(printed: str) -> Iterator[str]:
    held: list[str] | None = None  # a text, of which more may follow
    joins = False
    for token in TOKEN.finditer(printed):
        kind, said = token.lastgroup, token[0]
        if kind == "class":  # of the object that follows
            continue
        if kind == "text":
            if held is not None and joins:
                held.append(_text(said))
                joins = False
                continue
            if held is not None:
                yield _json(held)
            held = [_text(said)]
        elif kind == "rest":
            if held is None:
                yield _json([CUT])
            else:
                held = [CUT]
        elif said == "+":
            joins = True
        else:
            if held is not None:
                yield _json(held)
                held = None
            yield said if kind == "sign" else _json([CUT]) if kind == "left" else _word(said, printed, token.end())
    if held is not None:
        yield _json(held)


def _json(text: list[str]) -> str:
    return msgspec.json.encode("".join(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")).decode()


def _text(quoted: str) -> str:
    return ESCAPE.sub(_escaped, quoted[1:-1]) if "\\" in quoted else quoted[1:-1]


def _escaped(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    if digits is None:
        return LETTERS.get(escape[4], escape[4])
    return chr(min(int(digits, 16), 0x10FFFF))


def _word(said: str, printed: str, end: int) -> str:
    """A key, or a value that is no text."""
    if printed[end : end + 1] == ":":
        return _json([said])
    return WORDS.get(said) or (said if NUMBER.fullmatch(said) else "null")
