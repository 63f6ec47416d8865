"""Live frames as they come: binary or text, printed in lines, in either spelling, or saying nothing."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.dialects.regular import messages
from wirecheck import Reader
from wirecheck.data.shipped import models
from wirecheck.dialects import Dialects
from wirecheck.dialects.messages import Called, Connected, Framed, Setup
from wirecheck.dialects.regular_content import AnyMessage

SETUP = {"setup": {"model": "models/gemini-3.8-live"}}
CALL = {"toolCall": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}}
GEMINI = "wss://generativelanguage.googleapis.com{}ws/google.ai.generativelanguage.v1beta.GenerativeService.{}"


def read(tmp_path: Path, *lines: Any) -> list[AnyMessage]:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    dialects = Dialects(models())
    return [message for record in Reader([str(log)]) for message in messages(dialects, record)]


def server(data: Any, **more: Any) -> dict[str, Any]:
    return {"from": "server", "data": data, **more}


def binary(value: Any) -> dict[str, Any]:
    return server(base64.b64encode(json.dumps(value, indent=2).encode() + b"\n").decode(), opcode=2)


FORMS: dict[str, Any] = {
    "an object": server(CALL),
    "JSON in a text": server(json.dumps(CALL)),
    "printed in lines": server(json.dumps(CALL, indent=2) + "\n"),
    "a binary frame": binary(CALL),
    "snake_case": server({"tool_call": {"function_calls": [{"id": "c1", "name": "now", "args": {}}]}}),
    "both spellings": server({"tool_call": {"functionCalls": [{"id": "c1", "name": "now", "args": {}}]}}),
    "with something beside": server({**CALL, "usageMetadata": {"totalTokenCount": 1}}),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_call_is_a_call_in_any_form(form: Any, tmp_path: Path) -> None:
    said = read(tmp_path, {"from": "client", "data": SETUP}, form)
    assert [(call.id, call.name) for each in said if isinstance(each, Called) for call in each.calls] == [("c1", "now")]


NOTHING: dict[str, Any] = {
    "an empty frame": {},
    "an empty serverContent": {"serverContent": {}},
    "tokens alone": {"usageMetadata": {"totalTokenCount": 1}},
    "what nobody knows yet": {"somethingNew": {"a": 1}},
}


@pytest.mark.parametrize("frame", NOTHING.values(), ids=NOTHING)
def test_a_session_may_begin_with_a_frame_that_says_nothing(frame: Any, tmp_path: Path) -> None:
    said = read(tmp_path, server(frame), {"from": "client", "data": SETUP}, server({"setupComplete": {}}))
    assert [type(each).__name__ for each in said] == ["Connected", "Framed", "Setup", "Framed", "Framed", "Hangup"]


CONNECTIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "plain": (GEMINI.format("/", "BidiGenerateContent"), ("BidiGenerateContent", (), False)),
    "with a doubled slash": (GEMINI.format("//", "BidiGenerateContent"), ("BidiGenerateContent", (), False)),
    "with a key": (GEMINI.format("/", "BidiGenerateContent") + "?key=k", ("BidiGenerateContent", ("key",), False)),
    "with a token": (
        GEMINI.format("/", "BidiGenerateContentConstrained") + "?access_token=auth_tokens%2Fx",
        ("BidiGenerateContentConstrained", ("access_token",), True),
    ),
    "through a proxy": ("wss://relay.example/anything?model=m", (None, ("model",), False)),
}


@pytest.mark.parametrize(("url", "expected"), CONNECTIONS.values(), ids=CONNECTIONS)
def test_a_connection_is_told_by_its_url(url: str, expected: tuple[Any, ...], tmp_path: Path) -> None:
    (connected,) = (
        each for each in read(tmp_path, {"from": "client", "url": url, "data": SETUP}) if isinstance(each, Connected)
    )
    assert (connected.method, connected.query, connected.token) == expected


def test_the_model_is_known_before_the_frame_that_names_it(tmp_path: Path) -> None:
    said = read(tmp_path, {"from": "client", "data": SETUP})
    assert [type(each) for each in said[1:3]] == [Setup, Framed]


FRAMES = {
    "raw audio": ("AAD//wAA//8=", {"opcode": 2}, "bytes"),
    "text": ("hello", {}, "text"),
    "a list": ([1], {}, "json"),
}


@pytest.mark.parametrize(("data", "more", "form"), FRAMES.values(), ids=FRAMES)
def test_what_a_client_sends_and_is_no_object_is_a_frame(data: Any, more: Any, form: str, tmp_path: Path) -> None:
    said = read(tmp_path, {"from": "client", "data": SETUP}, {"from": "client", "data": data, **more})
    assert [each.form for each in said if isinstance(each, Framed)] == ["object", form]
