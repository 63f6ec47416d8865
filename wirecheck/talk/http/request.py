"""A request while it is heard: what it recites, where its turns stand, and how far the hearing has come.

Of what a server keeps itself (`past`) the request holds nothing; its own contents are counted on from there.
"""

from functools import partial

from msgspec import Struct

from wirecheck.cache import Cache
from wirecheck.dialects.messages import UNREAD, Call, Content, Recited
from wirecheck.dialects.raw_json import Undecodable, why_not
from wirecheck.dialects.vocabulary.field_names import keys_of
from wirecheck.talk.facts import Context
from wirecheck.talk.history_state import HistoryState, TurnContext
from wirecheck.talk.http.call_origins import CallOrigins
from wirecheck.talk.http.conversation import NO_REQUEST, Conversation, History, HistoryKind
from wirecheck.talk.http.prefixes import KnownPrefix
from wirecheck.talk.http.previous_interactions import NOTHING, PreviousInteraction
from wirecheck.talk.http.signatures import SIGNERS
from wirecheck.talk.http.turns import hear
from wirecheck.talk.lazy_facts import LazyFacts, Quiet
from wirecheck.talk.recital.recital_check import RecitalCheck
from wirecheck.talk.recital.reply import NOTHING as NO_ECHO
from wirecheck.talk.recital.reply import ContentOrigin
from wirecheck.talk.scene import RequestScene, SceneLine
from wirecheck.talk.schemas.offer import Offer
from wirecheck.talk.schemas.toolbox import Toolbox

BEGINNING = HistoryState()
_AGAIN = 4  # contents of a request that are at hand again while it is heard


class PrefixMarked(Struct, frozen=True):
    """The contents of a request were heard so far, and what was noted of them belongs to `prefix`."""

    prefix: KnownPrefix


class Request(TurnContext):
    """Known of it at first is what it recites; whose it is comes with `join`, how it stands with each content.

    `prefix` remembers what was noted of the part that was heard before, if it was. `skips` is false where that part is
    read again all the same. `first` is the turn of its first content.
    """

    __slots__ = (
        *(
            "_again",
            "_origins",
            "_read",
            "_scene",
            "before",
            "chain",
            "conversation",
            "first",
            "hashes",
            "heard",
            "kind",
            "last",
        ),
        *("length", "message", "prefix", "past", "recital_check", "skips", "spot", "state", "start", "toolbox"),
    )
    conversation: Conversation
    toolbox: Toolbox

    def __init__(self, message: Recited, past: PreviousInteraction, kind: HistoryKind) -> None:
        slices = message.slices
        self.message, self.past, self.kind, self.spot, self.first = message, past, kind, message.spot, past.length
        self._read, self._again = message.read, Cache[int, Content](_AGAIN)
        self._scene: RequestScene | None = None
        self._origins: CallOrigins | None = None
        self.length = past.length + len(slices)
        self.hashes, self.chain = slices.hashes, slices.chain
        if message.previous is not None:  # the same words after another interaction are other words
            salt = past.salt(message.previous)
            self.hashes = [one ^ salt for one in self.hashes]
            self.chain = [one ^ salt for one in self.chain]
        self.prefix: KnownPrefix | None = None
        self.last: Content | None = None  # that was heard
        self.recital_check: RecitalCheck | None = None
        self.state = past.state() if past is not NOTHING else BEGINNING
        self.before = NO_REQUEST  # the request before it in its conversation
        self.start, self.heard, self.skips = 0, 0, True

    @property
    def history(self) -> History:
        return History(self.kind.thread, self.hashes, self.chain, self.message.slices, self.read)

    def join(
        self,
        conversation: Conversation,
        start: int,
        heard: int,
        prefix: KnownPrefix | None,
        context: Context,
        quiet: Quiet,
    ) -> None:
        """It belongs to this conversation: what is new to it begins at `start`, and so much anybody has `heard`."""
        self.conversation, self.start, self.heard, self.prefix = conversation, start, heard, prefix
        self.context, self.quiet, self.context_class = context, quiet, quiet.context_class(context)
        at, first = self.message.at, self.first
        self.where = (lambda turn: at(turn - first)) if first else at

    def origin_of(self, turn: int, calls: tuple[Call, ...]) -> ContentOrigin:
        if self.message.previous is not None:
            return NO_ECHO  # nothing is recited
        if self._origins is None:
            conversation = self.conversation
            self._origins = CallOrigins(conversation.origins, conversation.reply, self.hashes, self.start, self.heard)
        return self._origins.of(turn, calls)

    def hear(self, state: HistoryState, n: int, content: Content) -> tuple[HistoryState, list[LazyFacts]]:
        """The state after content n, and what that settled."""
        turn = self.first + n
        state, told = hear(state, content, turn, self)
        if (signs := SIGNERS.get(self.message.protocol)) is not None:  # else signatures stand with the parts
            state = signs(state, content, turn, partial(self.origin_of, turn, content.calls))
        return state, told

    def goes_on(self, n: int, content: Content) -> list[LazyFacts]:
        """Content n is new, and all before it was heard."""
        self.state, told = self.hear(self.state, n, content)
        self.last = content
        if self.recital_check is not None:
            self.recital_check.hear(n, content)
        return told

    @property
    def offer(self) -> Offer:
        """What may be called. Cached contents have tools of their own."""
        message, toolbox = self.message, self.toolbox
        closed = (
            toolbox.closed and message.protocol == "generate-content" and "cachedContent" not in keys_of(message.around)
        )
        return Offer(self.context, message.spot, toolbox, closed)

    def declares(self, name: str | None) -> bool:
        return not (self.toolbox.names and self.offer.lacks(name))

    @property
    def scene(self) -> RequestScene:
        """Its turns, for those who look at them."""
        if self._scene is None:
            read, first = self._read, self.first
            self._scene = RequestScene(self.length, lambda n: read(n - first), first, self.past.told)
        return self._scene

    def around(self, turns: list[int]) -> list[SceneLine]:
        return self.scene.around(turns)

    def _once_read(self, n: int) -> Content:
        """What is asked for again soon is read once: who looks for its conversation has read it, and who hears it."""
        return self._again.get_or_make(n, lambda: self._read(n))

    def read(self, n: int) -> Content:
        """Content n; of one that cannot be decoded it is only known why."""
        try:
            return self._once_read(n)
        except Undecodable as error:
            at, why = self.message.at(n), why_not(error)
            return Content(role=None, speaker="", container=self.message.container, shape=UNREAD, spot=at, value=why)
