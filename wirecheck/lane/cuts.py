"""A line cut into what stands around its contents, the contents that were not heard, and the reply.

What stands around the contents is the same in most lines of a client, byte for byte. So it is remembered by its bytes,
and a line that has it is cut where it begins and ends: only the contents and the reply are parsed. The pieces fit
together as they did where it was seen first; if each is valid in its place, so is the line.
"""

from collections.abc import Sequence

from msgspec import Struct

from wirecheck.lane import usual
from wirecheck.lane.around import Around, Surroundings
from wirecheck.lane.usual import Body, Closed, Exchange, Frame, Odd, Replied, Response
from wirecheck.wire.utf8 import utf8

HEARD = b"0"  # stands where a history was that is known
CONTENTS, REPLY = b'"contents":', b'"response":'
FEW = 4096  # different things that stand around contents
ROOM = 1 << 21  # bytes around contents that are remembered
FUNCTION = 512  # so many bytes more is one that is declared there
ALIKE = 4  # of those, such as begin alike
SIGHT = 24  # bytes that are looked for
OK = 200
LONG = 1 << 17  # a line longer than this, its history left out, takes the long way
BULKY = 4096  # bytes around contents that are worth being found without parsing


class Setting(Struct, frozen=True, eq=False):
    """The bytes from the end of the contents to the reply."""

    around: Around
    after: bytes


class Cut(Struct, eq=False):
    """A line in pieces, and where its contents end."""

    around: Around
    contents: bytes  # a list of those that were not heard
    reply: bytes | tuple[bytes, ...]  # or its chunks, one by one
    end: int
    lines: int = 1  # that the exchange takes up
    channel: str = ""
    inner: bool = False  # the request is a text within the line


class Cutter:
    """Cuts the lines of one file."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._settings: dict[bytes, list[Setting]] = {}
        self._size = 0  # of these
        self._seen: set[int] = set()

    def begin(self) -> None:
        self._settings.clear()
        self._size = 0

    def cut(self, line: bytes, start: int, past: int) -> Cut:
        """The line without the `past` bytes of its contents that were heard. Raises Odd, or what parsing raises."""
        for setting in self._settings.get(line[:start], ()) if self._settings else ():
            if (cut := _cut(line, start, past, setting)) is not None:
                return cut
        short = _short(line, start, past)
        exchange = usual.exchange(short)
        request, response, body = exchange.request, exchange.response, exchange.request.body
        if isinstance(body, str):
            raise Odd
        contents, end = _new(short, start, past, body)
        cut = Cut(self._surroundings.of(request, body), contents, _reply(response), end)
        if cut.around.size > BULKY:
            self._remember(line, start, past, cut)
        return cut

    def cut_kept(self, lines: Sequence[bytes], begin: int, start: int, past: int) -> Cut:
        """The same of an exchange in our own log, whose lines follow one another."""
        short = _short(lines[begin], start, past)
        opened = usual.opened(short)
        replied = usual.answered(utf8(lines[begin + 1]))
        if type(replied) is not Replied or replied.status != OK or replied.channel != opened.channel:
            raise Odd
        chunks: list[bytes] = []
        for n in range(begin + 2, len(lines)):
            heard = usual.answered(utf8(lines[n]))
            if heard.channel != opened.channel or not isinstance(heard, Frame | Closed):
                raise Odd
            if isinstance(heard, Closed):
                contents, end = _new(short, start, past, opened.body)
                around = self._surroundings.of(opened, opened.body)
                return Cut(around, contents, tuple(chunks), end, n + 1 - begin, heard.channel)
            chunks.append(usual.own(heard.data))
        raise Odd

    def cut_text(self, exchange: Exchange, text: bytes, start: int, past: int) -> Cut:
        """The same of an exchange whose request is this text."""
        short = _short(text, start, past)
        body = usual.body(short)
        contents, end = _new(short, start, past, body)
        around = self._surroundings.of(exchange.request, body)
        return Cut(around, contents, _reply(exchange.response), end, inner=True)

    def _remember(self, line: bytes, start: int, past: int, cut: Cut) -> None:
        """What stands around contents is worth remembering when it is seen again."""
        if len(self._seen) > FEW or self._size > ROOM:
            self._seen.clear()
            self._settings.clear()
            self._size = 0
        if cut.around.digest not in self._seen:
            self._seen.add(cut.around.digest)
            return
        if (at := line.find(REPLY, cut.end)) < 0:
            return
        setting = Setting(cut.around, line[cut.end : at + len(REPLY)])
        if CONTENTS in setting.after:  # those that were found may be others
            return
        if _cut(line, start, past, setting) is not None:
            alike = self._settings.setdefault(line[:start], [])
            alike[:] = [setting, *alike[: ALIKE - 1]]
            self._size += start + len(setting.after) + FUNCTION * len(cut.around.toolbox.declared)


def beginning(line: bytes) -> int:
    """Where the first content of a history stands. Within a text the quotes of the key would be escaped."""
    at = line.find(CONTENTS) + len(CONTENTS)
    while line.startswith(b" ", at):
        at += 1
    return at + 1 if line.startswith(b"[", at) and at >= len(CONTENTS) else -1


def _cut(line: bytes, start: int, past: int, setting: Setting) -> Cut | None:
    """The line, if this stands in it around the contents."""
    begin, after = start + past, setting.after
    end = line.find(after[:SIGHT], begin)
    if end < 0 or len(line) - begin > LONG or not line.startswith(after, end):
        return None
    rest = line[end + len(after) :].rstrip()
    if rest[-1:] != b"}" or (past and line[begin : begin + 1] != b","):
        return None
    contents = b"[%b]" % line[begin + (past > 0) : end]
    try:
        return Cut(setting.around, utf8(contents), _reply(usual.response(utf8(rest[:-1]))), end)
    except usual.UNUSUAL:
        return None


def _short(line: bytes, start: int, past: int) -> bytes:
    """The line without the history that was heard."""
    short = line if not past else line[:start] + HEARD + line[start + past :]
    if len(short) > LONG:
        raise Odd
    return utf8(short)


def _reply(response: Response) -> bytes:
    if response.status != OK:
        raise Odd
    return usual.own(response.body)


def _new(short: bytes, start: int, past: int, body: Body) -> tuple[bytes, int]:
    """The contents that were not heard, and where they end in the line. They must be those that were looked for."""
    contents, begin = usual.own(body.contents), start - 1
    end = begin + len(contents) - 1
    if not short.startswith(contents, begin):
        raise Odd
    while short[end - 1 : end].isspace():
        end -= 1
    if not past:
        return contents, end
    comma = len(HEARD) + 1
    if contents[comma : comma + 1] != b",":
        raise Odd
    return b"[" + contents[comma + 1 :], end + past - len(HEARD)
