"""Splits a JSON array that arrives in pieces: bytes in, and each element out as soon as it is complete.

Gemini streams like this without `alt=sse`. Knows where an element ends, not what is in it.
"""

import re

OUTSIDE = re.compile(rb'["{}\[\],]')
INSIDE = re.compile(rb'"|\\.?', re.S)  # of a string
DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


class ArraySplitter:
    """Splits one array. The elements do not depend on where the bytes were cut."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        self._escape = b""  # a trailing backslash whose next byte has not arrived
        self._rest: list[bytes] = []  # the beginning of the current element

    def feed(self, data: bytes) -> list[bytes]:
        """Returns the elements that end in these bytes."""
        data, self._escape = self._escape + data, b""
        elements: list[bytes] = []
        start = at = 0
        while mark := (INSIDE if self._in_string else OUTSIDE).search(data, at):
            at = mark.end()
            if mark[0] == b"\\":
                data, self._escape = data[:-1], b"\\"
            elif (end := self._step(mark)) >= 0:
                elements += self._take(data[start:end])
                start = at
        self._rest.append(data[start:])
        return elements

    def end(self) -> list[bytes]:
        """Returns the element that the end of the stream cuts off, if any."""
        return self._take(self._escape)

    def _step(self, mark: re.Match[bytes]) -> int:
        """Returns where the element ends, if one does at this mark, else -1."""
        sign, before = mark[0], self._depth
        if sign == b'"':
            self._in_string = not self._in_string
        if self._in_string:
            return -1
        self._depth += DEEPER.get(sign, 0)
        if before == 2 and self._depth == 1:
            return mark.end()
        at_an_edge = (before, self._depth) in ((0, 1), (1, 0)) or (sign == b"," and before == 1)
        return mark.start() if at_an_edge else -1

    def _take(self, last: bytes) -> list[bytes]:
        element = b"".join((*self._rest, last)).strip()
        self._rest = []
        return [element] if element else []
