"""What recites a history goes on with it, however many there are at once; what is held is bounded."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.sources.agents.samples import Json
from tests.sources.telemetry.samples import OPENAI
from tests.work import work
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry import recited_histories
from wirecheck.sources.telemetry.generation_messages import asked, messages
from wirecheck.sources.telemetry.recited_histories import Generation, RecitedHistories
from wirecheck.wire.records import Closed, Frame, Opened, Origin, Record, Site


def node(n: int, messages: Sequence[Json]) -> JsonNode:
    return JsonNode(json.dumps(messages).encode(), Site(Origin("x", n)))


def generation(n: int, given: Sequence[Json], said: Sequence[Json] = (), **more: Any) -> Generation:
    told = messages(asked(node(n, said))) if said else []
    return Generation(site=Site(Origin("x", n)), asked=asked(node(n, given)), said=told, **more)


def spoken(text: str) -> Json:
    return {"role": "user", "content": text}


def drawn(records: list[Record]) -> dict[str, list[str]]:
    """Of each channel the texts that were told, and at its end whether it is whole."""
    channels = dict[str, list[str]]()
    for each in records:
        if isinstance(each, Opened):
            assert each.channel not in channels
            channels[each.channel] = []
        elif isinstance(each, Frame):
            channels[each.channel].append(json.loads(each.body.raw)["content"])
        elif isinstance(each, Closed):
            channels[each.channel].append(str(each.recorded))
    return channels


def run(*generations: Generation, whole: bool = True) -> list[Record]:
    histories = RecitedHistories(whole=whole)
    return [record for each in generations for record in histories.turn(each)] + list(histories.end())


A, B, C, D = map(spoken, "abcd")


@pytest.mark.parametrize(
    ("turns", "channels"),
    [
        (([A], [A, B, C]), [["a", "b", "c", "True"]]),
        (([A, B, C], [A]), [["a", "b", "c", "True"]]),
        (([A], [A]), [["a", "True"]]),
        (([A], [B]), [["a", "True"], ["b", "True"]]),
        (([A], [A, B, C], [A, B, C, D]), [["a", "b", "c", "d", "True"]]),
        # A branch: what is common to both is told in both.
        (([A, B], [A, B, C], [A, B, D]), [["a", "b", "c", "True"], ["a", "b", "d", "True"]]),
    ],
)
def test_histories(turns: tuple[list[Json], ...], channels: list[list[str]]) -> None:
    assert list(drawn(run(*(generation(n, each) for n, each in enumerate(turns, 1)))).values()) == channels


def test_groups_do_not_recite_each_other_and_runs_that_begin_alike_are_several() -> None:
    other = generation(2, [A, B, C], group="other")
    assert len(drawn(run(generation(1, [A]), other))) == 2
    assert len(drawn(run(generation(1, [A]), generation(2, [A], run="other")))) == 2


def test_the_model_is_told_as_it_is_recited_and_at_the_end_as_it_came() -> None:
    turns = generation(1, [A], [spoken("as it came")]), generation(2, [A, B, C], [spoken("the last")])
    assert list(drawn(run(*turns)).values()) == [["a", "b", "c", "the last", "True"]]


def test_calls_tell_which_of_those_alike_goes_on() -> None:
    """The one that called is recited by one that has the call, whichever was told last."""
    calling = generation(1, [A], [OPENAI.called], run="1")
    silent = generation(2, [A], [B], run="2")
    answered = generation(3, [A, OPENAI.called, *OPENAI.returned], run="3")
    for turns in ((calling, silent, answered), (silent, calling, answered)):
        lengths = sorted(map(len, drawn(run(*turns)).values()))
        assert lengths == [3, 5]


@pytest.mark.parametrize(
    ("more", "whole"),
    [({}, "True"), ({"final": True}, "False"), ({"run": "ran"}, "False"), ({"run": "else"}, "True")],
)
def test_when_a_call_at_the_end_waits(more: Any, whole: str) -> None:
    histories = RecitedHistories(whole=True)
    histories.ran("ran", "needed")
    found = [*histories.turn(generation(1, [A], [OPENAI.called], **more)), *histories.end()]
    ((*_, end),) = drawn(found).values()
    assert end == whole


def test_a_refusal_is_told_elsewhere() -> None:
    refused = generation(2, [A, B, C], refused=True)
    assert list(drawn(run(generation(1, [A], [B]), refused)).values()) == [["a", "b", "False"]]
    assert drawn(run(refused)) == {}
    again = generation(3, [A, B, D])
    assert list(drawn(run(generation(1, [A], [B]), refused, again)).values()) == [["a", "b", "d", "True"]]


@pytest.mark.parametrize(("name", "most"), [("OPEN", 10), ("MESSAGES", 20), ("BYTES", 200)])
def test_what_is_held_is_bounded(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those idle longest are ended, and nothing says that they were whole where another run may go on with them; those
    in use are not."""
    monkeypatch.setattr(recited_histories, name, most)
    histories, found = RecitedHistories(whole=True), list[Record]()
    for n in range(1, 200):
        found += histories.turn(generation(2 * n, [A, *[B] * n], group="in use"))
        run = str(n) if n % 2 else "other"
        found += histories.turn(generation(2 * n + 1, [spoken(str(n))], [D], group=str(n), run=run))
        assert len(histories._open) <= most
    assert sum(map(len, histories._by_chain.values())) == histories._messages
    ended = [each for each in found if isinstance(each, Closed)]
    assert len(ended) > 100
    assert all(each.recorded == (each.origin.line // 2 % 2 == 1) for each in ended if each.origin.line % 2)
    if name == "OPEN":
        assert "line 2" in histories._open
    found += histories.end()
    assert (histories._open, histories._by_chain, histories._messages, histories._bytes) == ({}, {}, 0, 0)


def test_runs_of_which_tools_are_known_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recited_histories, "RUNS", 10)
    monkeypatch.setattr(recited_histories, "NAMES", 5)
    histories = RecitedHistories(whole=True)
    for n in range(100):
        for name in range(20):
            histories.ran(str(n), str(name))
    assert list(histories._ran) == [str(n) for n in range(90, 100)]
    assert {len(names) for names in histories._ran.values()} == {5}


def test_a_history_costs_what_it_is_long() -> None:
    long = [spoken(str(n)) for n in range(2000)]

    def read(turns: int) -> int:
        some = [generation(n, long[: len(long) - turns + n]) for n in range(turns)]
        return work(lambda: run(*some))

    assert read(40) < 3 * read(20)
