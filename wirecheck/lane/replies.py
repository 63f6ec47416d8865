"""A usual reply, kept as it came: taken apart only when somebody asks what it said."""

from typing import Any

import msgspec

from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Spot
from wirecheck.lane.forms import Look, Odd, Piece, look, say
from wirecheck.lane.usual import Call, Chunk, Content
from wirecheck.talk.piece import digest_of
from wirecheck.talk.threads import BEGINS, Reply, sign
from wirecheck.wire.record import Origin, Site

_ASKED, _BODY = "/request/body", "/response/body"


class KeptReply(Reply):
    """What a server said. Its chunks may be the events of a stream."""

    __slots__ = ("_origin", "called", "chunks", "contents", "events", "looks", "says")

    def __init__(self, origin: Origin, chunks: list[Chunk], events: bool) -> None:
        self._origin, self.chunks, self.events = origin, chunks, events
        self.failed = self.says = self.doubtful = False
        self.finish = None
        self.called: list[Call] = []
        self.contents: list[tuple[int, Content]] = []
        self.looks: list[Look | None] = []
        for n, chunk in enumerate(chunks):
            if len(chunk.candidates) != 1:
                raise Odd
            candidate = chunk.candidates[0]
            self.finish = self.finish or candidate.finish or None
            if (content := candidate.content) is None:
                self.looks.append(None)
                continue
            self.contents.append((n, content))
            self.looks.append(seen := look(content))
            self.called += seen.calls
            self.says = self.says or seen.texts != []

    def __bool__(self) -> bool:
        return self.says or self.called != []

    def __getattr__(self, name: str) -> Any:
        """The calls, the text and the pieces as talk knows them are made when they are asked for."""
        if name not in ("calls", "pieces", "text"):
            raise AttributeError(name)
        self.calls, self.pieces, self.text = [], [], ""
        for n, content in self.contents:
            self.add(read_content(msgspec.to_builtins(content), "candidates", self._spot(n)))
        return getattr(self, name)

    def model(self) -> str:
        """The last model version it names."""
        for chunk in reversed(self.chunks):
            if chunk.model_version:
                return chunk.model_version
        return ""

    def sign(self) -> int:
        text = ""
        for seen in self.looks:
            if seen is not None and len(text) < BEGINS:
                text += "".join(seen.texts)
        return sign(text, [call.id for call in self.called[:1]])

    def said(self) -> tuple[list[Piece], list[bool]]:
        """What it said in pieces, and of its thoughts, which are seldom recited, whether they were signed."""
        said: list[Piece] = []
        thought = set()
        for _, content in self.contents:
            for part in content.parts:
                say(said, part)
                if part.thought:
                    thought.add(part.signature != b"")
        return said, sorted(thought)

    def digests(self) -> list[int]:
        """Of its signatures."""
        return [digest_of(part.signature) for _, content in self.contents for part in content.parts if part.signature]

    def recited_at(self, n: int) -> Spot:
        """Where content n of its request stands."""
        return Spot(Site(self._origin, _ASKED), ("contents", n))

    def made(self) -> tuple[Spot, ...]:
        """Where its calls stand."""
        return tuple(
            self._spot(n).to("parts", m)
            for n, content in self.contents
            for m, part in enumerate(content.parts)
            if part.call is not None
        )

    def _spot(self, n: int) -> Spot:
        site = Site(self._origin, _BODY, self.events, n if self.events else None)
        return Spot(site, ("candidates", 0, "content"))
