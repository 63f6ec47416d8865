"""What is needed to take in exchanges directly, see direct.c. Where that could not be compiled, none is."""

from array import array
from typing import Any

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest, xxh3_128

from wirecheck.dialects.messages import Spot
from wirecheck.lane import shapes
from wirecheck.lane.around import Surroundings
from wirecheck.lane.cuts import CONTENTS, Cutter
from wirecheck.lane.exchange import AROUND, ENDING, Asked, Replied
from wirecheck.lane.history import Histories
from wirecheck.lane.judged import Judgements
from wirecheck.lane.replies import Replies
from wirecheck.lane.shelf import KeptReply, weight
from wirecheck.once import Known, Several
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

    forget = staticmethod(forgotten)

    def run(self, lines: list[bytes], begin: int, path: str, number: int) -> int:
        return 0


try:
    from wirecheck.lane.direct import Direct as Direct
except ImportError:
    Direct = Indirect  # type: ignore[assignment,misc]

CALLS = {
    "read_contents": shapes.contents,
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
    "gone": GONE,
    "no_reply": NO_REPLY,
    "replied_once": SAID,
    "body": "/response/body",
    "steps": ("candidates", 0, "content"),
    "ending": ENDING,
    "surrounding": AROUND,
}


def direct(
    surroundings: Surroundings, cutter: Cutter, replies: Replies, histories: Histories, judgements: Judgements
) -> Direct:
    """Looks up what these know."""
    one = Direct()
    one.given(
        {
            **CALLS,
            "recognise": shapes.exchange.recognise,
            "known_as": surroundings.known_as,
            "surrounded": cutter.surrounded,
            "of_around": judgements.of_around,
            "telling": histories.telling,
            "new_saying": replies.new,
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
