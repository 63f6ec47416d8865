"""A line cut into what stands around its contents, the contents that were not heard, and the reply."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from wirecheck.dialects.application import MARK
from wirecheck.lane import blank, shapes
from wirecheck.lane.around import Around, Surroundings
from wirecheck.lane.blank import Body
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.replies import Replies, Said, events
from wirecheck.lane.shapes import Form, Read, Values
from wirecheck.lane.usual import Odd
from wirecheck.talk.toolbox import Toolbox

CONTENTS = b'"contents":'
LONG, MANIFOLD = 1 << 23, 1 << 17  # a line longer than this takes the long way; one that holds texts of JSON sooner
FEW = 4096  # shapes of lines
LONG_URL = 2048


class Cut(Struct, eq=False):
    """A line in pieces, and where its contents end."""

    around: Around
    toolbox: Toolbox
    contents: Form  # those that were not heard
    slices: Sequence[bytes]  # the same as they are written
    said: Said
    end: int
    lines: int = 1  # that the exchange takes up
    channel: str = ""
    inner: bool = False  # the request is a text within the line
    text: bool = False  # the reply is


class Cutter:
    """Cuts the lines of one file."""

    def __init__(self, surroundings: Surroundings, replies: Replies) -> None:
        self._surroundings, self._replies = surroundings, replies
        self._shapes: Learnt[bytes, Any] = Learnt(FEW)

    def cut(self, line: bytes, start: int, past: int) -> Cut:
        """The line without the `past` bytes of its contents that were heard. Raises Odd, or what parsing raises."""
        shape, values, slices, end = _read(shapes.exchange, line, start, past, LONG)
        one: blank.Exchange = self._known(shape, blank.exchange)
        if isinstance(body := one.request.body, int):
            raise Odd
        around, toolbox, contents = self._around("exchange", one.request, body, values, values)
        said, text = self._said(one.response, values), isinstance(one.response.body, int)
        return Cut(around, toolbox, contents, slices, said, end, text=text)

    def text(self, line: bytes) -> tuple[blank.Exchange, Values, bytes]:
        """A line whose request is a text, and that text."""
        shape, values, _, _ = _read(shapes.exchange, line)
        one: blank.Exchange = self._known(shape, blank.exchange)
        if not isinstance(one.request.body, int):
            raise Odd
        return one, values, values[one.request.body]

    def cut_text(self, one: blank.Exchange, outer: Values, text: bytes, start: int, past: int) -> Cut:
        """The same of an exchange whose request is this text."""
        shape, values, slices, end = _read(shapes.body, text, start, past)
        around, toolbox, contents = self._around("text", one.request, self._known(shape, blank.body), outer, values)
        said = self._said(one.response, outer)
        return Cut(around, toolbox, contents, slices, said, end, inner=True, text=isinstance(one.response.body, int))

    def cut_kept(self, lines: Sequence[bytes], begin: int, line: bytes, start: int, past: int) -> Cut:
        """The same of an exchange in our own log, whose lines follow one another."""
        shape, values, slices, end = _read(shapes.opened, line, start, past)
        opened: blank.Opened = self._known(shape, blank.opened)
        channel, chunks = blank.value(opened.channel, values), list[Form]()
        for n in range(begin + 1, len(lines)):
            shape, heard, _, _ = _read(shapes.answered, lines[n])
            one: blank.Replied | blank.Frame | blank.Closed = self._known(shape, blank.answered)
            if blank.value(one.channel, heard) != channel or (type(one) is blank.Replied) != (n == begin + 1):
                raise Odd
            if type(one) is blank.Closed:
                around, toolbox, contents = self._around("opened", opened, opened.body, values, values)
                said = self._replies.said(chunks, events=False)
                return Cut(around, toolbox, contents, slices, said, end, n + 1 - begin, channel)
            if type(one) is blank.Frame:
                chunks.append(heard[one.data[0]])
        raise Odd

    def _known(self, shape: bytes, decode: Any) -> Any:
        """The shape of a line, decoded."""
        if (known := self._shapes.get(shape)) is None:
            known = self._shapes.add(shape, decode(shape))
        return known

    def _around(
        self, layout: str, asked: blank.Request | blank.Opened, body: Body, outer: Values, values: Values
    ) -> tuple[Around, Toolbox, Form]:
        """What stands around the contents, and these. One that is marked is of another kind."""
        url = outer[asked.url]
        if len(url) > LONG_URL or (asked.headers and MARK[0] in asked.headers):
            raise Odd
        system = None if body.system_instruction is None else values[body.system_instruction[0]][0]
        tools = b"" if body.tools is None else values[body.tools]
        configured = tuple([b"" if place is None else values[place] for place in body.configured])
        around, toolbox = self._surroundings.of(url, layout, system, tools, configured)
        return around, toolbox, values[body.contents[0]]

    def _said(self, response: blank.Response, values: Values) -> Said:
        if isinstance(response.body, int):
            chunks, stream = events(values[response.body])
            return self._replies.said(chunks, events=stream)
        return self._replies.said([values[response.body[0]]], events=False)


def _read(read: Read, line: bytes, start: int = 0, past: int = 0, most: int = MANIFOLD) -> Any:
    if len(line) - past > most or (got := read(line, 0, start, past)) is None:
        raise Odd
    return got


def beginning(line: bytes) -> int:
    """Where the first content of a history stands. Within a text the quotes of the key would be escaped."""
    at = line.find(CONTENTS) + len(CONTENTS)
    while line.startswith(b" ", at):
        at += 1
    return at + 1 if line.startswith(b"[", at) and at >= len(CONTENTS) else -1
