"""Clients that keep a window of their history: what is cut away is gone, and the rest is what it was."""

import json
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from random import Random

import pytest

from tests.memo.agree import agree, judged_by
from tests.memo.test_tools import URL, USAGE
from tests.stories.conversations import Json, answer, call, model, reply, user
from wirecheck.rules import Ruleset, load

TOOLS = [{"functionDeclarations": [{"name": "add", "description": "d"}, {"name": "find", "description": "d"}]}]
FEWER = [{"functionDeclarations": TOOLS[0]["functionDeclarations"][:1]}]
Window = Callable[[Random, list[Json]], list[Json]]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def asks(said: list[Json], since: int) -> int:
    """The first question from there on, or else the last of all."""
    questions = [n for n, one in enumerate(said) if one["role"] == "user" and "text" in one["parts"][0]]
    return next((n for n in questions if n >= since), questions[-1])


def last(most: int) -> Window:
    return lambda rng, said: said[asks(said, len(said) - most) :] if len(said) > most else said


def with_the_first(window: Window) -> Window:
    def kept(rng: Random, said: list[Json]) -> list[Json]:
        rest = window(rng, said)
        return rest if len(rest) == len(said) else [said[0], *rest]

    return kept


SOUND: dict[str, Window] = {
    "the last nine": last(9),
    "the last twelve": last(12),
    "the last ten and the first": with_the_first(last(10)),
    "some of the last": lambda rng, said: last(rng.choice((8, 9, 11)))(rng, said),
    "seldom fewer": lambda rng, said: said[asks(said, len(said) // 10 * 10 - 4) :] if len(said) > 10 else said,
}
OTHERS: dict[str, Window] = {
    "the last six": last(6),
    "cut anywhere": lambda rng, said: said[-7:],
    "cut anywhere but for the first": with_the_first(lambda rng, said: said[-6:]),
    "cut anywhere but for the first two": lambda rng, said: said if len(said) < 9 else said[:2] + said[-6:],
    "no more than the last words": with_the_first(lambda rng, said: said[-3:]),
    "now and then all of it": lambda rng, said: last(7)(rng, said) if rng.random() < 0.8 else said,
    "now and then one less": lambda rng, said: last(rng.choice((6, 6, 6, 99)))(rng, said)[rng.random() < 0.05 :],
    "now and then one twice": lambda rng, said: [*said[: rng.random() < 0.1], *last(8)(rng, said)],
}


class Client:
    """One that talks to a model. Some words it may say often, more than one thing at once, and what is wrong."""

    def __init__(
        self,
        name: str,
        rng: Random,
        window: Window,
        *,
        some: tuple[str, ...] = (),
        often: float = 0,
        more: float = 0.1,
        wrong: float = 0,
        forgets: int = 1000,
    ) -> None:
        self._name, self._rng, self._window = name, rng, window
        self._some, self._often, self._more, self._wrong = some, often, more, wrong
        self._forgets = forgets  # a tool, when it has said so much
        self._ids, self._count, self._said = not some and rng.random() < 0.5, 0, list[Json]()

    def exchange(self) -> Json:
        self._answer() if self._said and "functionCall" in self._said[-1]["parts"][0] else self._ask()
        sent, parts = [*self._window(self._rng, self._said)], self._reply()
        self._said.append(model(*parts))
        body = {"contents": sent, "tools": FEWER if self._count > self._forgets else TOOLS}
        replied = reply(model(*parts), usageMetadata=USAGE, modelVersion="gemini-2.5-flash", responseId="r")
        return {"request": {"method": "POST", "url": URL, "body": body}, "response": {"status": 200, "body": replied}}

    def _word(self) -> str:
        self._count += 1
        return self._rng.choice(self._some) if self._rng.random() < self._often else f"{self._name} {self._count}"

    def _ask(self) -> None:
        self._said.append(user(self._word()))
        while self._rng.random() < self._more:
            self._said.append(user(self._word()))

    def _reply(self) -> list[Json | str]:
        if self._rng.random() < 0.4:
            return [self._word()]
        names = self._rng.choice((("add",), ("find",), ("add", "find")))
        return [
            call(name, f"{self._name}.{self._count}.{name}" if self._ids else None, a=self._word()) for name in names
        ]

    def _answer(self) -> None:
        calls = [part["functionCall"] for part in self._said[-1]["parts"]]
        gives: tuple[Json, ...] = ({"output": "x"}, {"error": "x"}, {"other": self._word()})
        answers = [answer(one["name"], one.get("id"), self._rng.choice(gives)) for one in calls]
        if self._rng.random() < self._wrong:
            answers = [answers[0], *answers] if self._rng.random() < 0.5 else [*answers[1:], {"text": "Never mind."}]
        self._said.append(user(*answers))
        while self._rng.random() < self._more:
            self._said.append(user(self._word()))


def written(path: Path, exchanges: Iterator[Json]) -> Path:
    path.write_bytes(b"".join([json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in exchanges]))
    return path


def side_by_side(rng: Random, clients: list[Client], count: int) -> Iterator[Json]:
    return (rng.choice(clients).exchange() for _ in range(count))


# Clients that are not like others. What is said again and again is cut away, and told anew.
KINDS: dict[str, Callable[[int, Window], list[Client]]] = {
    "two that say the same": lambda seed, window: [Client("a", Random(seed), window) for _ in range(2)],
    "little that is new": lambda seed, window: [Client("b", Random(seed), window, some=("yes", "go on"), often=0.9)],
    "nothing that is new": lambda seed, window: [Client("c", Random(seed), window, some=("yes",), often=1, more=0.3)],
    "mistakes": lambda seed, window: [Client(f"d{n}", Random(seed + n), window, wrong=0.03) for n in range(3)],
    "much at once": lambda seed, window: [Client("f", Random(seed), window, more=0.5)],
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("window", [*SOUND.values(), *OTHERS.values()], ids=[*SOUND, *OTHERS])
def test_the_same_is_found_on_windows(
    window: Window, kind: Callable[[int, Window], list[Client]], rules: Ruleset, tmp_path: Path
) -> None:
    rng = Random(2)
    others = [Client(f"o{n}", Random(n), last(12), more=0.3) for n in range(3)]
    before = side_by_side(rng, others, 50)
    agree(rules, written(tmp_path / "log.jsonl", chain(before, side_by_side(rng, kind(3, window), 70))))


@pytest.mark.parametrize(
    ("most", "rule"), [(1, "function-response-without-call"), (2, "function-call-not-after-user")], ids=str
)
def test_what_a_cut_makes_wrong_is_found_after_many_that_were_right(
    most: int, rule: str, rules: Ruleset, tmp_path: Path
) -> None:
    windows = [last(7)]
    client = Client("a", Random(3), lambda rng, said: windows[0](rng, said))
    log = [client.exchange() for _ in range(120)]
    while "functionCall" not in json.dumps(log[-1]["response"]):
        log.append(client.exchange())
    windows[0] = lambda rng, said: said[-most:]
    log.append(client.exchange())
    assert [finding.rule for finding in agree(rules, written(tmp_path / "log.jsonl", iter(log)))] == [rule]


@pytest.mark.parametrize("forgets", range(150, 174, 3))
def test_a_function_that_is_not_declared_any_more_is_found_at_its_first_call_in_the_window(
    forgets: int, rules: Ruleset, tmp_path: Path
) -> None:
    client = Client("a", Random(2), last(16), more=0, forgets=forgets)
    agree(rules, written(tmp_path / "log.jsonl", side_by_side(Random(1), [client], forgets * 3 // 4)))


def test_each_cut_is_noted_once(tmp_path: Path) -> None:
    """While a window only grows nothing more is gone. One that has too little in common goes on with nothing."""
    log = [*side_by_side(Random(1), [Client("a", Random(1), last(12), more=0)], 150)]
    windows = [one["request"]["body"]["contents"] for one in log]
    cuts = [old[0] not in new and sum([one in old for one in new]) > 1 for old, new in pairwise(windows)]
    path = written(tmp_path / "log.jsonl", iter(log))
    inspector, findings = judged_by(load(select=["history-trimmed"]), path, memo=True)
    assert (findings, inspector.counted) == ([], {"info": sum(cuts)})
