"""What is needed to take in exchanges directly, see direct.c. Where that could not be compiled, none is."""

from array import array
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest, xxh3_128

from wirecheck.dialects.messages import Spot
from wirecheck.lane import cuts, prefixes, shapes, shelf, signatures
from wirecheck.lane.around import Surroundings
from wirecheck.lane.cuts import CONTENTS, Again, Cutter
from wirecheck.lane.exchange import AROUND, ENDING, Asked, Replied
from wirecheck.lane.history import Histories
from wirecheck.lane.judged import Judgements
from wirecheck.lane.replies import Replies
from wirecheck.lane.shelf import KeptReply, weight
from wirecheck.once import Known, Several
from wirecheck.talk import conversation, reply, standing
from wirecheck.talk.conversation import GONE, Conversation, forgotten
from wirecheck.talk.memory import Left, Node
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import NO_REPLY, SAID, Echoed
from wirecheck.wire.record import Origin, Site


class Stood(Struct, eq=False):
    """How far a conversation had come when a history of it was heard."""

    conversation: Conversation
    chain: int


class Indirect:
    """Takes in nothing."""

    def given(self, things: dict[str, Any]) -> None:
        pass

    def run(self, lines: list[bytes], begin: int, path: str, number: int) -> int:
        return 0


forget: Callable[[list[Conversation]], int]
try:
    from wirecheck.lane import direct as compiled

    Direct, forget = compiled.Direct, partial(compiled.forget, GONE, NO_REPLY, SAID)
except ImportError:
    Direct, forget = Indirect, forgotten  # type: ignore[assignment,misc]

CALLS = {
    "hash64": xxh3_64_intdigest,
    "hash128": xxh3_128,
    "decode": msgspec.json.decode,
    "weigh": weight,
    "conversation": Conversation,
    "reply": KeptReply,
    "origin": Origin,
    "site": Site,
    "spot": Spot,
    "named": Named,
    "stood": Stood,
    "echoed": Echoed,
    "known": Known,
    "several": Several,
    "left": Left,
    "node": Node,
    "array": array,
    "beginning": CONTENTS,
    "newline": "\n",
    "nothing": "",
    "typecode": "Q",
    "body": "/response/body",
    "steps": ("candidates", 0, "content"),
    "ending": ENDING,
    "surrounding": AROUND,
}
SIZES = {
    "short_line": prefixes.SHORT,
    "long_line": cuts.LONG,
    "opening": prefixes.OPENINGS[0],
    "short_opening": prefixes.OPENINGS[1],
    "ends": prefixes.ENDS,
    "bypass": signatures.LONG,
    "begins": reply.BEGINS,
    "piece": reply.PIECE,
    "many": reply.MANY,
    "long_tail": conversation.LONG,
    "most_echoes": conversation.MOST,
    "most_calls": conversation.CALLS,
    "name_size": standing.NAME,
    "reply_size": shelf.REPLY,
    "part_size": shelf.PART,
    "words": conversation.WORDS,
    "sign": conversation.SIGN,
}


def direct(
    surroundings: Surroundings, cutter: Cutter, replies: Replies, histories: Histories, judgements: Judgements
) -> Direct:
    """Looks up what these know."""
    one = Direct()
    one.given(
        {
            **CALLS,
            **SIZES,
            "recognise": shapes.exchange.recognise,
            "read_contents": shapes.contents.recognise,
            "known_as": surroundings.known_as,
            "surrounded": cutter.surrounded,
            "of_around": judgements.of_around,
            "telling": lambda state, form, known, *read: histories.telling(state, form, Again(*read).contents(known)),
            "telling_again": lambda state, form, written: histories.telling(
                state, form, lambda: shapes.contents.read(written)[0]
            ),
            "new_saying": lambda form, known, *read: replies.new(form, Again(*read).chunks(known)),
            "exchange": shapes.exchange,
            "asked": lambda *of: judgements.judged(Asked(*of)),
            "replied": lambda *of: judgements.judged(Replied(*of)),
            "lines": cutter.lines.known,
            "arounds": cutter.arounds.known,
            "sayings": replies.sayings.known,
            "tellings": histories.tellings.known,
            "sound": judgements.sound,
            "whole": judgements.whole.known,
        }
    )
    return one
