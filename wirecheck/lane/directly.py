"""What is needed to take in exchanges directly, see direct.c: what is known of forms, and what is made of them.

Where that could not be compiled nothing is taken in so, and only the time differs.
"""

from array import array
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from wirecheck.lane import cuts, prefixes, shapes, shelf, signatures
from wirecheck.lane.around import Surroundings
from wirecheck.lane.cuts import Again, Cut, Cutter, Line
from wirecheck.lane.exchange import AROUND, ENDING, Asked, Replied
from wirecheck.lane.history import Histories, Telling
from wirecheck.lane.judged import Judged, Judgements
from wirecheck.lane.prefixes import Heard
from wirecheck.lane.replies import Replies, Saying
from wirecheck.lane.shelf import KeptReply
from wirecheck.talk import conversation, reply, standing
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.memory import Left, Node
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import Echoed
from wirecheck.wire.record import Origin

try:
    from wirecheck.lane import direct as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]


class Stood(Struct, eq=False):
    """How far a conversation had come when a history of it was heard."""

    conversation: Conversation
    chain: int


class Indirect:
    """Takes in nothing."""

    def given(self, things: dict[str, Any]) -> None:
        pass

    def take(self, cut: Cut, heard: Heard | None, path: str, number: int) -> bool:
        return False

    def run(self, lines: Sequence[bytes], begin: int, path: str, number: int) -> int:
        return 0


# What is made, and made with.
MADE = {
    "conversation": Conversation,
    "reply": KeptReply,
    "origin": Origin,
    "named": Named,
    "stood": Stood,
    "echoed": Echoed,
    "left": Left,
    "node": Node,
    "array": array,
    "typecode": "Q",
    "hash64": xxh3_64_intdigest,
    "decode": msgspec.json.decode,
    "weigh": shelf.weight,
    "beginning": cuts.beginning,
    "exchange": cuts.EXCHANGE,
    "newline": "\n",
    "nothing": "",
    "ending": ENDING,
    "surrounding": AROUND,
}
LONG = 1 << 19  # a line longer than this is not worth reading twice, should it not be taken in after all
# Other numbers are decided elsewhere.
SIZES = {
    "short_line": prefixes.SHORT,
    "long_line": LONG,
    "bypass": signatures.LONG,
    "begins": reply.BEGINS,
    "piece": reply.PIECE,
    "many": reply.MANY,
    "long_tail": conversation.LONG,
    "name_size": standing.NAME,
    "reply_size": shelf.REPLY,
    "part_size": shelf.PART,
    "words": conversation.WORDS,
    "sign": conversation.SIGN,
}


class New:
    """What is new in a line that else is known: it is worked out here, and looked up from then on."""

    def __init__(self, replies: Replies, histories: Histories, judgements: Judgements) -> None:
        self._replies, self._histories, self._judgements = replies, histories, judgements

    def saying(self, form: Any, known: Line, line: bytes, start: int, past: int) -> Saying:
        return self._replies.new(form, Again(shapes.exchange, line, start, past).chunks(known))

    def telling(self, state: str | None, form: Any, contents: bytes) -> Telling:
        return self._histories.telling(state, form, lambda: shapes.shape(shapes.contents, contents))

    def asked(self, *of: Any) -> Judged | None:
        return self._judgements.judged(Asked(*of))

    def replied(self, *of: Any) -> Judged | None:
        return self._judgements.judged(Replied(*of))


def direct() -> "compiled.Direct | Indirect":
    return Indirect() if compiled is None else compiled.Direct()


def taker(
    surroundings: Surroundings, cutter: Cutter, replies: Replies, histories: Histories, judgements: Judgements
) -> "compiled.Direct | Indirect":
    """Looks up what these know."""
    one, new = direct(), New(replies, histories, judgements)
    one.given(
        {
            **MADE,
            **SIZES,
            "recognise": shapes.exchange.recognise,
            "recognise_contents": shapes.contents.recognise,
            "lines": cutter.lines.known,
            "arounds": cutter.arounds.known,
            "sayings": replies.sayings.known,
            "tellings": histories.tellings.known,
            "sound": judgements.sound,
            "whole": judgements.whole.known,
            "surrounded": cutter.surrounded,
            "known_as": surroundings.known_as,
            "of_around": judgements.of_around,
            "new_saying": new.saying,
            "new_telling": new.telling,
            "new_asked": new.asked,
            "new_replied": new.replied,
        }
    )
    return one
