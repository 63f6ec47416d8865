"""The content view: bodies and frames as the lines of a conversation, in either mitmproxy."""

from typing import Any

import pytest
from mitmproxy import contentviews

from tests.recorder.flows import BAD
from wirecheck.recorder.mitm import view

STREAM = (
    b"event: step.start\n"
    b'data: {"event_type":"step.start","index":0,"step":{"type":"function_call","id":"1","name":"f"}}\n\n'
    b"event: step.delta\n"
    b'data: {"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":"{\\"a\\":1}"}}\n\n'
    b'data: {"event_type":"step.stop","index":0}\n\n'
    b'data: {"event_type":"interaction.completed","interaction":{"status":"requires_action"}}\n\n'
    b"data: [DONE]\n\n"
)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (BAD, ["user      hi", "model     f()", "user      well?"]),
        (b'{"request":{"contents":[{"parts":[{"text":"hi"}]}]}}', ["user      hi"]),
        (b'{"system_instruction":{"parts":[{"text":"be brief"}]},"contents":[]}', ["system    be brief"]),
        (
            b'data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\r\n\r\n'
            b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"b"}]},"finishReason":"STOP"}]}\r\n\r\n',
            ["model     a", "model     b", "          (finish: STOP)"],
        ),
        (b'[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}]', ["model     a"]),
        (b'{"error":{"code":400,"message":"no"}}', ["error     no"]),
        (b'{"toolCall":{"functionCalls":[{"name":"f","id":"1"}]}}', ["frame     f()  id 1"]),
        (b'{"messages":[{"role":"tool","tool_call_id":"1","content":"18"}]}', ['tool      → (no name) "18"  id 1']),
        (b'{"model":"m","input":"hi"}', ["user      hi"]),
        (
            b'{"input":[{"type":"user_input","content":[{"type":"text","text":"a"}]},{"type":"thought","signature":"s"},'
            b'{"type":"function_call","id":"1","name":"f","arguments":{}},'
            b'{"type":"function_result","call_id":"1","name":"f","result":"18"}],"system_instruction":"be brief"}',
            [
                "system    be brief",
                "user      a",
                "model     (thought)",
                "model     f()  id 1",
                'user      → f "18"  id 1',
            ],
        ),
        (
            b'{"object":"interaction","status":"completed","steps":[{"type":"model_output","content":"b"}]}',
            ["model     b", "          (completed)"],
        ),
        (
            STREAM,
            ["model     f(a=1)  id 1", "          (requires_action)"],
        ),
        (
            b'data: {"event_type":"step.start","index":0,"step":{"type":"model_output","content":[]}}\n\n'
            b'data: {"event_type":"step.delta","index":0,"delta":{"type":"text","text":"cut"}}\n\n',
            ["model     cut"],
        ),
        (b'{"contents":[{"role":"user\x1b","parts":[{"text":"AIza%s"}]}]}' % (b"k" * 35), None),
        (b"[1, null]", ["          1", "          null"]),
        (b"[]", [""]),
    ],
)
def test_a_body_is_a_conversation(body: bytes, lines: list[str] | None) -> None:
    if lines is None:
        with pytest.raises(ValueError, match="JSON is malformed"):  # mitmproxy shows it raw, then
            view.picture(body)
    else:
        assert view.picture(body).split("\n") == lines


def test_a_picture_holds_no_secrets_and_nothing_that_acts_on_a_terminal() -> None:
    key = "AIza" + "k" * 35
    shown = view.picture(b'{"contents":[{"role":"\\u001b[2J","parts":[{"text":"%s\\u202e"}]}]}' % key.encode())
    assert key not in shown
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        (b'{"input":[{"type":"user_input","content":"hi"}]}', True),
        (b'event: interaction.created\ndata: {"event_type":"interaction.created"}', True),
        (BAD, True),
        (b'data: {"candidates":[]}', True),
        (b'{"setup":{}}', True),
        (b'{"a":1}', False),
        (b"<html>", False),
    ],
)
def test_the_view_is_chosen_for_what_it_can_show(body: bytes, fits: bool) -> None:
    view.register()
    view.register()  # as mitmproxy does that loads a script anew
    views: Any = contentviews
    if hasattr(views, "registry"):
        found = views.registry[view.NAME]
        chosen = found.render_priority(body, views.Metadata())
        shown = found.prettify(BAD, views.Metadata())
    else:
        found = views.get(view.NAME)
        chosen = found.render_priority(body)
        shown = "\n".join(text for line in found(BAD)[1] for _, text in line)
    assert (chosen > 1) is fits
    assert shown.startswith("user")


@pytest.mark.parametrize(("path", "fits"), [("/v1beta/interactions?alt=sse", True), ("/v1/embeddings", False)])
def test_a_bare_text_is_an_interaction_where_it_is_sent_to_one(path: str, fits: bool) -> None:
    assert view.fits(b'{"model": "gemini-3.8-flash", "input": "hi"}', path) is fits
