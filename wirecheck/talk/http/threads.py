"""Which conversation a request belongs to.

Stateless requests carry no name for their conversation, only its history. A request goes on with the conversation
whose last words it recites: the last content of that conversation's last request. Clients change what the model said
on the way (ids added, thoughts dropped, old turns trimmed), seldom what they said themselves, so this holds where
comparing whole histories does not. Many conversations open alike; of those the one whose reply is recited is meant.
"""

from collections.abc import Callable
from itertools import pairwise

from wirecheck.cache import Cache
from wirecheck.dialects.messages import Content, Spot
from wirecheck.talk.http.conversation import SIGN, WORDS, Conversation, History, LastRequest, Marks
from wirecheck.talk.http.conversation_index import ConversationIndex
from wirecheck.talk.http.normalized_content import plain_digest
from wirecheck.talk.made_calls import MadeCalls
from wirecheck.talk.recital.reply import sign_of

ALIKE = 32  # conversations looked at where bytes do not tell
CONVERSATIONS = 4096  # that are held; a long one counts for several
LONG = 512  # contents for which it counts once
# What they hold besides: bytes of their last words, what their replies weigh, calls of which it is known where they
# were made. What is light does not count, and conversations idle longest are known by less.
TAILS, REPLIES, CALLS = 1 << 22, 8 << 20, 1 << 14
HEAVY_TAIL, HEAVY_REPLY = 1 << 11, 1 << 12


