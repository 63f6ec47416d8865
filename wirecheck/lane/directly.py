"""What is needed to take in exchanges directly, see take.c: what is known of forms, and what is made of them."""

from array import array

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from wirecheck.lane import blank, native, prefixes, shapes, shelf, signatures
from wirecheck.lane.around import Surroundings
from wirecheck.lane.contents import Contents
from wirecheck.lane.cuts import MANIFOLD, Again, Cutter, Line
from wirecheck.lane.judged import Judgements
from wirecheck.lane.replies import Replies
from wirecheck.lane.shelf import KeptReply
from wirecheck.talk import conversation, reply, standing
from wirecheck.talk.conversation import Conversation
from wirecheck.talk.memory import Left, Node
from wirecheck.talk.offer import Named
from wirecheck.talk.reply import Echoed
from wirecheck.wire.record import Origin


class Stood(Struct, eq=False):
    """How far a conversation had come when a history of it was heard."""

    conversation: Conversation
    chain: int


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
    "digest": signatures.digest,
    "bypassed": signatures.bypassed,
    "reader": shapes.exchange,
    "opened": shapes.opened,
    "answered": shapes.answered,
    "replied": blank.Replied,
    "frame": blank.Frame,
    "closed": blank.Closed,
    "nothing": b"",
}
LONG = 1 << 19  # a line longer than this is not worth reading twice, should it not be taken in after all
# Other numbers are decided elsewhere.
SIZES = {
    "short_line": prefixes.SHORT,
    "long_line": LONG,
    "manifold": MANIFOLD,
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


def taker(
    surroundings: Surroundings, cutter: Cutter, replies: Replies, contents: Contents, judgements: Judgements
) -> native.Direct:
    """Looks up what these know. What is new in a line that else is known they work out."""

    def new_reply(number: int, known: Line, line: bytes, start: int, past: int) -> native.Reply:
        return replies.new(number, Again(shapes.exchange, line, start, past).chunks(known))

    one = native.Direct()
    one.given(
        {
            **MADE,
            **SIZES,
            "lines": cutter.lines.known,
            "answers": cutter.answers.known,
            "arounds": cutter.arounds.known,
            "replies": replies.sayings.known,
            "contents": contents.shown.known,
            "sound": judgements.sound.known,
            "surrounds": judgements.around.known,
            "surrounded": cutter.surrounded,
            "known_as": surroundings.known_as,
            "of_around": judgements.of_around,
            "of_piece": judgements.of_piece,
            "of_part": judgements.of_part,
            "new_reply": new_reply,
            "new_content": contents.show,
        }
    )
    return one
