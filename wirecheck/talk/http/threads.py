"""Which conversation a request belongs to.

Stateless requests carry no name for their conversation, only its history. A request goes on with the conversation
whose last words it recites: the last content of that conversation's last request. Clients change what the model said
on the way (ids added, thoughts dropped, old turns trimmed), seldom what they said themselves, so this holds where
comparing whole histories does not. Many conversations open alike; of those the one whose reply is recited is meant.
"""

from array import array
from itertools import pairwise

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Content
from wirecheck.talk.http.conversation import SIGN, WORDS, Conversation, History
from wirecheck.talk.http.conversation_index import ConversationIndex
from wirecheck.talk.http.normalized_content import plain_digest
from wirecheck.talk.recital.reply import sign_of

_LATELY = 32  # conversations looked at where bytes do not tell
LENGTH = 512  # contents for which a conversation takes one place; a long one takes several
# Capacities for what they hold besides: bytes of their last words, what their replies weigh, calls of which it is known
# where they were made; and what is light. Those idle longest are known by less.
TAILS, REPLIES, CALLS = (1 << 22, 1 << 11), (8 << 20, 1 << 12), (1 << 14, 1 << 2)


class Threads:
    """The conversations that may go on: `most` of those that went on lately, and those before that which went on while
    there were as many. What is older is let go."""

    __slots__ = (
        *("_age", "_before", "_count", "_echoes", "_lately", "_length", "_let_go", "_marked"),
        *("_most", "_places", "_replies", "_stood", "_tails"),
    )

    def __init__(self, count: int = 0, most: int = 2048) -> None:
        self._count = count
        self._let_go = 0  # calls still open in conversations that were let go
        # Those that went on lately, and before that, by the number of their generation, until they go on again.
        self._lately: list[Conversation] = []
        self._before: list[Conversation] = []
        self._age, self._places, self._most, self._length = 2, 0, most, LENGTH
        self._tails: Cache[str, Conversation] = Cache(*TAILS)
        self._replies: Cache[str, Conversation] = Cache(*REPLIES)
        self._echoes: Cache[str, Conversation] = Cache(*CALLS)
        self._stood, self._marked = (
            ConversationIndex(),
            ConversationIndex(),
        )  # by their histories, and by what else they are known

    @property
    def open_calls(self) -> int:
        return self._let_go + sum(one.open_calls for one in [*self._lately, *self._idle()])

    @property
    def count(self) -> int:
        return self._count

    def find(self, history: History, owner: Conversation | None) -> tuple[Conversation, int]:
        """The conversation a request goes on with, and where in the request its new part begins.

        `owner` is the conversation in which the longest known prefix of the request was heard.
        """
        found = self._known(history) or _reworded(owner, history.hashes) or self._in_other_words(history)
        if found is None:
            conversation = Conversation(self.name(), history.kind, opening=_opening(history))
            self._move(conversation, history)
            return conversation, 0
        start = _resumes(found, history)
        if start:
            found.dropped += len(found.hashes) - start
        self._move(found, history)
        return found, start

    def _known(self, history: History) -> Conversation | None:
        """By the bytes of its last words."""
        last, again, keys = len(history.hashes) - 1, None, [history.kind ^ link for link in history.chain]
        for n in range(last, -1, -1) if not self._stood.lacks(keys) else ():
            exact = self._stood.latest(keys[n])
            if exact and n == last:
                if failed := next((one for one in exact if not one.reply), None):
                    return failed  # the same request once more: the first got no answer
                again = exact[0]
            elif exact:
                return _likeliest(exact, history.read(n + 1))
        if again is not None:
            return again if last > 0 else None
        return self._changed(history.kind, history.hashes)

    def _changed(self, kind: int, hashes: "array[int]") -> Conversation | None:
        """By its last words, where what comes before them is another now."""
        keys = [kind ^ digest for digest in hashes]
        for n in range(len(hashes) - 1, -1, -1) if not self._marked.lacks(keys) else ():
            # What ends as another ended that was answered is another's: somebody says the same there.
            ends = n == len(hashes) - 1
            for one in self._marked.latest(keys[n]):
                if _shares(one, hashes) and not (ends and one.reply):
                    return one
        return None

    def _in_other_words(self, history: History) -> Conversation | None:
        """By its last reply, or by its last words in another spelling: some clients write a history anew each time."""
        if len(history.hashes) < 2:
            return None
        if not (lately := self._akin(history)):
            return None
        opening = _opening(history)
        for one in (each for each in lately if each.reply and _opens(each, opening)):
            at = len(one.hashes)
            if 0 < at < len(history.hashes) and one.reply.likeness(history.read(at)):
                return one
        ends: dict[tuple[int, ...], int] = {
            pair: n for n, pair in enumerate(pairwise(map(plain_digest, history.slices)), 2)
        }
        return next((one for one in lately if _goes_on(one, ends.get(one.plain_tail(), 0), opening)), None)

    def resume(self, conversation: Conversation, history: History) -> None:
        """A request says itself which conversation it goes on with."""
        self._move(conversation, history)

    def _akin(self, history: History) -> list[Conversation]:
        """Those that said last what this one says at some time: their user, or the model in its reply."""
        for n in range(len(history.hashes) - 1, -1, -1):
            content = history.read(n)
            if content.speaker == "user":
                words = content.words
                alike = self._marked.latest(history.kind ^ words ^ WORDS) if words else []
            else:
                alike = self._marked.latest(history.kind ^ sign_of(content) ^ SIGN)
            if alike:
                return alike[:_LATELY]
        return self._marked.latest(history.kind ^ WORDS)[:_LATELY]

    def said(self, conversation: Conversation, words: int) -> None:
        """A request was heard: by its history and by what the user said last it may be known again."""
        conversation.words = words
        if conversation.hashes:
            self._stood.add((conversation.chain,), conversation)
            self._marked.add(conversation.marks(), conversation)
        else:
            self._marked.add((conversation.kind ^ words ^ WORDS,), conversation)
        self._keep(conversation)
        if conversation.placed or conversation.name in self._echoes.entries:
            for idle in self._echoes.put(conversation.name, conversation, conversation.placed):
                idle.forget_echoes()

    def replied(self, conversation: Conversation) -> None:
        """Its reply is known, by which it may be known again."""
        before, conversation.sign = conversation.sign, conversation.reply.sign()
        if before:
            self._marked.remove((conversation.kind ^ before ^ SIGN,), conversation)
        if not self._holds(conversation):
            return
        self._keep_reply(conversation)
        if conversation.sign:
            young = conversation.age == self._age
            self._marked.add((conversation.kind ^ conversation.sign ^ SIGN,), conversation, young=young)

    def alone(self) -> Conversation:
        """A conversation of which no request is known."""
        conversation = Conversation(self.name(), 0)
        self._keep(conversation)
        return conversation

    def name(self) -> str:
        self._count += 1
        return f"c{self._count}"

    def _move(self, conversation: Conversation, history: History) -> None:
        """Its history is this now. It is listed again when all of that was heard."""
        if conversation.hashes:
            self._stood.remove((conversation.chain,), conversation)
            self._marked.remove(conversation.marks(), conversation)
        conversation.before = conversation.hashes
        conversation.hashes, conversation.chain = (
            history.hashes,
            history.kind ^ history.chain[-1] if history.chain else 0,
        )
        conversation.sign = 0
        size = conversation.ends(history.slices)
        self._replies.drop(conversation.name)
        if size > self._tails.light or conversation.name in self._tails.entries:
            for idle in self._tails.put(conversation.name, conversation, size):
                idle.plain_tail()

    def _keep(self, conversation: Conversation) -> None:
        """It has gone on."""
        before, places = conversation.places, 1 + len(conversation.hashes) // self._length
        conversation.places = places
        if conversation.age == self._age:
            self._places += places - before
        else:
            self._places += places
            conversation.age = self._age
            self._lately.append(conversation)
        if self._places >= self._most:
            self._turn()

    def _turn(self) -> None:
        """Another generation begins, and the one before the last is let go."""
        idle = self._idle()
        for cache in (self._tails, self._replies, self._echoes):
            for name in [name for name, (one, _) in cache.entries.items() if one.age < self._age]:
                cache.drop(name)
        for one in idle:
            self._let_go += one.open_calls
            one.forget()
        self._before, self._lately, self._places = self._lately, [], 0
        self._age += 1
        self._stood.turn()
        self._marked.turn()

    def _idle(self) -> list[Conversation]:
        """Those of the generation before that have not gone on since."""
        return [one for one in self._before if one.age != self._age]

    def _holds(self, conversation: Conversation) -> bool:
        return conversation.age >= self._age - 1

    def _keep_reply(self, conversation: Conversation) -> None:
        weight, replies = conversation.reply.weight, self._replies
        if weight > replies.light or conversation.name in replies.entries:
            for idle in replies.put(conversation.name, conversation, weight):
                idle.forget_reply()


