"""Splits a stream of server-sent events: bytes in, as they arrive, and the data of each event out.

Accepts LF, CRLF and CR, several `data:` lines, comments, and the bare JSON error (without `data:`)
that Gemini servers add to a stream that breaks. Does not interpret the data.
"""

BOM = b"\xef\xbb\xbf"
DONE = b"[DONE]"  # what OpenAI-style servers send last


class EventSplitter:
    """Splits one stream. The events do not depend on where the bytes were cut."""

    def __init__(self) -> None:
        self._first = True
        self._after_cr = False
        self._rest: list[bytes] = []  # the beginning of the current line
        self._data: list[bytes] = []  # the lines of the current event
        self._bare = False  # whether these lines are bare JSON

    def feed(self, data: bytes) -> list[bytes]:
        """Returns the events that end in these bytes."""
        *ended, rest = self._unified(data).split(b"\n")
        events = []
        for line in ended:
            events += self._line(b"".join((*self._rest, line)))
            self._rest = []
        if rest:
            self._rest.append(rest)
        return events

    def end(self) -> list[bytes]:
        """Returns the event that the end of the stream cuts off, if any."""
        line, self._rest = b"".join(self._rest), []
        return (self._line(line) if line else []) + self._event()

    def _unified(self, data: bytes) -> bytes:
        """Normalises line ends to LF. A CR at the end of the bytes counts at once; an LF that follows it is dropped."""
        if self._after_cr and data[:1] == b"\n":
            data, self._after_cr = data[1:], False
        if data:
            self._after_cr = data[-1:] == b"\r"
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data

    def _line(self, line: bytes) -> list[bytes]:
        if self._first:
            self._first, line = False, line.removeprefix(BOM)
        if not line:
            return self._event()
        name, _, value = line.partition(b":")
        if name == b"data":
            before = self._event() if self._bare else []
            self._data.append(value.removeprefix(b" "))
            return before
        if self._bare or (not self._data and line.lstrip()[:1] in (b"{", b"[")):
            self._bare = True
            self._data.append(line)
        return []

    def _event(self) -> list[bytes]:
        event = b"\n".join(self._data)
        self._data, self._bare = [], False
        return [] if event in (b"", DONE) else [event]


def events(text: bytes) -> list[bytes]:
    """Returns all events of a complete text."""
    splitter = EventSplitter()
    return splitter.feed(text) + splitter.end()
