"""What clients do: words said twice or anew, replies chosen again, notes that are recited elsewhere.

Each log begins with what is sound, often enough to be known, and goes on with what is only nearly so.
"""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.memo.agree import agree
from wirecheck.rules import Ruleset, load

Content = dict[str, Any]
SOUND = 8
TURNS = "https://generativelanguage.googleapis.com/v1beta/models/{}:generateContent"
VERTEX = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/{}:generateContent"
USAGE = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
BROKEN = (500, {"error": {"code": 500, "message": "Internal error", "status": "INTERNAL"}})
NAMES = ("add", "find", "send")
ONE = [{"functionDeclarations": [{"name": "add", "description": "d"}]}]

_words = count()


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


def new() -> str:
    return f"word {next(_words)}"


def user(*texts: str) -> Content:
    return {"role": "user", "parts": [{"text": text} for text in texts or (new(),)]}


def model(*texts: str) -> Content:
    return {"role": "model", "parts": [{"text": text} for text in texts or (new(),)]}


def call(**more: Any) -> Content:
    return {"role": "model", "parts": [{"functionCall": {"name": "add", "args": {}, **more}}]}


def result(key: str = "result", **more: Any) -> Content:
    return {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": {key: 1}, **more}}]}


def reply(said: Content, **more: Any) -> Content:
    candidate = {"content": said, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "m", "responseId": "r", **more}


def line(contents: list[Content], said: Any, url: str = TURNS.format("gemini-2.5-flash"), **around: Any) -> bytes:
    status, body = said if isinstance(said, tuple) else (200, reply(said) if "parts" in said else said)
    if isinstance(body, list):
        body = "".join(f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in body)
    asked = {"method": "POST", "url": url, "body": {"contents": contents, **around}}
    return json.dumps({"request": asked, "response": {"status": status, "body": body}}).encode()


def the_last_words_reworded_after_a_failure() -> Iterator[bytes]:
    for _ in range(SOUND):
        yield line([user(), model(), user()], model())
    first, said = user(), model()
    yield line([first], said)
    yield line([first, said, user()], BROKEN)
    yield line([first, said, user()], model())


def the_same_words_again_and_then_another_reply() -> Iterator[bytes]:
    for n in range(SOUND + 2):
        said, then, yes = model(), model(), user("yes")
        yield line([yes], said)
        yield line([yes, said, yes], then)
        yield line([yes, said, yes, then if n < SOUND else model(), user()], model())


def a_reply_made_anew_and_the_first_one_kept() -> Iterator[bytes]:
    for _ in range(SOUND):
        asked, said = user(), model()
        yield line([asked], said)
        yield line([asked, said, user()], model())
        yield line([asked], model())
        yield line([asked, said, user()], model())


def one_of_two_replies() -> Iterator[bytes]:
    for _ in range(SOUND):
        asked, said = [user(), model(), user()], model()
        yield line(asked, said)
        yield line(asked, model())
        yield line([*asked, said, user()], model())


def a_whole_conversation_again() -> Iterator[bytes]:
    for _ in range(SOUND):
        history = [user(), call(), result(), model(), user()]
        for _ in range(3):
            for end in (1, 3, 5):
                yield line(history[:end], history[end] if end < len(history) else model(), tools=ONE)


def signed(**more: Any) -> Content:
    said = call(**more)
    said["parts"][0]["thoughtSignature"] = "QUJD"
    return said


def calls_with_ids_in_replies_and_in_histories() -> Iterator[bytes]:
    for _ in range(SOUND):
        asked, name = user(), new()
        yield line([asked], signed(id=name), VERTEX.format("gemini-3.6-flash"), tools=ONE)
        history = [asked, signed(id=name), result("output", id=name)]
        yield line(history, model(), VERTEX.format("gemini-3.6-flash"), tools=ONE)


def branches_of_what_is_wrong() -> Iterator[bytes]:
    url, said = VERTEX.format("gemini-2.5-flash"), model()
    for _ in range(SOUND):
        yield line([user(), model(), user()], model(), url, tools=ONE)
    begun = [user(), call(id="a"), result("output", id="a")]
    yield line(begun[:1], begun[1], url, tools=ONE)
    yield line(begun, said, url, tools=ONE)
    for _ in range(SOUND):
        branch = [*begun, said]
        for _ in range(4):
            branch += [user(), model()]
            yield line(branch[:-1], branch[-1], url, tools=ONE)


def a_history_that_is_asked_without_its_end() -> Iterator[bytes]:
    """What its last content has to be noted for, it had not when it was heard."""
    for n in range(2 * SOUND):
        history = [user(), model(), user(), model()]
        if n >= SOUND:
            yield line([*history, user()], model())
        yield line(history, model())


def an_alias_that_comes_to_stand_for_a_model() -> Iterator[bytes]:
    """The first request of a conversation is of no band, also after others of them were edited."""
    heat = {"generationConfig": {"temperature": 1}}
    for n in range(SOUND + 2):
        url, asked, said = TURNS.format("gemini-flash-latest"), [user(), model(), user()], model()
        yield line(asked, reply(said, modelVersion="gemini-3.6-flash"), url, **heat)
        if n < SOUND:
            edited = [user(), *asked[1:], said, user()]
            yield line(edited, reply(model(), modelVersion="gemini-3.6-flash"), url, **heat)


def counts_in_the_first_chunk() -> Iterator[bytes]:
    for n in range(SOUND + 2):
        usage = USAGE if n < SOUND else {**USAGE, "totalTokenCount": 9}
        begun = {"candidates": [{"content": model(), "index": 0}], "modelVersion": "m", "responseId": "r"}
        ended = reply(model())
        del ended["usageMetadata"]
        yield line([user()], [{**begun, "usageMetadata": usage}, ended])


def names_that_are_allowed_and_not_declared() -> Iterator[bytes]:
    config = {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["add"]}}
    for names in [NAMES[:2], NAMES[::2]] * SOUND + [NAMES[1:]] * 2:
        tools = [{"functionDeclarations": [{"name": name, "description": "d"} for name in names]}]
        yield line([user()], model(), tools=tools, toolConfig=config)


