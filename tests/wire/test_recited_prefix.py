"""What was elided and put back is what was written; whatever a line looks like, its contents are those it has."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wirecheck.data.shipped import models
from wirecheck.dialects import Dialects
from wirecheck.dialects.messages import Recited, Unreadable
from wirecheck.sources import file_reader
from wirecheck.sources.file_reader import FileReader
from wirecheck.wire.recited_prefix import ALIKE, SHORT, PrefixFinder
from wirecheck.wire.records import Opened, Origin, Record

Json = dict[str, Any]
TOKEN = "a-token-that-somebody-knows"
URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
LONG = "word " * (SHORT // 5)
SAID = {"candidates": [{"content": {"role": "model", "parts": [{"text": "So."}]}, "finishReason": "STOP"}]}


def text(words: str, role: str = "user") -> Json:
    return {"role": role, "parts": [{"text": words}]}


def history(count: int, name: str = "a", first: str = LONG) -> list[Json]:
    """So many contents of one conversation; the first of them is long."""
    return [text(f"{name} {first if n == 0 else n}", ("user", "model")[n % 2]) for n in range(count)]


def exchange(body: Any, separators: tuple[str, str] = (",", ":"), **before: Any) -> bytes:
    asked = {"method": "POST", "url": URL, "body": body}
    line = {**before, "request": asked, "response": {"status": 200, "body": SAID}}
    return json.dumps(line, separators=separators, ensure_ascii=False).encode()


def opened(body: Any, n: int = 0, **before: Any) -> bytes:
    """A line of our own log."""
    line = {"v": 1, "kind": "opened", "channel": f"{n}", **before, "method": "POST", "url": URL, "body": body}
    return json.dumps(line, separators=(",", ":")).encode()


def records(lines: list[bytes]) -> Iterator[Record | str]:
    reader = FileReader()
    for n, line in enumerate(lines, 1):
        try:
            yield from reader.line(line, Origin("log.jsonl", n))
        except (ValueError, RecursionError) as error:
            yield f"{n}: {type(error).__name__}"


def told(lines: list[bytes]) -> list[Any]:
    """What requests say, each with its contents one by one; and what is no JSON."""
    dialects, found = Dialects(models()), list[Any]()
    for record in records(lines):
        if isinstance(record, str):
            found.append(record)
            continue
        if isinstance(record, Opened) and record.body is not None:
            found.append(bytes(record.body.payload))
        for message in dialects.read(record):
            if isinstance(message, Recited):
                slices = message.slices
                found.append((list(slices), list(slices.hashes), list(slices.chain), dict(message.around)))
                found.append([message.at(n) for n in range(len(slices))])
            elif isinstance(message, Unreadable):
                found.append((message.kind, message.why, message.spot))
    return found


def as_written(lines: list[bytes]) -> list[Any]:
    """The same with nothing left out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefixFinder, "find", lambda finder, line: None)
        return told(lines)


