"""The last reply against the contents that recite it: what of it was lost or changed on the way through the client.

It is asked once, when the recital is new, and tells nothing where the reply came back as it was. Where nothing shows
that it is this reply that is recited, only that is told.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from wirecheck.dialects.messages import UNREAD, Call, Content, Step
from wirecheck.talk.facts import Context, Fact, Linked, RecitedFact
from wirecheck.talk.history_state import UnsignedCall
from wirecheck.talk.recital.call_pairs import Pair, paired, same_args
from wirecheck.talk.recital.differences import Difference, differences, exact
from wirecheck.talk.recital.reply import Reply
from wirecheck.talk.recital.signature_cache import SignatureCache
from wirecheck.talk.recital.signed_parts import SignedPart, pieces

_STREAMED = frozenset(("partialArgs", "willContinue"))  # a call in pieces, which nobody put together


class RecitalCheck:
    """What follows the last words of the request before, gathered while it is heard: there the reply has its place.

    `start` is the first content after those words.
    """

    def __init__(self, reply: Reply, start: int, context: Context, signatures: SignatureCache) -> None:
        self._reply, self._start = reply, start
        self._context, self._signatures = context, signatures
        self._contents: list[tuple[int, Content]] = []
        self._last: tuple[int, Content] | None = None
        self._answers = 0
        self._asked = True

    def hear(self, turn: int, content: Content) -> None:
        if not self._asked or turn < self._start:
            return
        self._last = turn, content
        self._answers += len(content.answers)
        if content.speaker == "model":
            self._contents.append(self._last)
        self._asked = content.shape != UNREAD and not _in_pieces(content.calls)

    def facts(self, unsigned: UnsignedCall | None) -> Iterator[Fact]:
        """What came back otherwise, now that all is heard. `unsigned`: what the server itself will miss."""
        said, recited = self._reply.pieces, [piece for _, content in self._contents for piece in pieces(content)]
        if not self._asked or self._last is None or (said and exact(said, recited)):
            return
        pairs = paired(said, recited)
        if not self._recognised(said, recited, pairs):
            if not self._answers:
                yield self._replaced(*(self._contents or [self._last])[0])
            return
        calls = sum(piece.call is not None for piece in recited)
        for one in differences(said, recited, pairs, self._signatures):
            if one.how != "missing" or one.said.call is None or self._answers <= calls:  # else the numbers tell it
                yield self._fact(one, unsigned)

    def _recognised(self, said: list[SignedPart], recited: list[SignedPart], pairs: list[Pair]) -> bool:
        """Whether it is this reply that is recited: by an id, a signature, a call, or the text."""
        if any(mine.call and theirs.call and same_args(mine.call, theirs.call) for mine, theirs in pairs):
            return True
        signatures = {piece.real for piece in said if piece.real} & {piece.real for piece in recited if piece.real}
        texts = any(self._reply.likeness(content) for _, content in self._contents)
        return bool(signatures) or texts or (bool(pairs) and len(pairs) == len(self._reply.calls))

    def _replaced(self, turn: int, content: Content) -> RecitedFact:
        spots = [piece.spot for piece in self._reply.pieces[:1]]
        return RecitedFact(
            context=self._context,
            spot=content.spot,
            turn=turn,
            related=tuple(Linked(spot, "the server said this") for spot in spots),
            what="reply",
            how="replaced" if self._contents else "missing",
            calls=len(self._reply.calls),
        )

    def _fact(self, one: Difference, unsigned: UnsignedCall | None) -> RecitedFact:
        turn, content = self._holder(one.other)
        call = one.said.call
        return RecitedFact(
            context=self._context,
            spot=content.spot if one.other is None else one.other.spot,
            turn=turn,
            call=call,
            related=(Linked(one.said.spot, "the server said this"),),
            what=one.said.what,
            how=one.how,
            id=call.id if call is not None else None,
            name=call.name if call is not None else None,
            now=one.now,
            signed=one.said.real is not None,
            checked=unsigned is not None and call is not None and turn >= unsigned.turn and _missed(one, content),
            sure=one.sure,
            calls=len(self._reply.calls),
        )

    def _holder(self, piece: SignedPart | None) -> tuple[int, Content]:
        """The content a recited piece stands in; without one, the first that recites the reply."""
        steps = piece.spot.steps if piece is not None else ()
        held = [n for length in self._depths if (n := self._places.get(steps[:length])) is not None]
        return self._contents[min(held, default=0)]

    @cached_property
    def _places(self) -> dict[tuple[Step, ...], int]:
        """The contents by their places, all of which are known when this is asked."""
        places = dict[tuple[Step, ...], int]()
        for n, (_, content) in enumerate(self._contents):
            places.setdefault(content.spot.steps, n)
        return places

    @cached_property
    def _depths(self) -> frozenset[int]:
        return frozenset(map(len, self._places))


def _missed(one: Difference, content: Content) -> bool:
    """Whether the server looks for this signature: on the first call, from which it may have been moved away."""
    first = one.other is not None and bool(content.calls) and one.other.call is content.calls[0]
    return first or one.how == "moved"


def recital_check(
    reply: Reply, start: int, heard: int, context: Context, signatures: SignatureCache
) -> RecitalCheck | None:
    """Where the reply may be recited in full, and nobody has heard that before."""
    if start == 0 or heard > start:
        return None
    # A reply that was cut off, or is one of several, may be left out for good reason.
    if reply.finish not in ("STOP", "1") or reply.doubtful or reply.failed or _in_pieces(reply.calls):
        return None
    return RecitalCheck(reply, start, context, signatures) if reply or reply.pieces else None


def _in_pieces(calls: Iterable[Call]) -> bool:
    return any([not _STREAMED.isdisjoint(call.keys) for call in calls])