def an_entry_of_tools_without_a_function() -> Iterator[bytes]:
    declared = [{"name": name, "description": "d"} for name in NAMES[:2]]
    for n in range(SOUND + 2):
        entries = [declared[:1], declared[1:]] if n < SOUND else [declared, []]
        yield line([user()], model(), tools=[{"functionDeclarations": each} for each in entries])


def what_a_configuration_says_of_built_in_tools() -> Iterator[bytes]:
    both, allowed = [{"googleSearch": {}}, *ONE], {"includeServerSideToolInvocations": True}
    for tools, around in ((both, {"toolConfig": allowed}), (ONE, {}), (both, {})):
        for _ in range(SOUND):
            yield line([user()], model(), TURNS.format("gemini-3-flash-preview"), tools=tools, **around)


def what_was_noted_of_another_takes_the_place_of_ones_own() -> Iterator[bytes]:
    """Then as much is noted of what is recited as was in the conversation, and it is something else."""

    def asked(history: list[Content], *lengths: int) -> Iterator[bytes]:
        return (line(history[:n], history[n], tools=ONE) for n in lengths)

    for _ in range(SOUND):
        yield from asked([user(), call(), result("other"), model(), user(), call(), result(), model()], 1, 3, 5, 7)
    theirs = [user(), call(), result("other"), model(), user(), model()]
    yield from asked(theirs, 1, 3, 5)
    own = [user(), call(), result(), model(), user(), model(), user(), call(), result(), model()]
    yield from asked(own, 1, 3, 5)
    yield from asked([*theirs[:3], *own[3:]], 7, 9)


LOGS: tuple[Callable[[], Iterator[bytes]], ...] = (
    the_last_words_reworded_after_a_failure,
    the_same_words_again_and_then_another_reply,
    a_reply_made_anew_and_the_first_one_kept,
    one_of_two_replies,
    a_whole_conversation_again,
    calls_with_ids_in_replies_and_in_histories,
    branches_of_what_is_wrong,
    a_history_that_is_asked_without_its_end,
    an_alias_that_comes_to_stand_for_a_model,
    counts_in_the_first_chunk,
    names_that_are_allowed_and_not_declared,
    an_entry_of_tools_without_a_function,
    what_a_configuration_says_of_built_in_tools,
    what_was_noted_of_another_takes_the_place_of_ones_own,
)


@pytest.mark.parametrize("log", LOGS)
def test_the_same_is_found_whatever_clients_do(
    rules: Ruleset, tmp_path: Path, log: Callable[[], Iterator[bytes]]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log()))
    agree(rules, path)


def test_the_same_is_found_whatever_clients_do_at_once(rules: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(each for log in LOGS for _ in range(2) for each in log()))
    agree(rules, path)