def elisions(lines: list[bytes]) -> int:
    """Of how many lines something is left out."""
    count, find = 0, PrefixFinder.find

    def counted(finder: PrefixFinder, line: bytes) -> Any:
        nonlocal count
        elided = find(finder, line)
        count += elided is not None and elided.prefix is not None
        return elided

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefixFinder, "find", counted)
        assert told(lines) == as_written(lines)
    return count


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can know it, nor where to put it; here some do know."""
    monkeypatch.setattr(file_reader, "token_hex", lambda size: TOKEN)


WRITTEN: dict[str, Callable[[Json], bytes]] = {
    "exchanges": exchange,
    "with blanks": lambda body: exchange(body, (", ", ": ")),
    "our own log": opened,
    "Code Assist": lambda body: exchange({"model": "m", "project": "p", "request": body}),
    "more around": lambda body: exchange({"systemInstruction": text("Be brief."), **body, "tools": []}),
}


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_what_is_recited_is_left_out(write: Callable[[Json], bytes]) -> None:
    lines = [write({"contents": history(n)}) for n in (1, 1, 3, 5, 5, 9)]
    assert elisions([lines[0], *lines]) >= len(lines) - 1  # of the first one it is seen how lines are written


def test_what_was_left_out_can_be_put_back() -> None:
    finder = PrefixFinder(b'"t"')
    first, second = (exchange({"contents": history(n)}) for n in (1, 3))
    elided = finder.find(first)
    assert elided is not None
    assert (elided.prefix, elided.short, elided.recited()) == (None, first, b"")
    contents = json.dumps(history(1), separators=(",", ":"), ensure_ascii=False).encode()
    elided.learn(contents, [1], [2])
    again = finder.find(second)
    assert again is not None
    assert again.prefix is not None
    assert again.recited() == contents
    assert again.short == second.replace(contents[:-1], b'["t"')
    assert again.restored(again.short) == second
    assert again.restored(b'{"contents":["t",1]}') == b'{"contents":' + contents[:-1] + b",1]}"


def test_short_contents_are_not_worth_it() -> None:
    assert elisions([exchange({"contents": history(n, first="hi")}) for n in (1, 3, 5)]) == 0


TOKENED = text(f'"{TOKEN}"')
SAME = history(3)
NUMBERS = "[" + "1234567," * SHORT
ODD: dict[str, list[bytes]] = {
    "a token in what is said": [exchange({"contents": [*SAME[:1], TOKENED, *history(n)]}) for n in (1, 2, 3)],
    "a token for a content": [exchange({"contents": [*SAME, *more]}) for more in ([], [TOKEN], [TOKEN, SAME[0]])],
    "a token first": [exchange({"contents": [TOKEN, *history(n)]}) for n in (1, 2, 3)],
    "a token behind them": [exchange({"contents": history(n), "tools": [TOKEN]}) for n in (1, 2, 3)],
    "contents twice": [
        exchange({"contents": history(n)}).replace(b'"body":{', b'"body":{"contents":[{"role":"user"}],', 1)
        for n in (1, 3, 5)
    ],
    "contents twice, the long ones first": [
        exchange({"contents": history(n)}).replace(b"]}},", b'],"contents":[{"role":"user"}]}},', 1) for n in (1, 3, 5)
    ],
    "contents twice, both long": [
        exchange({"contents": history(n)}).replace(
            b'"body":{', b'"body":{"contents":' + json.dumps(history(4 - n, "b")).encode() + b",", 1
        )
        for n in (1, 2, 3)
    ],
    "contents in a note": [exchange({"contents": history(n)}, note={"contents": history(n)}) for n in (1, 2, 3)],
    "contents of another in a note": [
        exchange({"contents": history(n, "b")}, note={"contents": history(n)}) for n in (1, 2, 3)
    ],
    "contents of a note that come to be those of the request": [
        exchange({"contents": history(3, "b")}, note={"contents": history(3)}),
        exchange({"contents": history(3)}),
        exchange({"contents": history(4)}),
    ],
    "contents that come to be a note": [
        exchange({"contents": history(3)}),
        exchange({"contents": history(2, "b")}, note={"contents": history(4)}),
        exchange({"contents": history(4, "b")}, note={"contents": history(4)}),
    ],
    "contents as a word": [exchange({"contents": history(n)}, note=["contents", history(n)]) for n in (1, 2, 3)],
    "contents in the reply": [
        exchange({"contents": history(n)}).replace(b'"status"', b'"contents":[1],"status"') for n in (1, 2, 3)
    ],
    "contents of a schema": [
        exchange(
            {
                "tools": [{"functionDeclarations": [{"name": "f", "parameters": {"default": {"contents": SAME}}}]}],
                "contents": contents,
            }
        )
        for contents in (history(3, "b"), SAME, history(3, "c"), [*SAME, *SAME])
    ],
    "contents that are a text": [exchange({"contents": json.dumps(history(n))}) for n in (1, 2, 3)],
    "a body that is a text": [exchange(json.dumps({"contents": history(n)})) for n in (1, 2, 3)],
    "one content and no list": [exchange({"contents": history(1)[0]}) for _ in range(3)],
    "numbers that grow": [
        exchange(None).replace(b"null", f'{{"contents":{NUMBERS}{last}]}}'.encode(), 1) for last in ("1", "12", "12.5")
    ],
    "a list that ends with a comma": [
        exchange({"contents": history(2)}).replace(b"]}]}},", end, 1) for end in (b"]}]}},", b"]},]}},", b"]},1]}},")
    ],
    "cut off": [line[: len(line) - cut] for cut in (0, 200, 1, 90) for line in [exchange({"contents": history(3)})]],
    "cut off in what was recited": [
        exchange({"contents": history(3)}),
        exchange({"contents": history(3)})[: SHORT + 120],
        exchange({"contents": history(3)})[: SHORT + 250],
        exchange({"contents": history(4)}),
    ],
    "bytes that are no text": [
        exchange({"contents": history(n)}).replace(b"So.", b"So\xff.").replace(b"a 1", b"a \xff1") for n in (1, 2, 3, 3)
    ],
    "blanks before the end": [
        exchange({"contents": history(n)}).replace(b"]}]}},", b"]} \t ]}},", 1) for n in (1, 2, 3, 3)
    ],
    "blanks before the list": [
        exchange({"contents": history(n)}).replace(b'"contents":[', b'"contents"' + blanks + b"[", 1)
        for blanks in (b":", b" : ", b"  :  ", b":   ", b":\t", b" :")
        for n in (1, 2, 3)
    ],
    "an escaped key": [
        exchange({"contents": history(n)}).replace(b'"contents"', key, 1)
        for key in (b'"contents"', b'"\\u0063ontents"', b'"contents"')
        for n in (2, 3)
    ],
    "what was said is said otherwise": [exchange({"contents": history(n, name)}) for n in (2, 3, 4) for name in "aba"],
    "shorter again": [exchange({"contents": history(n)}) for n in (9, 5, 1, 7, 9)],
    "with a cache": [exchange({"contents": history(n), "cachedContent": "cachedContents/1"}) for n in (1, 2, 3)],
    "both formats": [write({"contents": history(n)}) for n in (1, 2, 3) for write in (exchange, opened)],
    "a list for a body": [exchange(history(n)) for n in (1, 2, 3)],
    "not traffic": [json.dumps({"level": "info", "contents": history(n)}).encode() for n in (1, 2, 3)],
}


@pytest.mark.parametrize("lines", ODD.values(), ids=ODD)
def test_a_line_says_what_is_written_in_it(lines: list[bytes]) -> None:
    """After many that were as usual, and again after these."""
    usual = [exchange({"contents": history(n)}) for n in (1, 2)]
    for each in (lines, [*usual, *lines], [*lines, *usual, *lines]):
        assert told(each) == as_written(each)


def test_where_conversations_open_alike_each_has_its_own() -> None:
    """Thousands share a preamble: only some are known at a time, and no line is compared with all of them."""
    rng, lines = Random(1), list[bytes]()
    for n in range(1500):
        talk = rng.randrange(max(1, n // 2)) if rng.random() < 0.3 else n
        lines.append(exchange({"contents": history(1 + n % 3, f"{LONG}{talk}", "")}))
    assert told(lines) == as_written(lines)
    finder = PrefixFinder(b'"t"')
    for line in lines:
        elided = finder.find(line)
        assert elided is not None
        if elided.prefix is None:
            end = line.index(b']}},"response"') + 1
            elided.learn(line[elided.start : end], [1], [2])
    assert max(map(len, finder._heads)) == ALIKE


PIECES = st.sampled_from(("a", "b", "ab", "“c”", TOKEN, f'["{TOKEN}"', '"contents":[', "]},{", "\\", "1"))


@st.composite
def logs(draw: st.DrawFn) -> list[bytes]:
    """Conversations that grow, written by several programs."""
    talks: list[list[Json]] = [[], []]
    lines: list[bytes] = []
    for _ in range(draw(st.integers(2, 8))):
        talk = draw(st.sampled_from(talks))
        talk.append(text(draw(PIECES) + (LONG if not talk else ""), draw(st.sampled_from(("user", "model")))))
        contents = talk[: draw(st.sampled_from((None, None, None, -1)))]
        body: Json = {"contents": contents}
        if draw(st.booleans()):
            body = {draw(PIECES): draw(st.sampled_from(([], {"contents": talks[0]}, TOKEN))), **body}
        separators = draw(st.sampled_from(((",", ":"), (",", ":"), (", ", ": "))))
        line = draw(st.sampled_from((exchange(body, separators), opened(body, len(lines)))))
        if draw(st.integers(0, 9)) == 0:
            line = line[: draw(st.integers(0, len(line)))]
        lines += draw(st.sampled_from(([line], [line], [line, line])))
    return lines


@settings(max_examples=150)
@given(lines=logs())
def test_any_log_says_what_is_written_in_it(lines: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_reader, "token_hex", lambda size: TOKEN)
        assert told(lines) == as_written(lines)