def _resumes(conversation: Conversation, history: History) -> int:
    """The first content after the last words of the conversation's last request."""
    if not conversation.hashes:
        return 0
    hashes, count = history.hashes, len(conversation.hashes)
    if count <= len(hashes) and history.kind ^ history.chain[count - 1] == conversation.chain:
        return count  # the user may say the same again
    last = conversation.hashes[-1]
    return next((n + 1 for n in range(len(hashes) - 1, -1, -1) if hashes[n] == last), 0)


def _likeliest(alike: list[Conversation], recited: Content) -> Conversation:
    """Of conversations that were alike so far, the one whose reply is recited; else the one that waits longest."""
    if len(alike) == 1:
        return alike[0]
    return max(reversed(alike), key=lambda one: one.reply.likeness(recited))


def _opening(history: History) -> int:
    """What its user says first."""
    contents = map(history.read, range(len(history.hashes)))
    return next((words for one in contents if one.speaker == "user" and (words := one.words)), 0)


def _opens(one: Conversation, opening: int) -> bool:
    return one.dropped > 0 or one.opening == opening


def _goes_on(one: Conversation, end: int, opening: int) -> bool:
    """Whether a history in which these last words end there is of this conversation: of others, the first words are."""
    return 0 < end < len(one.hashes) or (end > 0 and _opens(one, opening))


def _reworded(owner: Conversation | None, hashes: "array[int]") -> Conversation | None:
    """After a request that got no answer the user may try other last words."""
    if owner is None or owner.reply or len(owner.hashes) != len(hashes) or owner.hashes[:-1] != hashes[:-1]:
        return None
    return owner


def _shares(conversation: Conversation, hashes: "array[int]") -> bool:
    """A changed history still has more than its last content in common with what was heard."""
    return len(set(conversation.hashes) & set(hashes)) > 1
