"""Streamed responses: each chunk is passed on at once, with a copy to the recording."""

from collections.abc import Callable

from mitmproxy.http import Response

KEPT = 8_000_000  # bytes of a streamed body that are kept for mitmproxy's own views


class Tee:
    """Called by mitmproxy with every chunk as it is on the wire, and with b"" at a clean end."""

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
        """Gives mitmproxy the streamed body back, for its views only: it has been sent."""
        if self._keeps and self._size < KEPT and response.raw_content is None:
            response.raw_content = b"".join(self._kept)
        self._kept = []
