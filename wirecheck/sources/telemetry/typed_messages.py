"""Messages with typed parts, by the conventions of OpenTelemetry, decoded strictly; and what is known of a message,
however it is told."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from wirecheck.hashing import digest, text_digest
from wirecheck.sources.agents.gathered import Steps
from wirecheck.sources.telemetry.attributes import ABSENT
from wirecheck.sources.telemetry.console_objects import CUT
from wirecheck.wire.records import Body, Site

ROLES = {
    **dict.fromkeys(("assistant", "model", "ai", "choice"), "model"),
    **dict.fromkeys(("system", "developer"), "system"),
}
SIGNS = {"[": '"type"', "{": '"parts"'}  # what is in a text that holds blocks or a content, by how it begins
ELIDED = ("<elided>", "__REDACTED__", CUT, "")  # stand for a content that was not captured
# Where the server gave no id, Google's instrumentation makes one of the name and the number of the part.
NUMBERED = re.compile(r"(.{1,200})_[0-9]{1,4}", re.DOTALL)


class ToldMessage(Struct, frozen=True):
    """One content. `calls` are what its calls are known by when they are recited: their ids, or name and arguments;
    `answers` the same of the calls that it answers by their ids. `names` are those of the functions that it calls."""

    role: str
    body: Body
    calls: tuple[int, ...]
    answers: tuple[int, ...]
    names: tuple[str, ...]


class ReadMessage(Struct):
    """What is in a message that was decoded strictly. `places` are where its parts lie in it, at a site."""

    role: str
    written: bytes  # its parts
    parts: int
    places: Callable[[Site], Mapping[Steps, str]]
    responses: int = 0
    calls: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class CalledNames:
    """The names of the calls so far: responses are told by id alone."""

    def __init__(self) -> None:
        self._by_id: dict[str, str] = {}
        self._without = set[str]()  # names of calls that have no ids, or such as were made up

    def called(self, id: str, name: str) -> str:
        """The id of a call; "" where it is made up."""
        if not id or ((made := NUMBERED.fullmatch(id)) is not None and made[1] == name):
            self._without.add(name)
            return ""
        self._by_id[id] = name
        return id

    def responded(self, id: str, name: str) -> tuple[str, str]:
        """The id and the name of a response."""
        if not id or id in self._by_id:
            return id, name or self._by_id.get(id, "")
        made = NUMBERED.fullmatch(id)
        return ("", made[1]) if made is not None and made[1] in self._without else (id, name)


def known_by(id: str, name: str, args: bytes) -> int:
    """What a call is known by when it is recited."""
    return text_digest(id) if id else text_digest(f"{name}\0") ^ digest(b"".join(args.split()))


class TypedPart(Struct):
    """A part by the conventions of OpenTelemetry, as most are."""

    type: str
    content: str = ""
    id: str = ""
    name: str = ""
    arguments: dict[str, Raw] | None = None
    response: Raw = ABSENT
    result: Raw = ABSENT
    builtin: bool = False  # executed by the server


class TypedMessage(Struct):
    role: str
    parts: list[TypedPart]


_typed = msgspec.json.Decoder(TypedMessage).decode
_encode = msgspec.json.encode
USUAL = frozenset(("text", "tool_call", "tool_call_response"))
MEMBERS = {
    "tool_call": (("id", "id"), ("name", "name"), ("args", "arguments")),
    "tool_call_response": (("id", "id"), ("name", "id")),  # whose name is told by the call of this id
}


def typed_message(raw: bytes, names: CalledNames) -> ReadMessage | None:
    """The message. Raises DecodeError where it is in another form; None where it is not like most."""
    message = _typed(raw)
    kinds = tuple([part.type for part in message.parts if part.type != "text" or part.content not in ELIDED])
    if len(kinds) != len(message.parts) or not kinds or not USUAL.issuperset(kinds):
        return None
    calls, written = list[int](), list[bytes]()
    for part in message.parts:
        if part.builtin or (part.type != "text" and bool(part.name) is not (part.type == "tool_call")):
            return None
        written.append(_written(part, names, calls))
    responses = kinds.count("tool_call_response")
    answered = [part.id for part in message.parts if part.id and part.type != "tool_call"] if responses else ()
    return ReadMessage(
        role=message.role,
        written=b"[%b]" % b",".join(written),
        parts=len(written),
        responses=responses,
        calls=tuple(calls),
        answers=tuple([text_digest(id) for id in answered]),
        names=tuple([part.name for part in message.parts if part.name]) if calls else (),
        places=lambda _: _places(kinds),
    )


def _written(part: TypedPart, names: CalledNames, calls: list[int]) -> bytes:
    if part.type == "text":
        return b'{"text":%b}' % _encode(part.content)
    if part.type == "tool_call":
        id, args = names.called(part.id, part.name), b""
        if part.arguments is not None:
            args = b"{%b}" % b",".join(map(_member, part.arguments.items()))
        calls.append(known_by(id, part.name, args))
        known = b'"id":%b,' % _encode(id) if id else b""
        given = b',"args":%b' % args if args else b""
        return b'{"functionCall":{%b"name":%b%b}}' % (known, _encode(part.name), given)
    id, name = names.responded(part.id, part.name)
    halves = [b'"%b":%b,' % (key, _encode(each)) for key, each in ((b"id", id), (b"name", name)) if each]
    output = part.response if part.result is ABSENT else part.result
    return b'{"functionResponse":{%b"response":{"output":%b}}}' % (b"".join(halves), bytes(output))


def _member(item: tuple[str, Raw]) -> bytes:
    return b"%b:%b" % (_encode(item[0]), bytes(item[1]))


@lru_cache(maxsize=1024)
def _places(kinds: tuple[str, ...]) -> Mapping[Steps, str]:
    """Where the parts of a message lie in it."""
    places = dict[Steps, str]()
    for n, kind in enumerate(kinds):
        at, held = f"/parts/{n}", "functionCall" if kind == "tool_call" else "functionResponse"
        places["parts", n] = f"{at}/content" if kind == "text" else at
        if kind != "text":
            places |= {("parts", n, held, key): f"{at}/{own}/" for key, own in MEMBERS[kind]}
    return places