class Threads:
    """The conversations that may go on. Those idle longest are evicted."""

    __slots__ = (
        *("_by_history", "_by_marks", "_conversations", "_count", "_evicted_calls"),
        "_origins",
        "_replies",
        "_tails",
    )

    def __init__(self, count: int = 0, capacity: int = CONVERSATIONS) -> None:
        self._count = count
        self._evicted_calls = 0  # still open in conversations that were evicted
        self._by_history, self._by_marks = ConversationIndex(), ConversationIndex()
        self._conversations: Cache[str, Conversation] = Cache(capacity, self._evict)
        self._tails: Cache[str, Conversation] = Cache(TAILS, lambda one: one.marks.plain_tail())
        self._replies: Cache[str, Conversation] = Cache(REPLIES, Conversation.forget_reply)
        self._origins: Cache[str, Conversation] = Cache(CALLS, lambda one: one.origins.forget())

    @property
    def open_calls(self) -> int:
        return self._evicted_calls + sum([one.open_calls for one in self._conversations])

    @property
    def count(self) -> int:
        return self._count

    def find(self, history: History, owner: Conversation | None) -> tuple[Conversation, int, LastRequest]:
        """The conversation a request goes on with, where in the request its new part begins, and the request before.

        `owner` is the conversation in which the longest known prefix of the request was heard.
        """
        found = self._known(history) or _reworded(owner, history.hashes) or self._in_other_words(history)
        if found is None:
            conversation = Conversation(self.name(), history.kind, Marks(_opening(history)))
            return conversation, 0, self.go_on(conversation, history)
        start = _resumes(found, history)
        if start:
            found.dropped += len(found.last.hashes) - start
        else:
            start = _recites(found, history)
        return found, start, self.go_on(found, history)

    def _known(self, history: History) -> Conversation | None:
        """By the bytes of its last words."""
        last, again, keys = len(history.hashes) - 1, None, [history.kind ^ link for link in history.chain]
        for n in range(last, -1, -1) if not self._by_history.lacks(keys) else ():
            exact = self._by_history.latest(keys[n])
            if exact and n == last:
                if failed := next((one for one in exact if not one.reply), None):
                    return failed  # the same request once more: the first got no answer
                again = exact[0]
            elif exact:
                return _likeliest(exact, history.read(n + 1))
        if again is not None:
            return again if last > 0 else None
        return self._changed(history.kind, history.hashes)

    def _changed(self, kind: int, hashes: list[int]) -> Conversation | None:
        """By its last words, where what comes before them is another now."""
        keys = [kind ^ each for each in hashes]
        for n in range(len(hashes) - 1, -1, -1) if not self._by_marks.lacks(keys) else ():
            # What ends as another ended that was answered is another's: somebody says the same there.
            ends = n == len(hashes) - 1
            for one in self._by_marks.latest(keys[n]):
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
            at = len(one.last.hashes)
            if 0 < at < len(history.hashes) and one.reply.likeness(history.read(at)):
                return one
        if (cut := next((one for one in lately if _recites(one, history)), None)) is not None:
            return cut
        ends: dict[tuple[int, ...], int] = {
            pair: n for n, pair in enumerate(pairwise(map(plain_digest, history.slices)), 2)
        }
        return next((one for one in lately if _goes_on(one, ends.get(one.marks.plain_tail(), 0), opening)), None)

    def _akin(self, history: History) -> list[Conversation]:
        """Those that said last what this one says at some time: their user, or the model in its reply."""
        for n in range(len(history.hashes) - 1, -1, -1):
            content = history.read(n)
            if content.speaker == "user":
                words = content.words
                alike = self._by_marks.latest(history.kind ^ words ^ WORDS) if words else []
            else:
                alike = self._by_marks.latest(history.kind ^ sign_of(content) ^ SIGN)
            if alike:
                return alike[:ALIKE]
        return self._by_marks.latest(history.kind ^ WORDS)[:ALIKE]

    def go_on(self, conversation: Conversation, history: History) -> LastRequest:
        """Its last request is this one now; the one before. It is listed again when all of this was heard."""
        self._unlist(conversation)
        name, marks, before = conversation.name, conversation.marks, conversation.last
        chain = history.kind ^ history.chain[-1] if history.chain else 0
        conversation.last, marks.sign = LastRequest(history.hashes, chain), 0
        size = marks.ends(history.slices)
        if size > HEAVY_TAIL:
            self._tails.put(name, conversation, size)
        elif name in self._tails:
            self._tails.drop(name)
        if name in self._replies:
            self._replies.drop(name)
        return before

    def heard(self, conversation: Conversation, words: int, at: Callable[[int], Spot]) -> None:
        """A request was heard: by its history and by what the user said last the conversation may be known again."""
        name, last, origins = conversation.name, conversation.last, conversation.origins
        conversation.marks.words, conversation.last = words, LastRequest(last.hashes, last.chain, at)
        if last.hashes:
            self._by_history.add((last.chain,), conversation)
        self._by_marks.add(conversation.keys(), conversation)
        self._conversations.put(name, conversation, 1 + len(last.hashes) // LONG)
        if origins.calls:
            self._origins.put(name, conversation, origins.calls)

    def replied(self, conversation: Conversation) -> None:
        """Its reply is known, by which it may be known again."""
        marks, kind, name = conversation.marks, conversation.kind, conversation.name
        if marks.sign:
            self._by_marks.remove((kind ^ marks.sign ^ SIGN,), conversation)
        marks.sign = conversation.reply.sign()
        if name not in self._conversations:
            return
        if (weight := conversation.reply.weight) > HEAVY_REPLY:
            self._replies.put(name, conversation, weight)
        if marks.sign:
            self._by_marks.add((kind ^ marks.sign ^ SIGN,), conversation)

    def alone(self) -> Conversation:
        """A conversation of which no request is known."""
        conversation = Conversation(self.name(), 0, Marks())
        self._conversations.put(conversation.name, conversation)
        return conversation

    def give_up(self, conversation: Conversation) -> None:
        """As if it had been evicted."""
        self._conversations.drop(conversation.name)
        self._evict(conversation)

    def name(self) -> str:
        self._count += 1
        return f"c{self._count}"

    def _unlist(self, conversation: Conversation) -> None:
        if conversation.last.hashes:
            self._by_history.remove((conversation.last.chain,), conversation)
        self._by_marks.remove(conversation.keys(), conversation)

    def _evict(self, conversation: Conversation) -> None:
        self._unlist(conversation)
        for cache in (self._tails, self._replies, self._origins):
            cache.drop(conversation.name)
        self._evicted_calls += conversation.open_calls
        conversation.evicted()


def _resumes(conversation: Conversation, history: History) -> int:
    """The first content after the last words of the conversation's last request."""
    if not conversation.last.hashes:
        return 0
    hashes, count = history.hashes, len(conversation.last.hashes)
    if count <= len(hashes) and history.kind ^ history.chain[count - 1] == conversation.last.chain:
        return count  # the user may say the same again
    last = conversation.last.hashes[-1]
    return next((n + 1 for n in range(len(hashes) - 1, -1, -1) if hashes[n] == last), 0)


def _recites(conversation: Conversation, history: History) -> int:
    """Where its last reply, which called, is recited, its last words are gone, and all before stands as it stood."""
    hashes, last = history.hashes, conversation.last.hashes
    same = next((n for n, (one, other) in enumerate(zip(hashes, last, strict=False)) if one != other), 0)
    calls = history.read(same).calls if same and conversation.reply.calls else ()
    made = MadeCalls(conversation.reply.calls)
    return same if any([made.take(call) is not None for call in calls]) else 0


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
    return one.dropped > 0 or one.marks.opening == opening


def _goes_on(one: Conversation, end: int, opening: int) -> bool:
    """Whether a history in which these last words end there is of this conversation: of others, the first words are."""
    return 0 < end < len(one.last.hashes) or (end > 0 and _opens(one, opening))


def _reworded(owner: Conversation | None, hashes: list[int]) -> Conversation | None:
    """After a request that got no answer the user may try other last words."""
    if owner is None or owner.reply or len(owner.last.hashes) != len(hashes) or owner.last.hashes[:-1] != hashes[:-1]:
        return None
    return owner


def _shares(conversation: Conversation, hashes: list[int]) -> bool:
    """A changed history still has more than its last content in common with what was heard."""
    return len(set(conversation.last.hashes) & set(hashes)) > 1
