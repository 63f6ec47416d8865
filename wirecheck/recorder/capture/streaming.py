"""Responses that come bit by bit: each bit goes on at once, and a copy of it to the recording."""

from collections.abc import Callable

from mitmproxy.http import Response

KEPT = 8_000_000  # bytes of a streamed body that mitmproxy's own views still show


class Tee:
    """What mitmproxy calls with every chunk as it is on the wire, and with b"" at a clean end."""

    def __init__(self, feed: Callable[[bytes], None], keeps: bool) -> None:
        self._feed, self._keeps = feed, keeps
        self._kept: list[bytes] = []
        self._size = 0

    def __call__(self, data: bytes) -> bytes:
        self._feed(data)
        if self._keeps and self._size < KEPT:
            self._kept.append(data)
            self._size += len(data)
        return data

    def restore(self, response: Response) -> None:
        """Give mitmproxy the body that it let go by. It has been sent; this only shows it."""
        if self._keeps and self._size < KEPT and response.raw_content is None:
            response.raw_content = b"".join(self._kept)
        self._kept = []
