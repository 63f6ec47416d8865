"""The contents of a session of the Agent Development Kit, in the order in which the kit sends them.

Events are stored as they happened. Before it asks the model the kit puts responses behind the calls they answer, the
last one where a long-running tool answered several times, and leaves out what was rewound. A long-running call that
nobody answered yet waits: it is left out here.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby
from operator import itemgetter

import msgspec
from msgspec import Struct, field

from wirecheck.sources.agents import gathered
from wirecheck.sources.agents.gathered import GatheredPart
from wirecheck.sources.formats.node import JsonNode, first, text
from wirecheck.wire.records import Body

Message = tuple[str, Body]


class CallNumber(Struct):
    id: str | None = None


class PartHalves(Struct):
    """The call or response in a part, in either spelling."""

    call: CallNumber | None = field(name="functionCall", default=None)
    snake_call: CallNumber | None = field(name="function_call", default=None)
    answer: CallNumber | None = field(name="functionResponse", default=None)
    snake_answer: CallNumber | None = field(name="function_response", default=None)


class ContentHalves(Struct):
    role: str | None = None
    parts: list[PartHalves] | None = None


class AgentTurn(Struct):
    """A content, and the ids of the calls and responses in it by the number of the part.

    `parts` where it was put together; `waits` are the ids of calls that may stay without a response.
    """

    role: str
    body: Body
    content: JsonNode
    parts: Sequence[GatheredPart] = ()
    size: int = 0
    calls: dict[int, str | None] = {}
    answers: dict[int, str | None] = {}
    waits: frozenset[str] = frozenset()

    def some(self, numbers: Sequence[int]) -> Iterator[Message]:
        """Only these of its parts."""
        if len(numbers) == self.size:
            yield self.role, self.body
        elif numbers:
            parts = self.parts or [gathered.part(part) for part in self.content["parts"]]
            yield self.role, gathered.content(self.content.site, self.role, [parts[n] for n in numbers])


_halves = msgspec.json.Decoder(ContentHalves).decode


def turn(content: JsonNode) -> AgentTurn:
    """A content as it stands there."""
    return _scanned(AgentTurn("", Body(content.raw, content.site), content))


def gathered_turn(at: JsonNode, role: str, parts: Sequence[GatheredPart]) -> AgentTurn:
    """A content that was put together from what stands there."""
    return _scanned(AgentTurn(role, gathered.content(at.site, role, parts), at, parts))


def _scanned(made: AgentTurn) -> AgentTurn:
    # Of one that is written in another way nothing is moved.
    with suppress(msgspec.DecodeError, RecursionError):
        found = _halves(made.body.raw)
        parts = found.parts or ()
        made.role, made.size = found.role or "", len(parts)
        made.calls = {n: half.id for n, part in enumerate(parts) if (half := part.call or part.snake_call)}
        made.answers = {n: half.id for n, part in enumerate(parts) if (half := part.answer or part.snake_answer)}
    return made


def turns(events: Sequence[JsonNode]) -> list[AgentTurn]:
    """The contents of events, without those that were rewound."""
    found, begun = list[AgentTurn](), dict[str, int]()
    rewinds = any(map(_rewound, events))
    for event in events:
        if rewinds:
            _rewind(event, found, begun)
        content = event["content"]
        if content["parts"] and event["partial"].value() is not True:
            found.append(made := turn(content))
            if made.calls:
                waits = first(event["long_running_tool_ids"], event["longRunningToolIds"])
                made.waits = frozenset(filter(None, map(text, waits)))
    return found


def _rewound(event: JsonNode) -> str:
    """The invocation that it takes back."""
    actions = event["actions"]
    return text(first(actions["rewind_before_invocation_id"], actions["rewindBeforeInvocationId"]))


def _rewind(event: JsonNode, found: list[AgentTurn], begun: dict[str, int]) -> None:
    """Takes back an invocation and all that came after it. `begun` says where each began."""
    name = _rewound(event)
    if name and (begin := begun.get(name)) is not None:
        del found[begin:]
        while begun and next(reversed(begun.values())) >= begin:
            begun.popitem()
    begun.setdefault(text(first(event["invocation_id"], event["invocationId"])), len(found))


def in_order(found: Sequence[AgentTurn]) -> Iterator[Message]:
    given, moved = _given(found)
    for t, each in enumerate(found):
        if not each.calls and not each.answers:
            yield each.role, each.body
            continue
        responses = given.get(t, {})
        waiting = {n for n, call in each.calls.items() if call in each.waits and call not in responses}
        left = waiting.union(n for n in each.answers if (t, n) in moved)
        yield from each.some([n for n in range(each.size) if n not in left])
        for at, places in groupby(sorted(chain.from_iterable(responses.values())), key=itemgetter(0)):
            yield from found[at].some([n for _, n in places])


def _given(found: Sequence[AgentTurn]) -> tuple[dict[int, dict[str, list[tuple[int, int]]]], set[tuple[int, int]]]:
    """The places (turn, part) of the responses to the calls of each turn, by id; and of all that belong to any call."""
    given, moved = dict[int, dict[str, list[tuple[int, int]]]](), set[tuple[int, int]]()
    called = dict[str, int]()
    for t, each in enumerate(found):
        for n, answer in each.answers.items():
            if answer is not None and answer in called:
                places = given.setdefault(called[answer], {}).setdefault(answer, [])
                if places and places[0][0] != t:  # a later response of a long-running tool replaces the first
                    places.clear()
                places.append((t, n))
                moved.add((t, n))
        called.update((call, t) for call in each.calls.values() if call is not None)
    return given, moved
