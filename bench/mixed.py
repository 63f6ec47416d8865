"""Traffic of many programs, models and surfaces as it is recorded, with hardly any recital. Its shares are counted.

The first conversations have one of each model, then one of each kind: the smallest log has them all.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import orjson

from bench import chat, client, extras, interactions, recorders, rejections, server
from bench.agent import MISTAKES, Agent, Exchange
from bench.recorders import Recorder
from bench.shares import MISTAKES as WRONG
from bench.shares import MODELS, OTHERS, STATUS, STREAMS, SURFACES, TURNS
from bench.words import Json, text

KINDS = SURFACES | OTHERS
NEWEST = [name for name in MODELS if name.startswith(("gemini-3.5-flash-l", *server.LATER, "gemini-3-"))]


class Kept(NamedTuple):
    exchange: Exchange
    recorder: Recorder


def talk(seed: str, number: int, mistake: str | None, sound: bool) -> Iterator[Kept]:
    """One conversation. A sound log has refusals only of servers that are busy."""
    rng = Random(f"{seed} {number}")
    kinds = SURFACES if number < len(MODELS) else KINDS
    place = number - len(MODELS)
    kind = [*KINDS][place] if 0 <= place < len(KINDS) else rng.choices([*kinds], [*kinds.values()])[0]
    known = [*MODELS][number] if number < len(MODELS) else rng.choices([*MODELS], [*MODELS.values()])[0]
    recorder, turns = recorders.draw(rng), rng.choices([*TURNS], [*TURNS.values()])[0]
    if not sound and mistake is None and rng.random() < WRONG / 100:
        mistake = rng.choice([*MISTAKES])
    for one in _exchanges(rng, kind, known, turns, mistake):
        for refused in rejections.before(rng, one):
            yield Kept(refused, recorder)
        if not sound and kind in SURFACES and kind != "code-assist" and rng.random() < STATUS[400] / 100:
            yield Kept(rejections.lasting(rng, one, known), recorder)
        yield Kept(one, recorder)


def _exchanges(rng: Random, kind: str, known: str, turns: int, mistake: str | None) -> Iterator[Exchange]:
    if mistake is not None:
        kind, turns = "gemini-api", max(turns, 2)
    if kind == "openai-compat":
        return chat.talk(rng, rng.choice(NEWEST), turns)
    if kind == "interactions":
        return interactions.talk(rng, rng.choice(NEWEST), turns)
    if kind in OTHERS:
        return iter([OTHER[kind](rng, known)])
    stream = rng.choices([*STREAMS], [*STREAMS.values()])[0]
    one = client.draw(rng, server.model(rng, known, kind), stream, busy=mistake is not None)
    agent = Agent(rng, one, mistake=mistake)
    return agent.turns(turns, extras.shown(rng), lambda reply: extras.added(rng, one, reply))


def _count_tokens(rng: Random, model: str) -> Exchange:
    body = {"contents": [{"role": "user", "parts": [{"text": text(rng, 5, 200)}]}]}
    total = rng.randint(5, 900)
    told = {"totalTokens": total, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": total}]}
    return _other(model, "countTokens", body, told)


def _embed(rng: Random, model: str) -> Exchange:
    body = {"content": {"parts": [{"text": text(rng, 5, 200)}]}, "taskType": "RETRIEVAL_DOCUMENT"}
    values = [rng.uniform(-0.1, 0.1) for _ in range(768)]
    return _other("gemini-embedding-001", "embedContent", body, {"embedding": {"values": values}})


def _other(model: str, verb: str, body: Json, told: Json) -> Exchange:
    return Exchange(server.API.format(model=model, verb=verb), orjson.dumps(body), [orjson.dumps(told)])


OTHER = {"countTokens": _count_tokens, "embedContent": _embed}
