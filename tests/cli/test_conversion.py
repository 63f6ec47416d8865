"""What is written of a record: no secret, all that it is judged by, and how many there were of each kind."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bench.logs import lines
from tests.cli.logs import URL
from tests.sources.agents.samples import SOUND
from tests.sources.formats.test_recognition import SAMPLES
from wirecheck.cli.conversion import Conversion
from wirecheck.sources import Reader
from wirecheck.wire.records import Frames, Origin, Record, Replied, Unread

KEY = "AIza" + "Sy0123456789-abcdefghijklmnopqrstuv"
TOKEN = "ya29.a0AfH6SMBxyz0123456789"
CONTENTS = [{"role": "user", "parts": [{"text": f"Is {TOKEN} a secret?"}]}]


def converted(records: Iterable[Record]) -> tuple[list[dict[str, Any]], Conversion]:
    conversion = Conversion()
    return [json.loads(line) for line in conversion.lines(records)], conversion


def of_file(path: Path, *written: str | bytes) -> tuple[list[dict[str, Any]], Conversion]:
    path.write_bytes(b"\n".join(each if isinstance(each, bytes) else each.encode() for each in written))
    return converted(Reader([str(path)]))


def asked(**more: Any) -> str:
    request = {"method": "POST", "url": URL, "body": {"contents": CONTENTS}, **more}
    return json.dumps({"request": request, "response": {"status": 200, "body": {"candidates": []}}})


def test_secrets_are_gone_wherever_they_were(tmp_path: Path) -> None:
    (tmp_path / KEY).mkdir()
    channel = {"channel": KEY, "from": "client", "data": {"setup": {"model": KEY}}}
    nested = {KEY: {"payload": {"contents": CONTENTS}}}
    for n, written in enumerate(
        (
            asked(url=f"{URL}?key={KEY}", headers={"Authorization": f"Bearer {TOKEN}", "x-goog-api-key": KEY}),
            json.dumps(channel),
            json.dumps(nested),
            f'{{"contents": [{KEY}',
        )
    ):
        log, conversion = of_file(tmp_path / KEY / f"{n}.jsonl", written)
        assert log, written
        assert KEY not in str(log)
        assert TOKEN not in str(log)
        assert n in (2, 3) or conversion.redacted > 0
    assert (tmp_path / KEY).is_dir()


def test_channels_that_a_secret_tells_apart_stay_apart(tmp_path: Path) -> None:
    frames = [
        {"channel": name, "from": "client", "data": {"setup": {}}} for name in (KEY, KEY[:-2] + "ab", KEY, "plain")
    ]
    log, _ = of_file(tmp_path / "a.jsonl", *map(json.dumps, frames))
    names = [line["channel"] for line in log if line["kind"] == "frame"]
    assert len({*names[:2], names[3]}) == 3
    assert KEY[:10] not in str(names)


def test_a_channel_keeps_its_name_when_that_turns_out_to_be_a_secret(tmp_path: Path) -> None:
    def line(kind: str, channel: str, **more: Any) -> str:
        return json.dumps({"v": 1, "kind": kind, "channel": channel, **more}, separators=(",", ":"))

    secret = {"headers": {"x-goog-api-key": "first-channel second-channel"}}
    log, _ = of_file(
        tmp_path / "first-channel.jsonl",
        line("opened", "first-channel", body={}),
        line("opened", "second-channel", body={}, **secret),
        *(
            line(kind, channel, status=200)
            for kind in ("replied", "closed")
            for channel in ("first-channel", "second-channel")
        ),
    )
    first, second = (
        {(each["channel"], each["origin"]["path"]) for each in log if each["origin"]["line"] in lines}
        for lines in ((1, 3, 5), (2, 4, 6))
    )
    assert (len(first), len(second), len(first | second)) == (1, 1, 2)


def test_a_secret_of_one_file_is_any_word_in_the_next(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text(asked(headers={"x-goog-api-key": "placeholder"}))
    second.write_text(asked(body={"contents": [{"role": "user", "parts": [{"text": "a placeholder"}]}]}))
    log, _ = converted(Reader([str(first), str(second)]))
    assert "a placeholder" in str(log)
    assert [line["origin"].get("file", 0) for line in log] == [0] * 4 + [1] * 4


def test_a_body_is_whole_that_recites_another(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"".join(lines("long", 0.0001, 1)))
    wanted = [json.loads(line)["request"]["body"] for line in path.read_bytes().splitlines()]
    log, _ = converted(Reader([str(path)]))
    assert len(wanted) > 50
    assert [line["body"] for line in log if line["kind"] == "opened"] == wanted


def test_frames_that_are_read_together_are_written_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"".join(lines("live", 0.0001, 1)))
    assert any(isinstance(record, Frames) for record in Reader([str(path)]))
    log, conversion = converted(Reader([str(path)]))
    wanted = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [line["data"] for line in log if line["kind"] == "frame"] == [line["data"] for line in wanted]
    assert [line["origin"]["line"] for line in log if line["kind"] == "frame"] == [*range(1, len(wanted) + 1)]
    assert list(conversion.channels.kinds) == ["session"]


COUNTED = {
    "HAR": ("exchange", "session"),
    "realtime": ("session",),
    "cassette of vcrpy, JSON": ("exchange",),
    "adk-session": ("transcript",),
    "gemini-cli-chat": ("transcript",),
    "gemini-cli-telemetry": ("exchange",),
    "ai-sdk-errors": ("exchange",),
}


@pytest.mark.parametrize("name", COUNTED)
def test_channels_are_counted_by_what_they_are(name: str, tmp_path: Path) -> None:
    sample = (
        SAMPLES.get(name)
        or next((data for each, data in SAMPLES.items() if each.startswith(name)), b"")
        or SOUND[name].text
    )
    _, conversion = of_file(tmp_path / "x", sample)
    assert set(conversion.channels.kinds) == set(COUNTED[name])


def test_a_channel_is_counted_once(tmp_path: Path) -> None:
    _, conversion = of_file(tmp_path / "x.jsonl", asked(), asked())
    assert conversion.channels.kinds == {"exchange": 2}
    handshake = Replied(channel="1", origin=Origin("x", 1), status=101)
    assert converted([handshake, handshake])[1].channels.kinds == {"session": 1}


def test_what_is_no_traffic_is_left_out_and_counted_and_what_failed_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    log, conversion = of_file(path, '{"level": "info"}', asked(), '{"level": "warn"}', "hello", '{"contents"')
    assert [line["kind"] for line in log] == ["opened", "replied", "frame", "closed", "unreadable", "unterminated"]
    ((path_of, line, times),) = conversion.skipped.values()
    assert (path_of, line, times, conversion.unreadable) == (str(path), 1, 2, 2)
    fault = Unread(channel="", origin=Origin("x", 3), kind="fault", why="KeyError", trace=("a", "b"))
    log, conversion = converted([fault])
    assert (log, [(each.place, each.what) for each in conversion.faults]) == ([], [("x:3", "KeyError")])
