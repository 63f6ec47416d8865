"""A line cut into what stands around its contents, the contents that were not heard, and the reply.

What stands around the contents is told by the key of a line: that of its shape and of all that is fixed in it.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from wirecheck.dialects.application import MARK
from wirecheck.lane import blank, native, shapes, usual
from wirecheck.lane.around import Around, Entries, Layout, Setting, Surroundings
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.native import Reader
from wirecheck.lane.replies import Replies, Said
from wirecheck.lane.shapes import Form, Values
from wirecheck.lane.usual import Odd
from wirecheck.talk.toolbox import Toolbox

EXCHANGE, CONTENTS = b'{"request":', b'"contents":'  # how a line of an exchange begins, and its history
LONG, MANIFOLD = 1 << 23, 1 << 17  # a line longer than this takes the long way; one that holds texts of JSON sooner
FEW = 4096  # shapes of lines in our own log
ROOM, EACH = 1 << 21, 256  # bytes of what is known by keys; so many more is each
MANY = 1 << 14  # tools, and what they stand in with other things
LONG_URL = 2048


class Line(Struct, frozen=True, eq=False):
    """What a key tells: what stands around the contents, and where among the values there are: the contents, a stamp of
    the tools, the reply and the name of the channel.

    Where the request is a text, that has its place, and a key of its own; without that it is odd.
    """

    setting: Setting | None = None
    contents: int = 0
    tools: int | None = None
    reply: int = 0
    stream: bool | None = None  # None: the reply is no text
    channel: blank.Place = ""
    text: int | None = None
    url: str = ""

    def chunks(self, values: Values) -> Sequence[Form]:
        """Of the reply."""
        said: Any = values[self.reply]
        return [said] if self.stream is None else said


ODD = Line()


class Inner(Struct, eq=False):
    """The line of a request that is a text."""

    key: int
    line: Line
    values: Values
    text: bytes
    again: "Again"


class Again(Struct, frozen=True, eq=False):
    """A line that was recognised, to be read for the shapes in it, where these are new."""

    reader: Reader
    data: bytes
    start: int
    past: int

    def chunks(self, line: Line) -> Sequence[Form]:
        return line.chunks(self._values())

    def _values(self) -> Values:
        read = self.reader.read(self.data, 0, self.start, self.past)
        assert read is not None
        return read[1]


class Cut(Struct, eq=False):
    """A line in pieces. Its contents begin and end at `start` and `end`."""

    around: Around
    toolbox: Toolbox
    contents: Sequence[Form]  # those that were not heard
    slices: Sequence[bytes]  # the same as they are written
    said: Said
    line: bytes
    start: int
    end: int
    lines: int = 1  # that the exchange takes up
    channel: str = ""
    inner: bool = False  # the request is a text within the line
    text: bool = False  # the reply is


class Cutter:
    """Cuts the lines of one file."""

    def __init__(self, surroundings: Surroundings, replies: Replies) -> None:
        self._surroundings, self._replies = surroundings, replies
        self.lines: Learnt[int, Line] = Learnt(ROOM)
        self.arounds: Learnt[int, Around] = Learnt(MANY)  # by the stamp of the tools, too
        self._tools: Learnt[int, tuple[int, Entries | None]] = Learnt(MANY)  # by their stamp: their digest
        self.answers: Learnt[int, Any] = Learnt(FEW)

    def cut(self, line: bytes, start: int, past: int) -> Cut | Inner:
        """The line without the `past` bytes of its contents that were heard. Raises Odd, or what parsing raises."""
        key, values, slices, end = _recognised(shapes.exchange, line, start, past, LONG)
        if (known := self.lines.get(key)) is None:
            known = self._learn(key, "exchange", line, start, past)
        if known.setting is None:
            return _inner(key, known, values, Again(shapes.exchange, line, start, past))
        around, toolbox = self._around(key, known, values, line)
        again = Again(shapes.exchange, line, start, past)
        said, text = self._said(known, values, again), known.stream is not None
        contents = values[known.contents][1]
        return Cut(around, toolbox, contents, slices, said, line, start, end, 1, "", False, text)

    def cut_text(self, outer: Inner, start: int, past: int) -> Cut:
        """The same of an exchange whose request is a text."""
        own, values, slices, end = _recognised(shapes.body, text := outer.text, start, past)
        if (known := self.lines.get(key := native.number((outer.key, own)))) is None:
            known = self._learn(key, "text", text, start, past, outer.line.url)
        around, toolbox = self._around(key, known, values, text)
        said, replied = self._said(outer.line, outer.values, outer.again), outer.line.stream is not None
        contents = values[known.contents][1]
        return Cut(around, toolbox, contents, slices, said, text, start, end, inner=True, text=replied)

    def cut_kept(self, lines: Sequence[bytes], begin: int, start: int, past: int) -> Cut:
        """The same of an exchange in our own log, whose lines follow one another."""
        key, values, slices, end = _recognised(shapes.opened, line := lines[begin], start, past)
        if (known := self.lines.get(key)) is None:
            known = self._learn(key, "opened", line, start, past)
        around, toolbox = self._around(key, known, values, line)
        channel, chunks, own = blank.value(known.channel, values), list[Form](), list[tuple[bytes, int]]()
        for n in range(begin + 1, len(lines)):
            one, heard = self._answer(lines[n])
            if blank.value(one.channel, heard) != channel or (type(one) is blank.Replied) != (n == begin + 1):
                raise Odd
            if type(one) is blank.Closed:
                said, count = self._replies.said(chunks, partial(_chunks, own), events=False), n + 1 - begin
                contents = values[known.contents][1]
                return Cut(around, toolbox, contents, slices, said, line, start, end, count, channel)
            if type(one) is blank.Frame:
                chunks.append(heard[one.data[0]])
                own.append((lines[n], one.data[0]))
        raise Odd

    def _answer(self, line: bytes) -> tuple[blank.Replied | blank.Frame | blank.Closed, Values]:
        """A line of a reply, and what is said in it."""
        if len(line) > MANIFOLD or (got := shapes.answered.recognise(line)) is None:
            raise Odd
        if (known := self.answers.get(got[0])) is None:
            known = self.answers.add(got[0], blank.answered(shapes.shape(shapes.answered, line)))
        return known, got[1]

    def _said(self, known: Line, values: Values, again: "Again") -> Said:
        return self._replies.said(known.chunks(values), partial(again.chunks, known), events=known.stream is True)

    def _around(self, key: int, known: Line, values: Values, data: bytes) -> tuple[Around, Toolbox]:
        stamp = 0 if known.tools is None else values[known.tools]
        return self.surrounded(native.number((key, stamp)), known, stamp, data)

    def surrounded(self, key: int, known: Line, stamp: int, data: bytes) -> tuple[Around, Toolbox]:
        """What stands around the contents, by the key of the line and the stamp of its tools. Raises Odd."""
        if known.setting is None:
            raise Odd
        one = self.arounds.get(key)
        if one is not None and (toolbox := self._surroundings.toolbox(one.tools)) is not None:
            return one, toolbox
        tools, toolbox = self._tools_of(stamp, known.setting.lead.layout, data)
        return self.arounds.add(key, known.setting.around(*tools)), toolbox

    def _tools_of(self, stamp: int, layout: Layout, data: bytes) -> tuple[tuple[int, Entries | None], Toolbox]:
        """The tools of this stamp."""
        known = self._tools.get(stamp)
        if known is not None and (toolbox := self._surroundings.toolbox(known[0])) is not None:
            return known, toolbox
        written = usual.fixed(BODIES[layout](data)).written()[0] if stamp else b""
        toolbox, entries = self._surroundings.tools(written)
        return self._tools.add(stamp, (toolbox.digest, entries), 1 + len(toolbox.declared)), toolbox

    def _learn(self, key: int, layout: Layout, data: bytes, start: int, past: int, url: str = "") -> Line:
        """What is told by a key that is new."""
        try:
            line = self._line(layout, data, start, past, url)
        except usual.UNUSUAL:
            line = ODD
        return self.lines.add(key, line, EACH + len(line.url))

    def _line(self, layout: Layout, data: bytes, start: int, past: int, url: str) -> Line:
        read = READERS[layout].read(data, 0, start, past)
        assert read is not None
        shape = read[0]
        if layout == "text":
            return self._set(layout, url, blank.body(shape), data)
        if layout == "opened":
            opened, written = blank.opened(shape), usual.request(data)
            line = self._set(layout, written.url, opened.body, written.body, opened.headers)
            return replace(line, channel=opened.channel)
        one, written = blank.exchange(shape), usual.exchange(data).request
        asked, (reply, *stream) = one.request, one.response.body
        if isinstance(asked.body, int):
            line = Line(text=asked.body, url=written.url)
        else:
            line = self._set(layout, written.url, asked.body, written.body, asked.headers)
        return replace(line, reply=reply, stream=stream[0] if stream else None)

    def _set(
        self, layout: Layout, url: str, body: blank.Body, written: bytes, headers: Collection[str] | None = None
    ) -> Line:
        """A line that holds a body. What is marked is of another kind."""
        if len(url) > LONG_URL or (headers and MARK[0] in headers):
            raise Odd
        configured = usual.fixed(written).written()[1:]
        setting = self._surroundings.setting(url, layout, body.system_instruction, configured)
        return Line(setting, body.contents[0], body.tools, url=url)


READERS = {"exchange": shapes.exchange, "text": shapes.body, "opened": shapes.opened}
BODIES: dict[Layout, Callable[[bytes], bytes | Raw]] = {
    "exchange": lambda line: usual.exchange(line).request.body,
    "text": lambda text: text,
    "opened": lambda line: usual.request(line).body,
}


def _recognised(reader: Reader, line: bytes, start: int, past: int, most: int = MANIFOLD) -> Any:
    if len(line) - past > most or (got := reader.recognise(line, 0, start, past)) is None:
        raise Odd
    return got


def _chunks(lines: Sequence[tuple[bytes, int]]) -> list[Form]:
    """Of a reply, whose lines have one each, among the values in this place."""
    return [read[1][place] for line, place in lines if (read := shapes.answered.read(line)) is not None]


def _inner(key: int, line: Line, values: Values, again: Again) -> Inner:
    if line.text is None:
        raise Odd
    return Inner(key, line, values, values[line.text], again)


def beginning(line: bytes) -> int:
    """Where the first content of a history stands. Within a text the quotes of the key would be escaped."""
    at = line.find(CONTENTS) + len(CONTENTS)
    while line.startswith(b" ", at):
        at += 1
    return at + 1 if line.startswith(b"[", at) and at >= len(CONTENTS) else -1
